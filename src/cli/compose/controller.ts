import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { CompileTarget } from "../../catalogue/compile.ts";
import { parse } from "../../catalogue/parse.ts";
import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import type { History, Run } from "../../ports.ts";
import type { KeptLandscape } from "../../sync/controller/controller.ts";
import { Revisions, type Revision } from "../../sync/controller/revisions.ts";
import { CAREFUL, type PlanOptions } from "../../sync/plan/input.ts";
import { prepare } from "../../sync/prepare.ts";
import { targetOf } from "../../sync/target.ts";
import { ancestryOf } from "../../systems/git/ancestry.ts";
import { openUpstream, type UpstreamClone } from "../../systems/git/upstream.ts";
import type { OpenMetrics } from "../../systems/metrics.ts";
import { openControllerServer, type ControllerServerOptions } from "../../systems/http/server.ts";
import { planRequest, planWorld, repositoryIdentity, type SyncScope } from "./sync.ts";
import { clock, connect } from "./systems.ts";

/** What the controller follows. */
export interface ControllerSource {
  /** The folder that relative kubeconfigs are relative to. */
  readonly repo: string;
  /** The address or path of the repository. */
  readonly git: string;
  readonly branch: string;
  /** The folder of the catalogue in it. */
  readonly path?: string | undefined;
  readonly cache?: string | undefined;
  readonly allowedSigners?: string | undefined;
  readonly gnupgHome?: string | undefined;
  readonly withoutRegistry: boolean;
  /** The control plane is the cluster that this program runs in, whatever the settings say. */
  readonly inCluster: boolean;
}

/** The repository that is followed, and how landscapes are kept as it says. */
export interface OpenController {
  readonly upstream: UpstreamClone;
  readonly revisions: Revisions;
  /** The landscapes that the newest readable settings name, from `tip` back. */
  landscapesAt(tip: string, run: Run): Promise<readonly Landscape[]>;
  /** A landscape to keep; `tip` gives the commit that the branch is at. */
  kept(landscape: Landscape, tip: () => string | undefined): Promise<KeptLandscape>;
}

/** How long the generation of a lifecycle-manager is known. Milliseconds. */
const TARGET_MS = 600_000;
/** How far back readable settings are looked for. Commits. */
const BACK = 50;

/** Opens what the controller stands on. Nothing is asked yet. */
export function openController(source: ControllerSource): OpenController {
  const { allowedSigners, gnupgHome } = source;
  const requiresSignatures = allowedSigners !== undefined || gnupgHome !== undefined;
  const upstream = openUpstream(
    {
      ...{ url: source.git, branch: source.branch },
      ...(source.path !== undefined && { path: source.path }),
      ...(source.cache !== undefined && { cache: source.cache }),
      signers: {
        ...(allowedSigners !== undefined && { allowedSigners }),
        ...(gnupgHome !== undefined && { gnupgHome }),
      },
    },
    process.env,
  );
  const git = upstream.repository;
  const ancestry = remembered((commit: string, recorded: string, run: Run) => ancestryOf(git, commit, recorded, run));
  const world = { upstream, requiresSignatures, source: (commit: string) => upstream.source(commit), ancestry };
  const revisions = new Revisions(world);
  return {
    upstream,
    revisions,
    landscapesAt: (tip, run) => landscapesAt(upstream, tip, run),
    kept: async (landscape, tip) => {
      const address = source.inCluster ? ({ inCluster: true } as const) : landscape.controlPlane;
      const controlPlane = await connect(address, source.repo);
      const target = lasting((run) => targetOf(landscape, controlPlane, run));
      let history: History | undefined;
      return {
        ...{ name: landscape.name, namespace: landscape.namespace, controlPlane },
        choose: (recorded, run) => {
          const at = tip();
          return at === undefined ? Promise.resolve(undefined) : revisions.choose(at, recorded, run);
        },
        prepare: async (revision, look, run) => {
          const scope = await scopeOf(revision, source, upstream, run);
          const planning = planWorld(scope, landscape, controlPlane);
          history ??= rememberedHistory(planning.history);
          const request = planRequest(scope, landscape, await target(run), optionsOf(landscape));
          const ancestors = (recorded: string): ReturnType<typeof ancestry> => ancestry(revision.commit, recorded, run);
          return prepare(request, { ...planning, look, history, ancestry: ancestors }, run);
        },
      };
    },
  };
}

