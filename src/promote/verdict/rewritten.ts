import { shortCommit } from "../../document/printable.ts";
import { specHash } from "../../catalogue/template.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { ModuleHistory } from "../../catalogue/history/history.ts";
import { subjectStates, type Subject } from "./subject.ts";
import type { Reason } from "./verdict.ts";

/**
 * Blocks a version that was served with two contents, or of which the repository keeps another content. It is unknown
 * which of them soaked, clusters keep the one that they have, and the gate refuses the other.
 */
export function judgeContents(
  { channel, followed, said }: Subject,
  version: ModuleVersion,
  history: ModuleHistory,
): readonly Reason[] {
  const states = [followed, channel].flatMap(({ name }) =>
    subjectStates(history, name)
      .filter((state) => state.version === version)
      .map((state) => ({ name, ...state })),
  );
  // Hashes take longer than everything else, and most versions were served once.
  const [first, ...others] = states;
  if (first === undefined) return [];
  const kept = said?.templates.get(version);
  // An imported history has versions without contents.
  if (kept !== undefined && first.template() !== undefined && specHash(kept.object) !== first.hash()) {
    const message = `${kept.file.path} differs from what ${first.name} serves as ${version}: a version never changes.`;
    const remedy = `Restore the served content, or release a version above ${version}.`;
    return [
      { topic: "files", outcome: "blocking", message, remedy, source: { kind: "file", file: kept.file.path, line: 1 } },
    ];
  }
  const other = others.find(({ hash }) => hash() !== first.hash());
  if (other === undefined) return [];
  const place = ({ name, revision }: typeof other): string => `${name} (commit ${shortCommit(revision.commit)})`;
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
