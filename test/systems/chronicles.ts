import type { Chronicle, RecordedChange } from "../../src/ports.ts";
import { gitChronicle } from "../../src/systems/git/chronicle.ts";
import { quietRun } from "../support/quietRun.ts";
import { type Folder, gitAt } from "./repository.ts";

/** The chronicle of the repository at `path`. */
export function chronicle(path: string, revision = "HEAD"): Promise<Chronicle> {
  return gitChronicle(gitAt(path)).chronicle(revision, quietRun());
}

/** Its changes as `said` puts them, in order. */
export async function changes(path: string): Promise<readonly string[]> {
  return (await chronicle(path)).changes.map(said);
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
