import { afterAll, type TestContext } from "vitest";
import type { ClusterSupply, Links } from "../../src/ports.ts";
import { gatherSmoke } from "../../src/smoke/gather.ts";
import type { SmokeStep } from "../../src/catalogue/evidence/evidence.ts";
import type { PathResult, StepResult } from "../../src/smoke/path.ts";
import { smoke } from "../../src/smoke/smoke.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { EMBEDDED_LIMITS, untilComplete } from "../../src/systems/clusters/embedded.ts";
import { type EmbeddedControlPlane, startControlPlane } from "../../src/systems/embedded/controlPlane.ts";
import { directorySource } from "../../src/systems/files/files.ts";
import { openLinks } from "../../src/systems/http/web.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { openCluster } from "../../src/systems/kubernetes/cluster.ts";
import { readKubeconfig } from "../../src/systems/kubernetes/kubeconfig.ts";
import { openRegistry } from "../../src/systems/registry/registry.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import { NO_HISTORY } from "../support/noHistory.ts";
import { quietRun } from "../support/quietRun.ts";
import { openOutside, type Outside } from "../sync/outside.ts";
import { emptyFolder } from "../systems/repository.ts";
import { type SampleVersion, writeModule } from "./sampleModule.ts";

/** A control plane of its own, so that leftovers are detected. */
export interface SmokeServer {
  readonly supply: ClusterSupply;
  /** The same server as its users see it. */
  readonly outside: Outside;
}

/** The control plane of a test file: started by the first test that asks, and stopped after the last. */
export function openSmokeServer(): (context: TestContext) => Promise<SmokeServer> {
  let started: ReturnType<typeof startOne> | undefined;
  afterAll(async () => {
    const server = await started;
    if (server !== undefined && "stop" in server) await server.stop();
  });
  return async (context) => {
    const server = await (started ??= startOne());
    return "skipped" in server ? context.skip(server.skipped) : connect(server);
  };
}

async function startOne(): Promise<EmbeddedControlPlane | { readonly skipped: string }> {
  const binaries = await binariesForTests();
  return "skipped" in binaries ? binaries : startControlPlane({ name: "smoke-tests", binaries }, quietRun());
}

async function connect(server: EmbeddedControlPlane): Promise<SmokeServer> {
  const { kubeconfig } = server;
  const cluster = openCluster(await openAccess({ kubeconfig }, EMBEDDED_LIMITS));
  await untilComplete(cluster, quietRun());
  // What a module left does not hurt the next one: each has names of its own.
  const taken = { cluster, kubeconfig: () => readKubeconfig({ kubeconfig }), giveBack: () => Promise.resolve() };
  const supply: ClusterSupply = {
    ...{ place: "embedded", pods: false, isRenewable: true },
    take: () => Promise.resolve(taken),
    close: () => Promise.resolve(),
  };
  return { supply, outside: openOutside(server) };
}

/** What is tried, and how. */
export interface Tried {
  readonly module: string;
  readonly versions: Readonly<Record<string, SampleVersion>>;
  readonly supply: ClusterSupply;
  /** Other modules of the channels, by name. */
  readonly beside?: Readonly<Record<string, Readonly<Record<string, SampleVersion>>>>;
  /** Only installs, or only upgrades. */
  readonly only?: "installs" | "upgrades";
  readonly onStep?: (result: StepResult) => void;
  readonly links?: Links;
}

/** Tries a sample module on a control plane. */
export async function tryModule(tried: Tried): Promise<readonly PathResult[]> {
  const { module, versions, supply, beside = {}, only, onStep = () => undefined } = tried;
  const folder = emptyFolder();
  for (const [name, itsVersions] of Object.entries({ ...beside, [module]: versions }))
    writeModule(folder, name, itsVersions);
  const run = quietRun();
  const sources = { head: directorySource(folder.path), base: undefined, history: NO_HISTORY, clock: systemClock };
  const gathered = await gatherSmoke({ ...sources, chosen: { kind: "named", modules: [module] }, only: [] }, run);
  if (gathered.kind === "unreadable") throw new Error(JSON.stringify(gathered.findings));
  const paths = gathered.paths.filter(
    ({ from }) => only === undefined || (from === undefined) === (only === "installs"),
  );
  const options = {
    limits: { settleMs: 1_500, holdMs: 1_000, lookMs: 100 },
    concurrency: 1,
    onStep: (_path: unknown, result: StepResult) => {
      onStep(result);
    },
    onRetry: () => undefined,
    onPath: () => undefined,
  };
  const world = {
    ...{ clock: systemClock, supply, manager: undefined, cache: undefined },
    links: () => Promise.resolve(tried.links ?? openLinks({}, { staysOnHost: true })),
    registry: (settings: Parameters<typeof openRegistry>[0]) => Promise.resolve(openRegistry(settings, {})),
  };
  return smoke(paths, gathered, options, world, run);
}

/** What became of each step of a path. */
export function stepsOf(result: PathResult | undefined): Readonly<Partial<Record<SmokeStep, StepResult["result"]>>> {
  return Object.fromEntries(result?.steps.map(({ step, result }) => [step, result]) ?? []);
}

/** The step that failed: its name, its object, and what was said. */
export function failureOf(result: PathResult | undefined): readonly (string | undefined)[] {
  const failure = result?.steps.find(({ result }) => result === "failed");
  return [failure?.step, failure?.object, failure?.said];
}
