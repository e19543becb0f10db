import { shortCommit } from "../../document/printable.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { EVIDENCE_BRANCH } from "../../catalogue/evidence/branch.ts";
import { Fault, type ControllerMetrics, type ControlPlane, type History, type Run, type Source } from "../../ports.ts";
import { publishObserved, type ObservedKeeping, type PublishedObservations } from "../../promote/publish.ts";
import type { FollowedSettingsWorld } from "../../sync/controller/followedSettings.ts";
import { once } from "../../sync/controller/once.ts";
import type { KeptLandscape } from "../../sync/controller/passes.ts";
import type { SeenEvidence } from "../../sync/controller/publisher.ts";
import { Revisions, whyNothing, type ServableCommit } from "../../sync/controller/revisions.ts";
import { EarlierUsers } from "../../sync/earlier.ts";
import { gitVariables, parseGitAddress } from "../../sync/install/git.ts";
import { refuseForeign } from "../../sync/recordStore.ts";
import { CAREFUL, type Ancestry, type PlanOptions } from "../../sync/plan/input.ts";
import { prepare } from "../../sync/prepare.ts";
import { compileTarget } from "../../sync/target.ts";
import { compareAncestry } from "../../systems/git/ancestry.ts";
import { gitHistory } from "../../systems/git/history.ts";
import { openUpstream, type UpstreamClone } from "../../systems/git/upstream.ts";
import { openAppSignIn } from "../../systems/github/appToken.ts";
import { API_URL } from "../../systems/github/forge.ts";
import type { OpenMetrics } from "../../systems/metrics.ts";
import { openControllerServer, type ControllerServerOptions } from "../../systems/http/server.ts";
import { planRequest, planWorld, repositoryIdentity, type SyncScope } from "./sync.ts";
import { clock, connect } from "./systems.ts";

export { keepMemoryLow } from "../../systems/memory.ts";

/** The repository that the controller follows, and how it reads it. */
export interface ControllerSource {
  /** The folder that relative kubeconfigs are relative to. */
  readonly repo: string;
  /** The address or path of the repository. */
  readonly git: string;
  readonly branch: string;
  /** The folder of the catalogue in the repository. */
  readonly path?: string | undefined;
  readonly cache?: string | undefined;
  readonly allowedSigners?: string | undefined;
  readonly gnupgHome?: string | undefined;
  readonly withoutRegistry: boolean;
  /** Use the cluster that this program runs in as the control plane, instead of the one in the settings. */
  readonly inCluster: boolean;
}

/** The followed repository, and the means to keep landscapes in sync with it. */
export interface OpenController {
  readonly upstream: UpstreamClone;
  /** See `FollowedSettingsWorld`. */
  readonly settingsAt: FollowedSettingsWorld["settingsAt"];
  /**
   * Publishes evidence on contents of the commit whose settings are followed.
   * Throws CONFIGURATION if another repository owns the landscape's records.
   */
  publish(seen: SeenEvidence, commit: string | undefined, run: Run): Promise<PublishedObservations>;
  /** Opens a landscape to keep. */
  kept(landscape: Landscape, branch: FollowedBranch): Promise<KeptLandscape>;
}

/** The followed branch. */
export interface FollowedBranch {
  /** Its current commit. */
  readonly tip: () => string | undefined;
  /** Asks for a fetch. */
  readonly fetchSoon: () => void;
}

/** How long the generation of a lifecycle-manager is cached, in milliseconds. */
const TARGET_MS = 600_000;
/** How many commits are searched for a servable one. */
const BACK = 50;

/**
 * Opens the repository for the controller, without any request yet. `metrics` counts the requests to control planes.
 */
export function openController(source: ControllerSource, metrics: Pick<ControllerMetrics, "asked">): OpenController {
  const { url, branch, path, cache, signers } = controllerUpstream(source);
  const { signIn, variables } = gitAccess(url, process.env);
  const upstream = openUpstream({ url, branch, signers, ...path, ...cache, ...signIn }, variables);
  const reading = readOnce(upstream);
  const requiresSignatures = Object.keys(signers).length > 0;
  const commits = (commit: string): Source => upstream.source(commit);
  const { ancestry } = reading;
  const keeping: ObservedKeeping = {
    ...{ clock, ...upstream.keptBranch(EVIDENCE_BRANCH), chance: Math.random },
    firstParents: (commit, run) => upstream.repository.firstParents(commit, run),
  };
  const revisions = new Revisions({ upstream, clock, requiresSignatures, source: commits, ancestry });
  return {
    upstream,
    settingsAt: async (tip, before, run) => {
      const choice = await revisions.choose(tip, before, run);
      const serves =
        choice.serves ?? (before === undefined ? await servableBefore(upstream, revisions, tip, run) : undefined);
      if (serves !== undefined) return { commit: serves.commit, landscapes: serves.catalogue.settings.landscapes };
      return choice.held ?? { commit: tip, reason: whyNothing(choice), remedy: "" };
    },
    publish: async ({ landscape, repository, evidence }, commit, run) => {
      const serves = commit === undefined ? undefined : (await revisions.choose(commit, commit, run)).serves;
      if (serves === undefined) throw new Fault("CONFIGURATION", "No commit of the branch may be served.");
      const wanted = { landscape, repository: await reading.identity(serves.catalogue, run) };
      refuseForeign({ landscape, repository }, wanted, landscape);
      return publishObserved({ evidence, catalogue: serves.catalogue }, keeping, run);
    },
    kept: async (landscape, { tip, fetchSoon }) => {
      const address = source.inCluster ? ({ inCluster: true } as const) : landscape.controlPlane;
      const controlPlane = await connect(address, source.repo, (verb, code) => {
        metrics.asked(landscape.name, verb, code);
      });
      return {
        ...{ name: landscape.name, namespace: landscape.namespace, controlPlane },
        choose: (recorded, run) => {
          const at = tip();
          return at === undefined ? Promise.resolve(undefined) : revisions.choose(at, recorded, run);
        },
        fetchSoon,
        prepare: planner(landscape, { source, upstream, reading, controlPlane }),
      };
    },
  };
}

