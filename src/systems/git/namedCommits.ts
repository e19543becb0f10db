import { readKeptFile } from "../../catalogue/evidence/branch.ts";
import { isCommitName } from "../../document/commitName.ts";
import type { Run } from "../../ports.ts";
import type { Repository } from "./repository.ts";
import { revisionSource } from "./revision.ts";

/** Where the evidence branch seems to name a commit. */
export interface Mention {
  readonly commit: string;
  /** The commit of the evidence branch, and the file there, relative to the folder of the catalogue. */
  readonly tip: string;
  readonly path: string;
}

const GREP = ["grep", "--text", "--null", "--only-matching", "--no-line-number", "--no-column", "--full-name"];
/** As files of evidence are written. */
const NAMED = '"commit": *"[0-9a-f]{40,64}"';

/**
 * The places of the evidence branch at the commits `tips` that seem to name a commit: their text does. One process of Git
 * searches all files, which takes a fraction of the time to read them; most questions need none of them.
 */
export async function mentionsOfCommits(
  repository: Repository,
  tips: readonly string[],
  run: Run,
): Promise<readonly Mention[]> {
  if (tips.length === 0) return [];
  const folder = await repository.prefix(run);
  const args = [...GREP, "--extended-regexp", "-e", NAMED, ...tips, "--", `:(top,literal)${folder}modules`];
  const lines = await repository.lines(args, run, { accepted: [1] });
  return lines.flatMap((line) => {
    const [, tip, path, commit] = /^([0-9a-f]+):([^\0]*)\0.*"([0-9a-f]+)"$/.exec(line) ?? [];
    if (tip === undefined || path === undefined || commit === undefined || !isCommitName(commit)) return [];
    return [{ commit, tip, path: path.slice(folder.length) }];
  });
}

/** The commits from which landscapes were served, as the valid ones of these files of the evidence branch say. */
export async function servedCommits(
  repository: Repository,
  mentions: readonly Mention[],
  run: Run,
): Promise<ReadonlySet<string>> {
  const served = new Set<string>();
  for (const [tip, own] of Map.groupBy(mentions, (one) => one.tip)) {
    const paths = new Set(own.map(({ path }) => path));
    const { files } = await revisionSource(repository, tip).snapshot((path) => paths.has(path), run);
    const evidence = [...files].flatMap(([path, file]) => readKeptFile(path, file).evidence);
    for (const one of evidence) if (one.kind === "served" && one.commit !== undefined) served.add(one.commit);
  }
  return served;
}
