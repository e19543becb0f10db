import { join } from "node:path";
import type { ReadHistory } from "../../../src/ports.ts";
import { commitsOf } from "../histories.ts";
import { bareRepository, emptyFolder, emptyRepository, type Folder, folderAt } from "../repository.ts";

/** Templates of channels. */
export const A = "channels/fast/istio.yaml";
export const B = "channels/fast/telemetry.yaml";
export const C = "channels/regular/istio.yaml";

/** A remote repository, and a clone whose push was rejected because main had moved by two commits. */
export interface Rejected {
  readonly remote: Folder;
  readonly clone: Folder;
  /** What main was, oldest first. */
  readonly main: readonly string[];
}

/** The catalogue is in `folder`, which ends with "/". */
export function rejectedPush(folder = ""): Rejected {
  const [remote, first] = [bareRepository(), emptyRepository()];
  const [base = ""] = commitsOf(first, { [folder + A]: "1" });
  first.git("push", "--quiet", remote.path, "main");
  const clone = cloneOf(remote);
  const others = commitsOf(first, { [folder + A]: "2" }, { [folder + A]: "3" });
  first.git("push", "--quiet", remote.path, "main");
  commitsOf(clone, { [folder + B]: "1" });
  return { remote, clone, main: [base, ...others] };
}

/** A new clone. */
export function cloneOf(remote: Folder, ...options: readonly string[]): Folder {
  const folder = emptyFolder();
  folder.git("clone", "--quiet", ...options, `file://${remote.path}`, "clone");
  return folderAt(join(folder.path, "clone"));
}

/** `git pull` of a rejected push, and the push after it: main is then the second parent. */
export function pull(clone: Folder, ...message: readonly string[]): string {
  clone.git("pull", "--quiet", "--no-rebase", "--no-ff", "--no-edit");
  if (message.length > 0) clone.git("commit", "--quiet", "--amend", "--message", ...message);
  clone.git("push", "--quiet");
  return clone.git("rev-parse", "HEAD");
}

/** The commits of a history, oldest first. */
export function commitsIn({ commits }: ReadHistory): readonly string[] {
  return commits.map(({ commit }) => commit);
}
