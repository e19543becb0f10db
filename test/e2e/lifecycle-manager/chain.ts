import { expect, type TestContext } from "vitest";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import type { Ended } from "../../cli/program.ts";
import { kymaIn } from "../../cli/promoting.ts";
import {
  choose,
  managerForTests,
  registerCluster,
  startManager,
  startPlane,
  type Manager,
  type Plane,
  type RunningManager,
} from "../../support/lifecycleManager.ts";
import { publish, startRegistry, type OciRegistry } from "../../support/ociFixture.ts";
import { filesOf, type Sample } from "../../sync/catalogueFiles.ts";
import { pathOf, type Outside } from "../../sync/outside.ts";
import { worldIn, type World } from "../../sync/world.ts";
import { emptyRepository, type Folder } from "../../systems/repository.ts";
import { keepDeployments } from "./deployments.ts";
import { look, type Seen } from "./look.ts";
import { componentOf, templateSpec } from "./sampleModule.ts";

/** The whole chain from a commit to running clusters. Only the pods are simulated. */
export interface Chain {
  readonly manager: Manager;
  /** Host and port of the registry. */
  readonly registry: string;
  readonly repository: Folder;
  /** Commits the wanted versions: channel to module to version. The channel `must` is mandatory. */
  readonly commit: (channels: Versions) => string;
  /** Pushes versions of a module to the registry. */
  readonly publish: (module: string, ...versions: readonly string[]) => Promise<void>;
  /** Versions of a module whose pods never become ready. */
  readonly breakVersion: (module: string, version: string) => void;
  /** Runs the program on the repository. */
  readonly kyma: (...args: readonly string[]) => Promise<Ended>;
  /** Waits until `status` of dev contains all of this. A state counts once it is stable for a while. */
  readonly tells: (code: number, ...said: readonly RegExp[]) => Promise<void>;
  /** The control plane of a landscape. */
  readonly world: (landscape: string) => World;
  /** From now on, lifecycle-manager hears nothing of changes on clusters: it keeps a state until it looks again. */
  readonly silenceWatchers: () => void;
  /** The lifecycle-manager of a landscape. */
  readonly managerOf: (landscape: string) => RunningManager;
  readonly cluster: (name: string) => ChainCluster;
}

type Versions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A cluster that lifecycle-manager manages. */
export interface ChainCluster extends Plane {
  readonly kcp: Plane;
  /** The modules that the user of the cluster enables: module to channel. */
  readonly choose: (channels: Readonly<Record<string, string>>) => Promise<void>;
  readonly look: (module: string) => Promise<Seen>;
  /** Waits until a module is in a state, and prints how long it took. */
  readonly until: (module: string, expected: Partial<Seen>) => Promise<void>;
  /** Asserts that a module keeps a state for a while. */
  readonly stays: (module: string, expected: Partial<Seen>) => Promise<void>;
}

/** Landscape to the names of its clusters, in roll-out order; all but the first wait according to `after`. */
type Layout = Readonly<Record<string, readonly string[]>>;

const PATIENCE_MS = 120_000;
/** The time for which a state must be stable: longer than lifecycle-manager takes to act on a change. */
const QUIET_MS = 8_000;
const LOOK_MS = 300;
/** The name of the mandatory channel. */
const MUST = "must";

/** Starts the chain; skips the test if something is missing. Stops with the test. */
export async function openChain(context: TestContext, layout: Layout, after?: object): Promise<Chain> {
  const startedMs = performance.now();
  const manager = managerForTests(context);
  const registry = await startRegistry(context);
  const broken = new Set<string>();
  const watchers = { areAwake: true };
  const ground: Ground = { manager, registry, broken, watchers };
  const opened = await Promise.all(
    Object.entries(layout).map(([name, clusters]) => openLandscape(name, clusters, ground, context)),
  );
  const worlds = new Map(
    await Promise.all(opened.map(async ({ kcp }) => [kcp.name, await worldIn("kcp-system", kcp.access)] as const)),
  );
  const clusters = new Map(opened.flatMap((one) => one.clusters.map((cluster) => [cluster.name, cluster] as const)));
  const managers = new Map(opened.map(({ kcp, running }) => [kcp.name, running] as const));
  const repository = emptyRepository();
  const settings = settingsOf(
    opened.map(({ kcp }) => kcp),
    ground,
    after,
  );
  const kyma = (...args: readonly string[]): Promise<Ended> => kymaIn(repository.path, args);
  say("the chain is ready", startedMs);
  return {
    manager,
    registry: registry.host,
    repository,
    commit: (channels) => {
      repository.remove("channels");
      repository.write(catalogueFiles(channels, settings, registry.host));
      return repository.commit();
    },
    publish: async (module, ...versions) => {
      for (const version of versions) await publish(registry, componentOf(module, version));
    },
    breakVersion: (module, version) => broken.add(`example.com/${module}-manager:${version}`),
    kyma,
    tells: async (code, ...said) => {
      // Up to 1.7, a Kyma without certificates of cert-manager is in Error and reconciled every 2 s: no state is stable.
      if (manager.generation === "channel-templates") return;
      for (const pattern of said)
        await expect
          .poll(() => kyma("status", "--landscape", "dev"), { timeout: PATIENCE_MS, interval: LOOK_MS })
          .toMatchObject({ code, stdout: expect.stringMatching(pattern) as string });
    },
    world: (landscape) => known(worlds, landscape),
    managerOf: (landscape) => known(managers, landscape),
    silenceWatchers: () => {
      watchers.areAwake = false;
    },
    cluster: (name) => known(clusters, name),
  };
}

