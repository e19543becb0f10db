import { isDeepStrictEqual } from "node:util";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { lifecycleManagerDefinitions } from "../kubernetes/customResourceDefinition.ts";
import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run, type Snapshot } from "../ports.ts";
import { listAll } from "../sync/observe.ts";
import type { PlanOptions } from "../sync/plan/input.ts";
import { prepare, type PlanWorld } from "../sync/prepare.ts";
import { installPrerequisites } from "../sync/prerequisites.ts";
import { sync, type Reporter, type SyncResult } from "../sync/sync.ts";
import {
  clock,
  findTools,
  openChanges,
  openHistory,
  openSource,
  readDefinitions,
  startEmbedded,
  type EmbeddedLandscape,
} from "./compose.ts";
import { isOfCatalogue, readCatalogue } from "./loadCatalogue.ts";
import { EXIT, type Output } from "./output.ts";
import { repositoryIdentity } from "./composeSync.ts";
import type { DemoOptions } from "./program.ts";
import { syncSummary } from "./reportPlan.ts";
import { codeOf } from "./sync.ts";
import { changeLines, servedTable, type Served } from "./reportDemo.ts";
import { tips } from "./reportTips.ts";

/** A demo may do at once what a real landscape refuses or does only when it is told to. */
const OPTIONS: PlanOptions = {
  adopt: false,
  prune: true,
  maxPrune: Number.POSITIVE_INFINITY,
  changedContent: "apply",
  now: "a demo shows every change at once",
  takeOverSet: true,
  switchGeneration: true,
  rewind: true,
};

/** Nothing else writes to the control planes of a demo. */
const NEVER = new AbortController().signal;
const NOBODY: Reporter = { outcome: () => undefined, entry: () => undefined };

interface Demo {
  readonly repository: string;
  readonly output: Output;
}

/**
 * `kyma-modules demo`: a real control plane for the first and one for the last landscape, synced and then kept in step
 * with every saved change. Never opens a control plane that the settings name. Gives the exit code.
 */
export async function demoCommand(repository: string, options: DemoOptions, output: Output, run: Run): Promise<number> {
  const startedMs = clock.nowMs();
  const demo: Demo = { repository, output };
  output.say(`Serving ${repository === "." ? "this repository" : repository} on real control planes on this machine.`);
  const snapshot = await openSource(repository, undefined).snapshot(isOfCatalogue, run);
  const catalogue = readCatalogue(snapshot, output);
  if (catalogue === undefined) return EXIT.findings;
  const definitions =
    options.crds.length === 0 ? lifecycleManagerDefinitions() : await readDefinitions(options.crds, run);
  const landscapes = firstAndLast(catalogue);
  const started = await startAll(landscapes, options, output, run);
  try {
    const code = await firstSync(demo, catalogue, started, definitions, run);
    output.say(
      `Ready after ${seconds(clock.nowMs() - startedMs)}. The demo does not wait for waves: it syncs all of them at once.`,
    );
    if (options.once) return code;
    for (const { name, kubeconfig } of started) output.say(`export KUBECONFIG=${kubeconfig}   # ${name}`);
    for (const line of tips(repository, catalogue, started, await findTools(repository, run))) output.say(line);
    await follow(demo, snapshot, started, run);
    return EXIT.fine;
  } finally {
    await Promise.all(started.map((landscape) => landscape.stop()));
    const left =
      options.data === undefined
        ? "no process and no folder is left"
        : `no process is left; the data is in ${options.data}`;
    output.say(`Stopped: ${left}.`);
  }
}

function firstAndLast({ settings: { landscapes } }: Catalogue): readonly Landscape[] {
  return landscapes.filter((_, index) => index === 0 || index === landscapes.length - 1);
}

async function startAll(
  landscapes: readonly Landscape[],
  { data }: DemoOptions,
  output: Output,
  run: Run,
): Promise<readonly EmbeddedLandscape[]> {
  const progress = (line: string): void => {
    output.say(`  ${line}`);
  };
  const which = landscapes.length > 1 ? ", the first and the last landscape" : "";
  output.say(`Starting etcd and kube-apiserver for ${landscapes.map(({ name }) => name).join(" and ")}${which}.`);
  return startEmbedded(landscapes, data, progress, run);
}

