import type { Run } from "../../ports.ts";
import type { Repository } from "./repository.ts";

/**
 * What the last commit of a merged branch says, by the merge commit; nothing for commits that merge none. Takes names of
 * commits that are there. Throws GIT_FAILED.
 */
export async function branchMessages(
  repository: Repository,
  commits: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, string>> {
  const tips = await mergedTips(repository, commits, run);
  if (tips.length === 0) return new Map();
  const messages = await messagesOf(repository, new Set(tips.map(([, tip]) => tip)), run);
  return new Map(tips.map(([merge, tip]) => [merge, messages.get(tip) ?? ""]));
}

/** The second parent of each commit that has one. */
async function mergedTips(
  repository: Repository,
  commits: readonly string[],
  run: Run,
): Promise<readonly (readonly [merge: string, tip: string])[]> {
  if (commits.length === 0) return [];
  const args = ["rev-list", "--no-walk=unsorted", "--parents", "--stdin"];
  const { stdout } = await repository.git(args, run, { input: `${commits.join("\n")}\n` });
  return stdout
    .toString()
    .split("\n")
    .map((line) => line.split(" "))
    .flatMap(([merge = "", , tip]) => (tip === undefined ? [] : [[merge, tip] as const]));
}

async function messagesOf(
  repository: Repository,
  commits: ReadonlySet<string>,
  run: Run,
): Promise<ReadonlyMap<string, string>> {
  const args = ["log", "--no-walk=unsorted", "--encoding=UTF-8", "--format=%H%x00%B%x00", "--stdin"];
  const { stdout } = await repository.git(args, run, { input: `${[...commits].join("\n")}\n` });
  const fields = stdout.toString().split("\0");
  return new Map([...commits].map((_, index) => [String(fields[2 * index]).trim(), String(fields[2 * index + 1])]));
}
