import type { Catalogue } from "../../catalogue/catalogue.ts";
import { codeOfSync } from "../../sync/exitCode.ts";
import { type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import type { Run, Snapshot } from "../../ports.ts";
import { listAll } from "../../sync/observe.ts";
import { installPrerequisites } from "../../sync/prerequisites.ts";
import type { EmbeddedLandscapes } from "../compose/demo.ts";
import { clock } from "../compose/systems.ts";
import { syncSummary } from "../sync/report.ts";
import type { Output } from "../terminal/output.ts";
import type { Journal } from "./journal.ts";
import type { DemoKeeper, DemoTarget } from "./keeper.ts";
import { accountOfSync, servedTable } from "./report.ts";

/** The options of a running demo. */
export interface SceneOptions {
  readonly once: boolean;
  /** The number of clusters for each landscape; 0 for a demo without clusters. */
  readonly clusters: number;
  /** The factor by which the clock of the train is faster. */
  readonly speed: number;
  /** Versions that fail on some clusters. */
  readonly failing: readonly { readonly module: string; readonly version: string }[];
}

/** The started control planes, and what they show. */
export interface DemoScene {
  readonly wanted: DemoTarget;
  readonly files: Snapshot["files"];
  readonly catalogue: Catalogue;
  readonly options: SceneOptions;
  readonly definitions: readonly KubernetesObject[];
  readonly started: EmbeddedLandscapes;
  /** Unix milliseconds. */
  readonly startedMs: number;
  /** Headings about events of control planes. */
  readonly incidents: string[];
  readonly lost: AbortController;
}

/** Installs what a sync needs on the control planes. */
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

/** Runs all keepers during `work`. An error of a keeper ends `work` by aborting `lost`. */
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
    // Stop before the control planes do, so that the keepers release their Leases.
    lost.abort();
    await Promise.all(keeping);
  }
}

/** The participants of the first sync. */
interface FirstSync {
  readonly keepers: readonly DemoKeeper[];
  readonly journal: Journal;
}

/** Waits until each landscape was synced once, and shows the served versions. Throws the Fault of a failed sync. */
export async function firstSync(
  wanted: DemoTarget,
  { keepers, journal }: FirstSync,
  output: Output,
  run: Run,
): Promise<number> {
  await Promise.all(keepers.map((keeper) => keeper.serve(wanted, run)));
  const results = keepers.map((keeper) => {
    const { name } = keeper.landscape;
    const [first] = keeper.take();
    if (first === undefined) throw new Error(`${name} was not synced`);
    if ("fault" in first.outcome) throw first.outcome.fault;
    return { name, result: first.outcome.result };
  });
  for (const { name, result } of results) {
    // The table already shows what was created.
    const entries = result.entries.filter(({ entry }) => entry.kind !== "create");
    const outcomes = result.outcomes.filter(({ item }) => item.kind !== "create");
    const { news } = journal.look([accountOfSync(name, { ...result, entries, outcomes }, output)]);
    for (const text of news.flatMap(({ texts }) => texts)) output.say(`${name}: ${text}`);
    output.say(`${name}: ${syncSummary(result.entries, result.outcomes)}`);
  }
  const served = await Promise.all(
    keepers.map(async ({ landscape: { name, namespace, controlPlane, generation } }) => {
      const resource = generation === "version-templates" ? RESOURCES.moduleReleaseMeta : RESOURCES.moduleTemplate;
      return { landscape: name, objects: await listAll(controlPlane, resource, namespace, run) };
    }),
  );
  output.result(servedTable(wanted.catalogue, served, output));
  return Math.max(...results.map(({ result }) => codeOfSync(result)));
}
