import type { ModuleVersion } from "../../catalogue/version.ts";
import type { ModuleHistory } from "../../catalogue/history/history.ts";
import { statesOf, type Subject } from "./subject.ts";
import type { Reason } from "./verdict.ts";

/**
 * Whether a version was served with two contents: it is unknown which of them soaked, clusters keep the one that they
 * have, and the gate refuses the other.
 */
export function judgeContents(
  { channel, followed }: Subject,
  version: ModuleVersion,
  history: ModuleHistory,
): readonly Reason[] {
  const states = [followed, channel].flatMap(({ name }) =>
    statesOf(history, name)
      .filter((state) => state.version === version)
      .map((state) => ({ name, ...state })),
  );
  // Hashes take longer than all the rest, and most versions were served once.
  const [first, ...others] = states;
  const other = others.find(({ hash }) => hash() !== first?.hash());
  if (first === undefined || other === undefined) return [];
  const place = ({ name, revision }: typeof other): string => `${name} (commit ${revision.commit.slice(0, 12)})`;
  return [
    {
      topic: "files",
      outcome: "blocking",
      message: `${version} was served with two contents, by ${place(first)} and by ${place(other)}: a version never changes.`,
      remedy: `Release a version above ${version}.`,
      source: { kind: "commit", commit: other.revision.commit },
    },
  ];
}
