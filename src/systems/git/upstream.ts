import { isCommitName } from "../../document/commitName.ts";
import { createHash } from "node:crypto";
import { isAbsolute, join, normalize, resolve } from "node:path";
import { Fault, type KeptBranch, type Run, type Source, type Upstream } from "../../ports.ts";
import { environmentFrom, type Variables } from "../environment.ts";
import { BareClone } from "./clone.ts";
import { keptBranch } from "./keptBranch.ts";
import { fetchFailed, fetchProblem, type RemoteBranch, remoteName, remoteTip } from "./remote.ts";
import type { Repository } from "./repository.ts";
import { RecentFiles, revisionSource } from "./revision.ts";
import { type Signers, unsignedCommits } from "./signatures.ts";

/** Options of a followed repository. */
export interface UpstreamOptions {
  /** `https:`, `ssh:`, `file:`, `git@host:path`, or the path of a repository on this machine. */
  readonly url: string;
  readonly branch: string;
  /** The folder of the catalogue in the repository; by default the top. */
  readonly path?: string;
  /** The folder for all clones; by default in the user's cache folder. */
  readonly cache?: string;
  /** By default none. */
  readonly signers?: Signers;
  /** Timeout of one fetch, in milliseconds. */
  readonly deadlineMs?: number;
  /** Renews the credentials of Git where they expire. */
  readonly signIn?: RemoteBranch["signIn"];
}

/** The followed branch, and its clone to read from. */
export interface UpstreamClone extends Upstream {
  /** The folder of the catalogue in the clone, for Git commands. It has no files. */
  readonly repository: Repository;
  /** The catalogue at a commit that the clone has. */
  source(commit: string): Source;
  /** Another branch of the repository, for appending commits. */
  keptBranch(name: string): UpstreamBranch;
}

/** Another branch of a followed repository. */
interface UpstreamBranch {
  readonly branch: KeptBranch;
  /** Its files at a fetched commit. */
  readonly source: (commit: string) => Source;
}

/** Timeout of one fetch; the first one brings the whole history. */
const DEADLINE_MS = 300_000;
/** Timeout of one call for a kept branch: fetches wait for it. */
const KEPT_DEADLINE_MS = 60_000;

/** Opens the clone of a branch without fetching. `variables` is the environment of Git. Throws CONFIGURATION. */
export function openUpstream(options: UpstreamOptions, variables: Variables): UpstreamClone {
  const { branch, signers = {}, deadlineMs = DEADLINE_MS } = options;
  // Like Git: a text with a colon before the first slash is an address.
  const remote = /^[^/]*:/.test(options.url) ? options.url : resolve(options.url);
  const name = `${withoutCredentials(remote)} (branch ${branch})`;
  const cache = resolve(options.cache ?? join(environmentFrom(variables).cacheDir, "kyma-modules", "repositories"));
  // One folder per branch: in a common one, a deleted branch `a` would prevent `a/b`.
  const folder = join(cache, `${createHash("sha256").update(name).digest("hex").slice(0, 32)}.git`);
  const clone = new BareClone({ folder, branch, path: within(options.path ?? ""), deadlineMs }, variables);
  const target = { repository: clone.bare, remote, branch, deadlineMs, signIn: options.signIn };
  const recent = new RecentFiles();
  return {
    name,
    repository: clone.catalogue,
    fetch: (run) => clone.alone(() => fetchBranch(clone, target, run), run),
    obtain: (commit, run) => clone.alone(() => obtain(clone, target, commit, run), run),
    unsigned: (from, to, run) => clone.read(unsignedCommits(clone.catalogue, signers, { from, to }, run)),
    source: (commit) => sourceAt(clone, commit, recent),
    keptBranch: (name) => {
      const other = { ...target, repository: clone.catalogue, branch: name, deadlineMs: KEPT_DEADLINE_MS };
      // Without a ref, Git would fetch everything each time.
      const kept = keptBranch(other, `refs/kyma-modules/${name}`);
      const branch: KeptBranch = {
        name: kept.name,
        fetch: (run) => clone.alone(() => clone.read(kept.fetch(run)), run),
        append: (tip, draft, run) => clone.alone(() => clone.read(kept.append(tip, draft, run)), run),
      };
      return { branch, source: (commit) => sourceAt(clone, commit, new RecentFiles()) };
    },
  };
}

function sourceAt(clone: BareClone, commit: string, recent: RecentFiles): Source {
  const source = revisionSource(clone.catalogue, commit, recent);
  return { snapshot: (wants, run) => clone.read(source.snapshot(wants, run)) };
}

/** Removes the user and the query of an https address, which may be a token, but not the user of an ssh address. */
function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return remoteName({ remote: address });
  const url = new URL(address);
  [url.password, url.search] = ["", ""];
  if (url.protocol.startsWith("http")) url.username = "";
  return url.href;
}

function within(path: string): string {
  const normal = normalize(path);
  if (!isAbsolute(normal) && normal.split("/")[0] !== "..") return normal;
  throw new Fault("CONFIGURATION", `${path} is not in the repository. Name a folder relative to its top.`);
}

async function fetchBranch(clone: BareClone, target: RemoteBranch, run: Run): Promise<string> {
  const ref = `refs/heads/${target.branch}`;
  const before = await clone.bare.text(["rev-parse", "--verify", "--quiet", ref], run, { accepted: [1, 128] });
  const args = ["--prune", "--force", "--", target.remote, `+${ref}:${ref}`];
  let problem = await fetchProblem(target, args, run);
  if (problem !== undefined && (await isRepaired(clone, target, run))) problem = await fetchProblem(target, args, run);
  if (problem !== undefined) throw fetchFailed(target, problem);
  const tip = await clone.bare.resolve(ref, run);
  if (tip !== before) await clone.tidy(run);
  return tip;
}

async function obtain(clone: BareClone, target: RemoteBranch, commit: string, run: Run): Promise<boolean> {
  if (!isCommitName(commit)) return false;
  const { bare } = clone;
  const isThere = async (): Promise<boolean> =>
    (await bare.git(["cat-file", "-e", `${commit}^{commit}`], run, { accepted: [1, 128] })).code === 0;
  if (await isThere()) return true;
  const problem = await fetchProblem(target, ["--", target.remote, commit], run);
  if (problem === undefined) return isThere();
  if (/not our ref|unadvertised object/.test(problem)) return false;
  await isRepaired(clone, target, run);
  throw fetchFailed(target, problem);
}

/**
 * Whether a fetch failed because of the clone, which is recreated then. If the remote or the branch is the reason,
 * throws that: asks the remote again, independent of the clone.
 */
async function isRepaired(clone: BareClone, target: RemoteBranch, run: Run): Promise<boolean> {
  const tip = await remoteTip({ ...target, repository: clone.outside }, run);
  if (tip !== undefined) return clone.repair(run);
  throw new Fault(
    "REVISION_UNKNOWN",
    `The remote ${remoteName(target)} has no branch ${target.branch}. Create it, or name another.`,
  );
}
