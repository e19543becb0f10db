import type { RecordedChange } from "../../src/catalogue/history/history.ts";
import { MODULE_FILES } from "../../src/catalogue/history/moduleHistory.ts";
import type { ReadHistory } from "../../src/ports.ts";
import { gitHistory } from "../../src/systems/git/history.ts";
import { quietRun } from "../support/quietRun.ts";
import { type Folder, gitAt } from "./repository.ts";

/** What promotion reads of the repository at `path`. */
export function historyIn(path: string, revision = "HEAD"): Promise<ReadHistory> {
  return gitHistory(gitAt(path)).read(revision, MODULE_FILES, quietRun());
}

/** The history of some paths alone. */
export function historyOf(path: string, ...paths: readonly string[]): Promise<ReadHistory> {
  return gitHistory(gitAt(path)).read("HEAD", { paths, wants: () => true, everyCommit: false }, quietRun());
}

/** Its changes as `said` puts them, in order. */
export async function changes(path: string): Promise<readonly string[]> {
  return (await historyIn(path)).changes.map(said);
}

/** `index path: content`. */
export function said({ index, path, content }: RecordedChange): string {
  if (content === undefined) return `${index} ${path} is gone`;
  if (content.kind === "bytes") return `${index} ${path}: ${Buffer.from(content.bytes).toString()}`;
  return `${index} ${path} is ${content.kind}`;
}

/** Commits what each step writes; gives the commits. */
export function commitsOf(repository: Folder, ...steps: readonly Parameters<Folder["write"]>[0][]): readonly string[] {
  return steps.map((files) => {
    repository.write(files);
    return repository.commit();
  });
}
