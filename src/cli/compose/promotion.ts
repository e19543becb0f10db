import { join } from "node:path";
import { counted } from "../../document/counted.ts";
import { EVIDENCE_BRANCH } from "../../catalogue/evidence/branch.ts";
import type { ForgeSettings } from "../../catalogue/settings.ts";
import type { Gate } from "../../check/gate.ts";
import type { Gathered, PromotionWorld } from "../../promote/gather.ts";
import { Fault, type Clock, type Forge, type Run, type Webhook } from "../../ports.ts";
import { environmentFrom } from "../../systems/environment.ts";
import type { Repository } from "../../systems/git/repository.ts";
import { revisionSource } from "../../systems/git/revision.ts";
import { gitHistory } from "../../systems/git/history.ts";
import { openBranchForge, requireBranchName } from "../../systems/git/branch.ts";
import { keptTip } from "../../systems/git/keptTip.ts";
import { openKeptBranch } from "../../systems/git/keptBranch.ts";
import { openDirectForge } from "../../systems/git/direct.ts";
import { namedFiles } from "../../systems/files/namedFiles.ts";
import { textDiff } from "../../systems/textDiff.ts";
import type { PublishWorld } from "../../promote/publish.ts";
import type { BumpWorld } from "../../promote/bump/bump.ts";
import { openCheck, type CheckPorts } from "./compose.ts";
import { clock, openRepository } from "./systems.ts";

/** What `promote` and its kin ask of the world. */
export interface PromotionPorts {
  readonly world: PromotionWorld;
  readonly check: CheckPorts;
  /**
   * Does `work` with the gate for changes of what was gathered. It asks no registry: the checks of the pull request do.
   */
  withGate<T>(gathered: Gathered, work: (gate: Gate["judge"]) => Promise<T>): Promise<T>;
  /** A unified diff; `before` is `undefined` for a new file. */
  readonly diff: (path: string, before: string | undefined, after: string, run: Run) => Promise<string>;
  /** The webhook whose address a variable of the environment holds. Throws CONFIGURATION where it holds none. */
  readonly openWebhook: (variable: string) => Promise<Webhook>;
}

/** What `history` asks of it beyond that. */
export interface HistoryPorts extends PromotionPorts {
  /** Where people see repositories of the forge, without a slash at its end. */
  readonly forgeSite: string;
}

/** What `bump` asks of the world, beyond what its gate does. */
export interface BumpPorts extends Pick<PromotionPorts, "diff"> {
  /** The gate. */
  readonly check: CheckPorts;
  readonly bump: BumpWorld;
}

/** How far promotion may reach. */
export interface PromotionReach {
  /** No forge is asked. */
  readonly offline: boolean;
  /** Something is to be written: then a forge needs credentials. */
  readonly writes: boolean;
  /** Without a forge: commits go to the base branch itself. */
  readonly direct: boolean;
  /** It is decided by evidence and proposed holds: none is committed directly while the remote has more of them. */
  readonly decides?: boolean;
}

/** The branches of a remote by which it is decided. */
const DECIDING_BRANCHES = [EVIDENCE_BRANCH, "hold/*", "withdraw/*"];

/**
 * What promotion needs in order to decide about the repository of a folder, and to act, by the time of `on`; commits are
 * made in an environment with `variables`.
 */
export function openPromotion(
  directory: string,
  reach: PromotionReach,
  on: Clock = clock,
  variables: Readonly<Record<string, string>> = {},
): HistoryPorts {
  const repository = openRepository(directory).with(variables);
  const check = openCheck(directory, on);
  return {
    check,
    withGate: (gathered, work) => withGate(check, gathered, work),
    world: {
      clock: on,
      history: gitHistory(repository),
      source: (revision) => revisionSource(repository, revision),
      resolve: (revision, run) => resolve(repository, revision, run),
      openForge: (settings, run) => openForge(repository, settings, reach, run),
      namedFiles: check.namedFiles,
      uncommitted: (run) => check.uncommitted(run),
      evidenceTip: (run) => keptTip(repository, EVIDENCE_BRANCH, run),
      login: (run) => login(repository, run),
    },
    diff: textDiff(repository),
    openWebhook: async (variable) => (await import("../../systems/http/web.ts")).openWebhook(variable, process.env),
    // Workflows have it, also those of a GitHub of one's own.
    forgeSite: process.env["GITHUB_SERVER_URL"] ?? "https://github.com",
  };
}

/** What `bump` needs in order to change a branch of the repository of a folder, or to propose it on the forge. */
export function openBump(directory: string): BumpPorts {
  const repository = openRepository(directory);
  const { check, world, diff } = openPromotion(directory, { offline: false, writes: true, direct: false });
  return {
    check,
    diff,
    bump: {
      ...world,
      links: async () => (await import("../../systems/http/web.ts")).openLinks(process.env),
      openBranches: async (branch, base, run) => {
        await requireBranchName(repository, branch, "Name another: --branch NAME.", run);
        return openBranchForge(repository, base);
      },
    },
  };
}

