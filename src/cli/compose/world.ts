import { join } from "node:path";
import type { StartedTrial } from "../../check/compatibility/reproduce.ts";
import type { OpenCheckWorld } from "../../check/gather/gather.ts";
import type { AskUnearned } from "../../check/gather/unearned.ts";
import type { OutsideClients, ServerOpinion } from "../../check/gather/outside.ts";
import type { Clock, Run, TrialServer } from "../../ports.ts";
import { systemClock } from "../../systems/clock.ts";
import type { openAccess } from "../../systems/kubernetes/access.ts";
import { environmentFrom } from "../../systems/environment.ts";
import { gitHistory } from "../../systems/git/history.ts";
import type { Repository } from "../../systems/git/repository.ts";
import { revisionSource } from "../../systems/git/revision.ts";
import { openValidator } from "../../systems/validator.ts";
import { rememberVerdicts } from "../../systems/validator/verdictCache.ts";

/** The systems that the gate may contact. */
export interface WorldOptions {
  /** Do not contact the registry, links and source repositories. */
  readonly offline: boolean;
  /** An additional API server to ask: `embedded`, or `context:NAME`. */
  readonly server?: string | undefined;
}

/** Opens the systems that the gate reads about `repository`. Each system starts when it is first needed. */
export async function openWorld(
  repository: Repository,
  { offline, server }: WorldOptions,
  run: Run,
  clock: Clock = systemClock,
): Promise<OpenCheckWorld> {
  const { cacheDir } = environmentFrom(process.env);
  const validator = rememberVerdicts(openValidator(), { folder: join(cacheDir, "kyma-modules", "verdicts") });
  const trial = server === undefined ? undefined : await openTrial(server, run);
  const whom = offline
    ? ({ kind: "not-asked", why: "no server was contacted (--offline)" } as const)
    : openOutside(repository);
  return {
    clock,
    validator,
    history: gitHistory(repository),
    unearned: (...question) => askPromotion(repository, clock, ...question),
    outside: { ...whom, ...(trial && { server: trial.opinion }) },
    close: async () => {
      await Promise.all([validator.close(), trial?.stop()]);
    },
  };
}

/** Loads promotion only for changes that promote by hand. */
async function askPromotion(
  repository: Repository,
  clock: Clock,
  ...[base, steps, run]: Parameters<AskUnearned>
): ReturnType<AskUnearned> {
  const { unearnedSteps } = await import("../../promote/unearned.ts");
  const world = {
    clock,
    history: gitHistory(repository),
    source: (revision: string) => revisionSource(repository, revision),
    resolve: (revision: string, of: Run) => repository.resolve(revision, of),
  };
  return unearnedSteps(base, steps, world, run);
}

/** The clients take longer to load than most checks run, so they are loaded on the first request. */
function openOutside(repository: Repository): OutsideClients {
  return {
    kind: "asked",
    registry: async (settings) =>
      (await import("../../systems/registry/registry.ts")).openRegistry(settings, process.env),
    links: async () => (await import("../../systems/http/web.ts")).openLinks(process.env),
    releases: async () => (await import("../../systems/git/releases.ts")).gitReleases(repository),
  };
}

interface OpenTrial {
  readonly opinion: ServerOpinion;
  readonly stop: () => Promise<void>;
}

async function openTrial(server: string, run: Run): Promise<OpenTrial> {
  if (server.startsWith("context:")) {
    const trial = await serverAt({ context: server.slice("context:".length) }, false);
    return { opinion: serverOpinion(trial), stop: () => Promise.resolve() };
  }
  const { server: trial, stop } = await startTrial(run);
  return { opinion: serverOpinion(trial), stop };
}

async function serverAt(address: Parameters<typeof openAccess>[0], mayInstall: boolean): Promise<TrialServer> {
  const [access, { trialServer }] = await Promise.all([
    import("../../systems/kubernetes/access.ts"),
    import("../../systems/kubernetes/trial.ts"),
  ]);
  return trialServer(await access.openAccess(address), mayInstall);
}

/** Starts a throw-away API server. */
export async function startTrial(run: Run): Promise<StartedTrial> {
  const [{ findBinaries }, { startControlPlane }] = await Promise.all([
    import("../../systems/embedded/binaries.ts"),
    import("../../systems/embedded/controlPlane.ts"),
  ]);
  const binaries = await findBinaries(
    environmentFrom(process.env),
    (line) => {
      run.log.info(line);
    },
    run,
  );
  const started = await startControlPlane({ name: "check", binaries }, run);
  return { server: await serverAt({ kubeconfig: started.kubeconfig }, true), stop: () => started.stop() };
}

/** The default CR is judged together with the manifest, which defines its kind. */
function serverOpinion(trial: TrialServer): ServerOpinion {
  return async ({ object }, { objects }, run) => {
    const defaultCr = object.spec["data"];
    const asked = objects.map(({ value }): unknown => value);
    const verdicts = await trial.judge(defaultCr === undefined ? asked : [...asked, defaultCr], run);
    return verdicts.map((verdict, index) => ({ index: index < objects.length ? index : -1, verdict }));
  };
}
