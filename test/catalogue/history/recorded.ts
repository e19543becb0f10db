import type { RecordedCommit, RecordedHistory } from "../../../src/catalogue/history/history.ts";
import type { SnapshotFile } from "../../../src/document/snapshot.ts";
import { fileOf } from "../repository.ts";

/** What a commit writes: path to text, or to what else stands there; `undefined` for a file that goes. */
export type Step = Readonly<Record<string, string | SnapshotFile | undefined>>;

/** A history in which each step is a commit, `c0` first: one a second, the first one second after 1970. */
export function recordedOf(...steps: readonly Step[]): RecordedHistory {
  return {
    commits: steps.map((_, index) => commitOf(index)),
    changes: steps.flatMap((step, index) =>
      Object.entries(step).map(([path, content]) => ({ index, path, content: contentOf(content) })),
    ),
  };
}

/** The commit at a place of such a history. */
export function commitOf(index: number, said: Partial<RecordedCommit> = {}): RecordedCommit {
  const committerMs = (index + 1) * 1000;
  return { commit: `c${String(index)}`, parents: [], committerMs, author: "a", subject: "s", body: "", ...said };
}

/** A text as the content of a file. */
export function contentOf(content: Step[string]): SnapshotFile | undefined {
  return typeof content === "string" ? fileOf(content) : content;
}
