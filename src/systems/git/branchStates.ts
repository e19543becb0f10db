import { isCommitName } from "../../document/commitName.ts";
import { EVIDENCE_BRANCH } from "../../catalogue/evidence/branch.ts";
import { conform } from "../../catalogue/conform.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import type { Run } from "../../ports.ts";
import { listRefs, tipsIn } from "./branchTips.ts";
import type { Repository } from "./repository.ts";

/** A branch, and the commits that it is known to have been at. */
interface KnownBranch {
  /** `undefined` if it is not known which branch it is. */
  readonly tip: string | undefined;
  /** Newest first. */
  readonly states: readonly string[];
  /** The names by which a merge may call the branch. */
  readonly names: readonly string[];
  /** The commits of the evidence branch, which names commits at which the branch was. */
  readonly evidence: readonly string[];
}

/** What a repository without a remote may call its branch. */
const USUAL_NAMES = ["main", "master"];

/**
 * The branch that is, was or will be at `commit`, and where it was according to the reflog: at its remote, as the clone
 * saw it, since a local branch may have been at commits that were never pushed; of the clone itself, if it has no remote.
 */
export async function findBranch(repository: Repository, commit: string, run: Run): Promise<KnownBranch> {
  const refs = await listRefs(repository, ["*"], run);
  const evidence = tipsIn(refs, EVIDENCE_BRANCH);
  const found = branchAt(refs.map(branchIn), commit);
  if (found === undefined) return { tip: undefined, states: [], names: USUAL_NAMES, evidence };
  const logged = await repository.lines(["log", "-g", "--format=%H", found.ref, "--"], run, { accepted: [128] });
  const name = found.ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, "");
  return { tip: found.tip, states: [...new Set([found.tip, ...logged.filter(isCommitName)])], names: [name], evidence };
}

interface BranchRef {
  readonly ref: string;
  readonly tip: string;
  /** The branch that a remote's HEAD is, or that a local branch follows. */
  readonly target: string;
  readonly isCheckedOut: boolean;
}

const LOCAL = "refs/heads/";

function branchIn(line: string): BranchRef {
  const [ref = "", tip = "", mark = "", target = ""] = line.split(" ");
  return { ref, tip, target, isCheckedOut: mark !== "" };
}

/**
 * The branch that `commit` belongs to: what the checked-out branch follows if it is about that one, else a branch that is
 * at it, the default branch of the remote, or a usual one.
 */
function branchAt(refs: readonly BranchRef[], commit: string): BranchRef | undefined {
  const remote = refs.filter(({ ref, target }) => !ref.startsWith(LOCAL) && target === "");
  const current = refs.find(({ isCheckedOut }) => isCheckedOut);
  const candidates = remote.length > 0 ? remote : refs.filter(({ ref }) => ref.startsWith(LOCAL));
  const named = (ref: string | undefined): readonly BranchRef[] => candidates.filter((one) => one.ref === ref);
  const followed = named(remote.length > 0 ? current?.target : current?.ref);
  if (current?.tip === commit && followed.length > 0) return followed[0];
  const defaults = refs.filter(({ ref }) => ref.endsWith("/HEAD")).flatMap(({ target }) => named(target));
  const usual = candidates.filter(({ ref }) => USUAL_NAMES.some((name) => ref.endsWith(`/${name}`)));
  const likely = [...defaults, ...usual, ...followed];
  return [...likely, ...candidates].find(({ tip }) => tip === commit) ?? likely[0];
}

/**
 * The commits that the settings of `commit` name as states of the branch, for a merge that no clone can decide. Files
 * that cannot be read name none.
 */
export async function declaredStates(repository: Repository, commit: string, run: Run): Promise<readonly string[]> {
  const path = `${await repository.prefix(run)}${SETTINGS_PATH}`;
  const { code, stdout } = await repository.git(["cat-file", "blob", `${commit}:${path}`], run, { accepted: [128] });
  const reading = readYaml(path, { kind: "bytes", bytes: code === 0 ? stdout : new Uint8Array() });
  if (reading.kind === "refused") return [];
  return conform("settings", reading.file).value?.history?.knownCommits ?? [];
}