/**
 * How Git signs in: by its own credentials, or, over https, by the token of the GitHub App in the environment. That is
 * kept in a file, as Git's helper reads it.
 */
function gitAccess(url: string, variables: NodeJS.ProcessEnv) {
  const address = parseGitAddress(url);
  if (address?.transport !== "https") return { variables };
  const { host, pathname } = new URL(url);
  const apiUrl = variables["GITHUB_API_URL"] ?? (host === "github.com" ? API_URL : `https://${host}/api/v3`);
  const repository = pathname.replace(/^\/|\/$|\.git$/g, "");
  const app = openAppSignIn({ apiUrl, repository, variables });
  if (app === undefined) return { variables };
  return { variables: { ...variables, ...gitVariables(address, app.folder) }, signIn: { signIn: app.signIn } };
}

function controllerUpstream({ git: url, branch, path, cache, allowedSigners, gnupgHome }: ControllerSource) {
  return {
    ...{ url, branch },
    path: path === undefined ? {} : { path },
    cache: cache === undefined ? {} : { cache },
    signers: { ...(allowedSigners !== undefined && { allowedSigners }), ...(gnupgHome !== undefined && { gnupgHome }) },
  };
}

/** Reads of the clone that are cached by commit, for all landscapes. */
interface CommitReading {
  readonly ancestry: (commit: string, recorded: string, run: Run) => Promise<Ancestry>;
  readonly identity: (catalogue: Catalogue, run: Run) => Promise<string>;
  readonly history: History;
}

function readOnce({ repository: git }: UpstreamClone): CommitReading {
  const log = gitHistory(git);
  return {
    ancestry: once(
      (commit, recorded, run) => compareAncestry(git, commit, recorded, run),
      (commit, recorded) => `${commit} ${recorded}`,
    ),
    identity: once(
      (catalogue, run) => repositoryIdentity(catalogue, git, run),
      ({ settings }) => JSON.stringify(settings.forge),
    ),
    history: {
      ...log,
      // It holds all contents that channels served. Passes that follow each other share it; a controller at rest lets go.
      read: once(
        (revision, scope, run) => log.read(revision, scope, run),
        (revision, scope) => `${revision} ${JSON.stringify(scope)}`,
        (answer) => new WeakRef(answer),
      ),
    },
  };
}

interface PlannerContext {
  readonly source: ControllerSource;
  readonly upstream: UpstreamClone;
  readonly reading: CommitReading;
  readonly controlPlane: ControlPlane;
}

/** Plans a landscape for the controller. */
function planner(
  landscape: Landscape,
  { source, upstream, reading, controlPlane }: PlannerContext,
): KeptLandscape["prepare"] {
  const target = once(
    (run: Run) => compileTarget(landscape, controlPlane, run),
    () => String(Math.floor(clock.nowMs() / TARGET_MS)),
  );
  const { history, ancestry, identity } = reading;
  const users = new EarlierUsers(clock);
  const { prune, maxPrune } = landscape;
  // Unused templates are always pruned. Everything else is pruned only if the settings allow it.
  const own: PlanOptions = { ...CAREFUL, prune, pruneTemplates: true, maxPart: maxPrune };
  return async ({ commit, catalogue }, look, allowed, run) => {
    // A plan would remove everything that the landscape serves.
    if (!catalogue.settings.landscapes.some(({ name }) => name === landscape.name))
      throw new Fault(
        "CONFIGURATION",
        `kyma-modules.yaml of ${shortCommit(commit)} has no landscape ${landscape.name}.`,
      );
    const scope: SyncScope = {
      ...{ repository: source.repo, git: upstream.repository, catalogue, withoutRegistry: source.withoutRegistry },
      ...{ revision: { commit, recorded: commit }, identity: await identity(catalogue, run) },
    };
    const options = allowed === undefined ? own : { ...own, ...allowed, prune: own.prune || allowed.prune };
    const request = planRequest(scope, landscape, await target(run), options);
    const ancestors = (recorded: string): Promise<Ancestry> => ancestry(commit, recorded, run);
    const world = planWorld(scope, landscape, look, { history, users });
    return prepare(request, { ...world, ancestry: ancestors }, run);
  };
}

/** Opens new metrics. */
export async function openMetrics(): Promise<OpenMetrics> {
  return (await import("../../systems/metrics.ts")).openMetrics();
}

/** Serves probes, metrics and the webhook, whose secret comes from the environment. */
export function openServer(
  options: Omit<ControllerServerOptions, "hookSecret">,
  run: Run,
): ReturnType<typeof openControllerServer> {
  return openControllerServer({ ...options, hookSecret: process.env["KYMA_MODULES_WEBHOOK_SECRET"] }, run);
}

/** The newest commit before `tip` that may be served by itself. */
async function servableBefore(
  { repository }: UpstreamClone,
  revisions: Revisions,
  tip: string,
  run: Run,
): Promise<ServableCommit | undefined> {
  const commits = await repository.lines(["rev-list", "--first-parent", "--skip=1", `--max-count=${BACK}`, tip], run);
  for (const commit of commits) {
    const { serves } = await revisions.choose(commit, undefined, run);
    if (serves !== undefined) return serves;
  }
  return undefined;
}
