import type { Catalogue } from "../../catalogue/catalogue.ts";
import { type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import type { Run, Snapshot } from "../../ports.ts";
import { listAll } from "../../sync/observe.ts";
import { installPrerequisites } from "../../sync/prerequisites.ts";
import type { SyncResult } from "../../sync/sync.ts";
import type { EmbeddedLandscape, EmbeddedLandscapes } from "../compose/demo.ts";
import { clock } from "../compose/systems.ts";
import { codeOf, syncSummary } from "../sync/report.ts";
import type { Output } from "../terminal/output.ts";
import type { Journal } from "./journal.ts";
import type { DemoKeeper, DemoTarget } from "./keeper.ts";
import { accountOfSync, type ServedObjects, servedTable } from "./report.ts";

/** The options of a demo that runs. */
export interface SceneOptions {
  readonly once: boolean;
  /** How many clusters each landscape has; 0: there is no lifecycle-manager, nor a rehearsal of it. */
  readonly clusters: number;
  /** How many times as fast the clock of the train goes. */
  readonly speed: number;
  /** Versions that never start on some clusters. */
  readonly failing: readonly { readonly module: string; readonly version: string }[];
}

/** Control planes that were started, and what they are to show. */
export interface DemoScene {
  readonly wanted: DemoTarget;
  readonly files: Snapshot["files"];
  readonly catalogue: Catalogue;
  readonly options: SceneOptions;
  readonly definitions: readonly KubernetesObject[];
  readonly started: EmbeddedLandscapes;
  /** Unix milliseconds. */
  readonly startedMs: number;
  /** Headings of what happened to control planes. */
  readonly incidents: string[];
  readonly lost: AbortController;
}

/** Makes the control planes ready for a sync. */
export async function installAll(
  { landscapes }: EmbeddedLandscapes,
  definitions: readonly KubernetesObject[],
  run: Run,
): Promise<void> {
  await Promise.all(
    landscapes.map(({ namespace, controlPlane }) =>
      installPrerequisites(definitions, namespace, { controlPlane, clock }, run),
    ),
  );
}

/** Keeps all landscapes while `work` goes on. What one of them throws ends it, by `lost`. */
export async function keepAll<T>(
  keepers: readonly { keep(run: Run): Promise<never> }[],
  lost: AbortController,
  run: Run,
  work: () => Promise<T>,
): Promise<T> {
  const keeping = keepers.map((keeper) =>
    keeper.keep(run).catch((error: unknown) => {
      if (!run.signal.aborted) lost.abort(error);
    }),
  );
  try {
    return await work();
  } finally {
    // The control planes are still there, so that the Leases are given up.
    lost.abort();
    await Promise.all(keeping);
  }
}

/** What the first sync of a demo is of. */
export interface FirstSync {
  readonly keepers: readonly DemoKeeper[];
  readonly journal: Journal;
}

/** Waits until each landscape was synced once, and shows what they serve. Throws the Fault of one that could not be. */
export async function firstSync(
  wanted: DemoTarget,
  { keepers, journal }: FirstSync,
  output: Output,
  run: Run,
): Promise<number> {
  await Promise.all(keepers.map((keeper) => keeper.serve(wanted, run)));
  const results = keepers.map((keeper) => ({ name: keeper.landscape.name, result: firstResult(keeper) }));
  for (const { name, result } of results) {
    const { news } = journal.look([accountOfSync(name, unannounced(result), output)]);
    for (const text of news.flatMap(({ texts }) => texts)) output.say(`${name}: ${text}`);
    output.say(`${name}: ${syncSummary(result.entries, result.outcomes)}`);
  }
  const served = await Promise.all(keepers.map(({ landscape }) => readServed(landscape, run)));
  output.result(servedTable(wanted.catalogue, served, output));
  return Math.max(...results.map(({ result }) => codeOf(result)));
}

function firstResult(keeper: DemoKeeper): SyncResult {
  const [first] = keeper.take();
  if (first === undefined) throw new Error(`nothing was tried on ${keeper.landscape.name}`);
  const { outcome } = first;
  if ("fault" in outcome) throw outcome.fault;
  return outcome.result;
}

/** The table shows what is new; whatever else happened is worth a line. */
function unannounced(result: SyncResult): SyncResult {
  const entries = result.entries.filter(({ entry }) => entry.kind !== "create");
  const outcomes = result.outcomes.filter(({ item }) => item.kind !== "create");
  return { ...result, entries, outcomes };
}

/** What the control plane itself says that it serves. */
async function readServed(
  { name, namespace, controlPlane, generation }: EmbeddedLandscape,
  run: Run,
): Promise<ServedObjects> {
  const resource = generation === "version-templates" ? RESOURCES.moduleReleaseMeta : RESOURCES.moduleTemplate;
  return { landscape: name, objects: await listAll(controlPlane, resource, namespace, run) };
}