/** What publishing evidence of the repository of a folder needs; `remote` as Git takes it. */
export function openPublishing({
  repo,
  remote,
}: {
  readonly repo: string;
  readonly remote?: string | undefined;
}): (run: Run) => Promise<PublishWorld> {
  const repository = openRepository(repo);
  return async (run) => ({
    clock,
    namedFiles,
    branch: await openKeptBranch(repository, { branch: EVIDENCE_BRANCH, remote }, run),
    source: (revision) => revisionSource(repository, revision),
    chance: () => Math.random(),
  });
}

/** What promotion needs in order to tell, and change nothing. */
export function openReading({ repo, offline }: { readonly repo: string; readonly offline: boolean }): HistoryPorts {
  return openPromotion(repo, { offline, writes: false, direct: false });
}

/** `PromotionPorts.withGate` by what `check` asks of the world. */
export async function withGate<T>(
  check: CheckPorts,
  { revision, catalogue }: Gathered,
  work: (gate: Gate["judge"]) => Promise<T>,
): Promise<T> {
  // The rules take a third of a start to load, and most commands decide nothing.
  const { openGate } = await import("../../check/gate.ts");
  const gate = openGate(check.openRevision(revision), catalogue.settings.releaseManagers, (run) =>
    check.openWorld({ offline: true }, run),
  );
  try {
    return await work(gate.judge.bind(gate));
  } finally {
    await gate.close();
  }
}

async function resolve(repository: Repository, revision: string, run: Run): Promise<string> {
  try {
    return await repository.resolve(revision, run);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "REVISION_UNKNOWN") throw error;
    if ((await repository.head(run)) !== undefined) throw error;
    const why = "what a channel served, and since when, is read from its history";
    throw new Fault(
      "CONFIGURATION",
      `${repository.directory} is not a Git repository with a commit, and ${why}. Name the clone of a catalogue: --repo DIR.`,
      { cause: error },
    );
  }
}

async function openForge(
  repository: Repository,
  settings: ForgeSettings,
  { offline, writes, direct, decides = false }: PromotionReach,
  run: Run,
): Promise<Forge | undefined> {
  if (settings.kind === "none") {
    await warnBehind(repository, run);
    return direct && writes
      ? openDirectForge(repository, await branchOf(repository, run), decides ? DECIDING_BRANCHES : [])
      : openBranchForge(repository, "HEAD");
  }
  if (direct)
    throw new Fault(
      "CONFIGURATION",
      "--direct is for repositories without a forge, and this one is on GitHub: leave it out.",
    );
  if (offline) return undefined;
  const credentials = ["GITHUB_TOKEN", "GH_TOKEN", "KYMA_MODULES_APP_ID"];
  if (!writes && credentials.every((name) => (process.env[name] ?? "") === "")) {
    run.log.warn(
      `GitHub is not asked, since none of ${credentials.join(", ")} is set: merges count from the committers' clocks`,
    );
    return undefined;
  }
  // Octokit takes longer to load than most verdicts take.
  const { openForge: openGithub } = await import("../../systems/github/forge.ts");
  return openGithub({
    repository: settings.repository,
    base: settings.base,
    prefix: await repository.prefix(run),
    variables: process.env,
    cacheFolder: join(environmentFrom(process.env).cacheDir, "kyma-modules", "merges"),
    clock,
  });
}

/** Nothing is fetched here; but what is known to be elsewhere already shall not be overlooked. */
async function warnBehind(repository: Repository, run: Run): Promise<void> {
  const counting = ["rev-list", "--count", "HEAD..@{upstream}"];
  const { code, stdout } = await repository.git(counting, run, { accepted: [128] });
  const behind = stdout.toString().trim();
  if (code === 0 && behind !== "0")
    run.log.warn(`HEAD is ${counted(Number(behind), "commit")} behind its upstream: git pull`);
}

/** The branch that --direct commits to: the one that is checked out, which in a workflow Git does not know. */
async function branchOf(repository: Repository, run: Run): Promise<string> {
  const { stdout, code } = await repository.git(["symbolic-ref", "--quiet", "--short", "HEAD"], run, {
    accepted: [1, 128],
  });
  if (code === 0) return stdout.toString().trim();
  const name = process.env["GITHUB_REF_TYPE"] === "branch" ? process.env["GITHUB_REF_NAME"] : undefined;
  if (name !== undefined) return name;
  throw new Fault(
    "CONFIGURATION",
    "No branch is checked out (HEAD is detached). Switch to the base branch: git switch main.",
  );
}

async function login(repository: Repository, run: Run): Promise<string> {
  const actor = process.env["GITHUB_ACTOR"] ?? "";
  if (actor !== "") return actor;
  const { stdout } = await repository.git(["config", "--get", "github.user"], run, { accepted: [1] });
  const user = stdout.toString().trim();
  if (user !== "") return user;
  throw new Fault("CONFIGURATION", "Who asks for it? Name a login: --by LOGIN, or git config github.user LOGIN.");
}