/** Metrics that nothing has happened to yet. */
export async function openMetrics(): Promise<OpenMetrics> {
  return (await import("../../systems/metrics.ts")).openMetrics();
}

/** Serves probes, metrics and the webhook, whose secret the environment has. */
export function openServer(
  options: Omit<ControllerServerOptions, "hookSecret">,
  run: Run,
): ReturnType<typeof openControllerServer> {
  return openControllerServer({ ...options, hookSecret: process.env["KYMA_MODULES_WEBHOOK_SECRET"] }, run);
}

/** Templates that nobody uses go by themselves; what users may hang on goes where the settings say so. */
function optionsOf({ prune, maxPrune }: Landscape): PlanOptions {
  return { ...CAREFUL, prune, pruneTemplates: true, maxPart: maxPrune };
}

async function scopeOf(
  { commit, catalogue }: Revision,
  { repo, withoutRegistry }: ControllerSource,
  { repository: git }: UpstreamClone,
  run: Run,
): Promise<SyncScope> {
  const identity = await identityOf(catalogue, git, run);
  return { repository: repo, git, catalogue, revision: { commit, recorded: commit }, identity, withoutRegistry };
}

const IDENTITIES = new WeakMap<Catalogue, Promise<string>>();

function identityOf(catalogue: Catalogue, git: UpstreamClone["repository"], run: Run): Promise<string> {
  const identity = IDENTITIES.get(catalogue) ?? repositoryIdentity(catalogue, git, run);
  IDENTITIES.set(catalogue, identity);
  identity.catch(() => IDENTITIES.delete(catalogue));
  return identity;
}

async function landscapesAt(upstream: UpstreamClone, tip: string, run: Run): Promise<readonly Landscape[]> {
  const commits = await upstream.repository.lines(["rev-list", "--first-parent", `--max-count=${BACK}`, tip], run);
  for (const commit of commits) {
    const { files } = await upstream.source(commit).snapshot((path) => path === SETTINGS_PATH, run);
    const parsing = parse(commit, files);
    if (parsing.kind === "catalogue") return parsing.catalogue.settings.landscapes;
    if (parsing.readable.settings.landscapes.length > 0) return parsing.readable.settings.landscapes;
  }
  return [];
}

/** Answers about commits do not change. */
function remembered<T>(
  ask: (commit: string, recorded: string, run: Run) => Promise<T>,
): (commit: string, recorded: string, run: Run) => Promise<T> {
  let last: { readonly key: string; readonly answer: Promise<T> } | undefined;
  return (commit, recorded, run) => {
    const key = `${commit} ${recorded}`;
    if (last?.key !== key) last = { key, answer: ask(commit, recorded, run) };
    return settledOr(last.answer, () => {
      last = undefined;
    });
  };
}

/** A history that was read up to a commit is read no more. */
function rememberedHistory(history: History): History {
  let last: { readonly key: string; readonly answer: ReturnType<History["read"]> } | undefined;
  return {
    ...history,
    read: (revision, scope, run) => {
      const key = `${revision} ${JSON.stringify(scope)}`;
      if (last?.key !== key) last = { key, answer: history.read(revision, scope, run) };
      return settledOr(last.answer, () => {
        last = undefined;
      });
    },
  };
}

/** An answer that is asked for anew once it is too old. */
function lasting(ask: (run: Run) => Promise<CompileTarget>): (run: Run) => Promise<CompileTarget> {
  let last: { readonly atMs: number; readonly answer: Promise<CompileTarget> } | undefined;
  return (run) => {
    if (last === undefined || clock.nowMs() - last.atMs > TARGET_MS) last = { atMs: clock.nowMs(), answer: ask(run) };
    return settledOr(last.answer, () => {
      last = undefined;
    });
  };
}

/** What failed is not remembered. */
async function settledOr<T>(answer: Promise<T>, forget: () => void): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    forget();
    throw error;
  }
}