function known<T>(all: ReadonlyMap<string, T>, name: string): T {
  const found = all.get(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

interface Ground {
  readonly manager: Manager;
  readonly registry: OciRegistry;
  readonly broken: ReadonlySet<string>;
  readonly watchers: { areAwake: boolean };
}

interface OpenedLandscape {
  readonly kcp: Plane;
  readonly running: RunningManager;
  readonly clusters: readonly ChainCluster[];
}

async function openLandscape(
  name: string,
  clusters: readonly string[],
  { manager, registry, broken, watchers }: Ground,
  context: TestContext,
): Promise<OpenedLandscape> {
  const [kcp, ...runtimes] = await Promise.all([name, ...clusters].map((one) => startPlane(one, context)));
  if (kcp === undefined) throw new Error("there is no control plane");
  for (const runtime of runtimes)
    keepDeployments(runtime.outside, broken, async () => {
      if (watchers.areAwake) await touchManifests(runtime, kcp);
    });
  const running = await startManager(manager, registry.host, kcp);
  await Promise.all(runtimes.map((runtime) => registerCluster(runtime, kcp)));
  return { kcp, running, clusters: runtimes.map((runtime) => clusterOf(runtime, kcp)) };
}

/** Replaces the watcher on a cluster, which has no pod here: lifecycle-manager checks its Manifests at once. */
async function touchManifests({ name }: Plane, { outside }: Plane): Promise<void> {
  const selector = `operator.kyma-project.io/kyma-name=${name}`;
  const { body } = await outside.send("GET", `${pathOf("manifests", "kcp-system")}?labelSelector=${selector}`);
  for (const { metadata } of (body["items"] ?? []) as readonly KubernetesObject[])
    await touch(outside, pathOf("manifests", "kcp-system", metadata.name));
}

/** Makes lifecycle-manager reconcile an object, which it otherwise does every 5 minutes if all is Ready. */
async function touch(outside: Outside, path: string): Promise<void> {
  const labels = { "example.com/touched": String(Date.now()) };
  await outside.send("PATCH", path, { metadata: { labels } }, "merge-patch");
}

function clusterOf(plane: Plane, kcp: Plane): ChainCluster {
  const lookAt = (module: string): Promise<Seen> => look(plane, kcp, module);
  return {
    ...plane,
    kcp,
    choose: async (channels) => {
      await choose(plane.outside, channels);
      await touch(kcp.outside, pathOf("kymas", "kcp-system", plane.name));
    },
    look: lookAt,
    until: async (module, expected) => {
      const startedMs = performance.now();
      await expect.poll(() => lookAt(module), { timeout: PATIENCE_MS, interval: LOOK_MS }).toMatchObject(expected);
      say(`${module} on ${plane.name}: ${JSON.stringify(expected)}`, startedMs);
    },
    stays: async (module, expected) => {
      for (
        const endMs = Date.now() + QUIET_MS;
        Date.now() < endMs;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      )
        expect(await lookAt(module)).toMatchObject(expected);
    },
  };
}

/** Prints a duration in the output of the test. */
function say(what: string, sinceMs: number): void {
  console.log(`${((performance.now() - sinceMs) / 1000).toFixed(1).padStart(6)} s  ${what}`);
}

interface Settings {
  readonly landscapes: readonly { readonly name: string }[];
}

function settingsOf(kcps: readonly Plane[], { manager, registry }: Ground, after: object | undefined): Settings {
  const landscapes = kcps.map(({ name, access }, index) => ({
    name,
    controlPlane: { kubeconfig: access.kubeconfig },
    namespace: "kcp-system",
    lifecycleManager: manager.generation,
    ...(index > 0 && after && { after: { shortSoakReason: "it is a test", ...after } }),
  }));
  const more = { registry: { baseUrl: registry.host, plainHttp: true }, forge: { kind: "none" } };
  return { landscapes, ...more };
}

/** Every channel is served in every landscape. */
function catalogueFiles(versions: Versions, settings: Settings, host: string): Readonly<Record<string, string>> {
  const channels = Object.fromEntries(
    Object.entries(versions).map(([channel, modules]) => {
      const templates = Object.entries(modules).map(([module, version]) => [
        module,
        templateSpec(module, version, host),
      ]);
      return [channel, Object.fromEntries(templates) as Sample["channels"][string]];
    }),
  );
  const landscapes = settings.landscapes.map(({ name }) => name);
  const policies = Object.keys(channels).map((channel) => {
    const kind = channel === MUST ? "mandatory" : "release";
    return [`channels/${channel}.yaml`, JSON.stringify({ format: 1, kind, versions: "any", landscapes })] as const;
  });
  return Object.fromEntries([...filesOf({ channels, mandatory: [MUST], settings }), ...policies]);
}
