import { join } from "node:path";
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
import { behindUpstream, keptTips } from "../../systems/git/kept.ts";
import { openDirectForge } from "../../systems/git/direct.ts";
import { textDiff } from "../../systems/textDiff.ts";
import type { BumpWorld } from "../../promote/bump/bump.ts";
import { openCheck, type CheckPorts } from "./compose.ts";
import { clock, openRepository } from "./systems.ts";

/** The ports of `promote` and related commands. */
export interface PromotionPorts {
  readonly world: PromotionWorld;
  readonly check: CheckPorts;
  /**
   * Runs `work` with the gate for changes to the gathered catalogue. The gate contacts no registry: the checks of the
   * pull request do.
   */
  withGate<T>(gathered: Gathered, work: (gate: Gate["judge"]) => Promise<T>): Promise<T>;
  /** Makes a unified diff; `before` is `undefined` for a new file. */
  readonly diff: (path: string, before: string | undefined, after: string, run: Run) => Promise<string>;
  /** Opens the webhook at the address in an environment variable. Throws CONFIGURATION if the variable holds none. */
  readonly openWebhook: (variable: string) => Promise<Webhook>;
}

/** The ports of `history` and other readers. */
export interface HistoryPorts extends PromotionPorts {
  /** The web address of the forge, without a trailing slash. */
  readonly forgeUrl: string;
}

/** The ports of `bump`. */
export interface BumpPorts extends Pick<PromotionPorts, "diff"> {
  /** The gate. */
  readonly check: CheckPorts;
  readonly bump: BumpWorld;
}

/** Options of the ports for promotions: whether they may contact the forge, write, and commit. */
interface PromotionOptions {
  /** Do not contact the forge. */
  readonly offline: boolean;
  /** The command writes, so that a forge needs credentials. */
  readonly writes: boolean;
  /** Without a forge: commit directly to the base branch. */
  readonly direct: boolean;
  /** The command decides by evidence and proposed holds: refuse direct commits while the remote has more of them. */
  readonly decides?: boolean;
}

/** The branches with evidence and proposed holds. */
const DECIDING_BRANCHES = [EVIDENCE_BRANCH, "hold/*", "withdraw/*"];

/**
 * Opens the ports to decide on promotions in the repository of a folder, and to carry them out, by the clock `on`. Git
 * runs with the environment `variables` in addition.
 */
export function openPromotion(
  directory: string,
  options: PromotionOptions,
  on: Clock = clock,
  variables: Readonly<Record<string, string>> = {},
): HistoryPorts {
  return promotionIn(openRepository(directory).with(variables), options, on);
}

function promotionIn(repository: Repository, options: PromotionOptions, on: Clock): HistoryPorts {
  const check = openCheck(repository, on);
  return {
    check,
    withGate: (gathered, work) => withGate(check, gathered, work),
    world: {
      clock: on,
      history: gitHistory(repository),
      source: (revision) => revisionSource(repository, revision),
      resolve: (revision, run) => resolve(repository, revision, run),
      openForge: (settings, run) => openForge(repository, settings, options, run),
      namedFiles: check.namedFiles,
      uncommitted: (run) => check.uncommitted(run),
      evidenceTips: (run) =>
        keptTips(repository, EVIDENCE_BRANCH, { branches: DECIDING_BRANCHES, isOffline: options.offline }, run),
      login: (run) => login(repository, run),
    },
    diff: textDiff(repository),
    openWebhook: async (variable) => (await import("../../systems/http/web.ts")).openWebhook(variable, process.env),
    // Workflows set it, also on GitHub Enterprise Server.
    forgeUrl: process.env["GITHUB_SERVER_URL"] ?? "https://github.com",
  };
}

/** Opens the ports to bump a version in the repository of a folder. */
export function openBump(directory: string): BumpPorts {
  const repository = openRepository(directory);
  const { check, world, diff } = promotionIn(repository, { offline: false, writes: true, direct: false }, clock);
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

/** Opens the ports to read promotions, without writing. */
export function openReading({ repo, offline }: { readonly repo: string; readonly offline: boolean }): HistoryPorts {
  return openPromotion(repo, { offline, writes: false, direct: false });
}

/** Implements `PromotionPorts.withGate` with the ports of `check`. */
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
    const why = "its history tells what channels served, and since when";
    throw new Fault(
      "CONFIGURATION",
      `${repository.directory} is not a Git repository with a commit, but ${why}. Commit the catalogue, or name its clone: --repo DIR.`,
      { cause: error },
    );
  }
}

/** Without a forge, a proposal is a branch of the clone, or a commit to the base branch. */
async function openGitForge(
  repository: Repository,
  { writes, direct, decides }: Required<Omit<PromotionOptions, "offline">>,
  run: Run,
): Promise<Forge> {
  const behind = await behindUpstream(repository, run);
  // A direct commit asks the remote itself.
  if (behind !== undefined && decides && writes && !direct)
    throw new Fault("FORGE_CONFLICT", `${behind.what}, and what is missing may change the decision: ${behind.remedy}`);
  if (behind !== undefined) run.log.warn(`${behind.what}: ${behind.remedy}`);
  return direct && writes
    ? openDirectForge(repository, await promotionBase(repository, run), decides ? DECIDING_BRANCHES : [])
    : openBranchForge(repository, "HEAD");
}

async function openForge(
  repository: Repository,
  settings: ForgeSettings,
  { offline, writes, direct, decides = false }: PromotionOptions,
  run: Run,
): Promise<Forge | undefined> {
  if (settings.kind === "none") return openGitForge(repository, { writes, direct, decides }, run);
  if (direct)
    throw new Fault(
      "CONFIGURATION",
      "--direct is for repositories without a forge, but this one is on GitHub. Omit it.",
    );
  if (offline) return undefined;
  const credentials = ["GITHUB_TOKEN", "GH_TOKEN", "KYMA_MODULES_APP_ID"];
  if (!writes && credentials.every((name) => (process.env[name] ?? "") === "")) {
    run.log.warn(
      `GitHub is not contacted, because none of ${credentials.join(", ")} is set: merge times come from the committers' clocks`,
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

/**
 * The branch for --direct: the one that is checked out. In a workflow HEAD is detached, and the environment names the
 * branch.
 */
async function promotionBase(repository: Repository, run: Run): Promise<string> {
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
  throw new Fault(
    "CONFIGURATION",
    "The login of the requester is unknown. Name it: --by LOGIN, or git config github.user LOGIN.",
  );
}