async function firstSync(
  demo: Demo,
  catalogue: Catalogue,
  started: readonly EmbeddedLandscape[],
  definitions: readonly KubernetesObject[],
  run: Run,
): Promise<number> {
  const { output } = demo;
  output.say("Installing the CustomResourceDefinitions, then syncing.");
  const results = await Promise.all(
    started.map(async (landscape) => {
      await installPrerequisites(
        definitions,
        landscape.namespace,
        { controlPlane: landscape.controlPlane, clock },
        run,
      );
      const result = await syncOne(demo, catalogue, landscape, run);
      // The table shows what is new; whatever else happened is worth a line.
      const entries = result.entries.filter(({ entry }) => entry.kind !== "create");
      const outcomes = result.outcomes.filter(({ item }) => item.kind !== "create");
      for (const line of changeLines(landscape.name, { ...result, entries, outcomes }, output)) output.say(line);
      output.say(`${landscape.name}: ${syncSummary(result.entries, result.outcomes)}`);
      return result;
    }),
  );
  output.result(
    servedTable(catalogue, await Promise.all(started.map((landscape) => readServed(landscape, run))), output),
  );
  return Math.max(...results.map(codeOf));
}

/** Holds and waves are passed over, and artifacts are not looked up: the sample's do not exist. */
async function syncOne(demo: Demo, catalogue: Catalogue, landscape: EmbeddedLandscape, run: Run): Promise<SyncResult> {
  const { name, namespace, controlPlane, generation } = landscape;
  const target = { landscape: name, namespace, generation };
  // As `sync` claims it, so that it may be tried on the control planes of a demo; of no commit, since edits count at once.
  const repository = await repositoryIdentity(catalogue, demo.repository, run);
  const claim = { repository, landscape: name, generation, revision: "" };
  const settings = catalogue.settings.landscapes.find((one) => one.name === name);
  if (settings === undefined)
    throw new Fault("CONFIGURATION", `kyma-modules.yaml no longer has the landscape ${name}.`);
  const prepared = await prepare(
    { catalogue, landscape: settings, target, options: OPTIONS, claim },
    demoWorld(demo, controlPlane),
    run,
  );
  return sync(prepared, { controlPlane, clock, writes: NEVER }, NOBODY, run);
}

function demoWorld({ repository }: Demo, controlPlane: ControlPlane): PlanWorld {
  return {
    controlPlane,
    clock,
    history: openHistory(repository),
    artifacts: { kind: "none", because: "a demo has no registry" },
    ancestry: () => Promise.resolve("forward"),
    earlier: () => Promise.resolve({ kind: "none" }),
    decreases: () => Promise.resolve([]),
  };
}

/** What the control plane itself says that it serves. */
async function readServed({ name, namespace, controlPlane, generation }: EmbeddedLandscape, run: Run): Promise<Served> {
  const resource = generation === "version-templates" ? RESOURCES.moduleReleaseMeta : RESOURCES.moduleTemplate;
  return { landscape: name, objects: await listAll(controlPlane, resource, namespace, run) };
}

function sayResult(output: Output, { name }: EmbeddedLandscape, result: SyncResult, tookMs: number): void {
  for (const line of changeLines(name, result, output)) output.say(`${line}  ${seconds(tookMs)}`);
}

/** Watches until interrupted. A broken file is reported, and the control planes stay as they were. */
async function follow(demo: Demo, first: Snapshot, started: readonly EmbeddedLandscape[], run: Run): Promise<void> {
  let files = first.files;
  for await (const _ of openChanges(demo.repository, run)) {
    const startedMs = clock.nowMs();
    const snapshot = await openSource(demo.repository, undefined).snapshot(isOfCatalogue, run);
    if (isSame(files, snapshot.files)) continue;
    files = snapshot.files;
    const catalogue = readCatalogue(snapshot, demo.output);
    if (catalogue === undefined) demo.output.say("The control planes stay as they were.");
    else await Promise.all(started.map((landscape) => followOne(demo, catalogue, landscape, startedMs, run)));
  }
}

/** One control plane that fails does not end the demo: the next change tries again. */
async function followOne(
  demo: Demo,
  catalogue: Catalogue,
  landscape: EmbeddedLandscape,
  startedMs: number,
  run: Run,
): Promise<void> {
  try {
    sayResult(demo.output, landscape, await syncOne(demo, catalogue, landscape, run), clock.nowMs() - startedMs);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    demo.output.say(`${landscape.name}: not synced: ${error.message}`);
  }
}

function isSame(before: Snapshot["files"], after: Snapshot["files"]): boolean {
  return before.size === after.size && [...after].every(([path, file]) => isDeepStrictEqual(before.get(path), file));
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
