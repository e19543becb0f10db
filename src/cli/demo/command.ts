import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { shellWord } from "../../document/shellWord.ts";
import type { Template } from "../../catalogue/template.ts";
import { lifecycleManagerDefinitions } from "../../kubernetes/customResourceDefinition.ts";
import { type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import type { Run } from "../../ports.ts";
import { listAll } from "../../sync/observe.ts";
import { installPrerequisites } from "../../sync/prerequisites.ts";
import type { SyncResult } from "../../sync/sync.ts";
import { openSource, readDefinitions } from "../compose/compose.ts";
import { clock } from "../compose/systems.ts";
import {
  type EmbeddedLandscape,
  type EmbeddedLandscapes,
  findTools,
  type Incident,
  startEmbedded,
} from "../compose/demo.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import { readCatalogue } from "../loadCatalogue.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { codeOf, syncSummary } from "../sync/report.ts";
import { follow, sayBlock, seconds } from "./follow.ts";
import { Journal } from "./journal.ts";
import { DemoKeeper, type DemoTarget, wantedOf } from "./keeper.ts";
import { accountOfFiles, accountOfSync, type ServedObjects, servedTable } from "./report.ts";

/** The options of `demo`. */
export interface DemoOptions {
  readonly once: boolean;
  /** Files or folders with CustomResourceDefinitions to install instead of our own. */
  readonly crds?: readonly string[] | undefined;
  /** Where the control planes keep their data; a temporary folder when undefined. */
  readonly data?: string | undefined;
}

/**
 * `kyma-modules demo`: real control planes for landscapes of the catalogue, synced and then kept in step with every saved
 * change. Never opens a control plane that the settings name. Gives the exit code.
 */
export async function demoCommand(repository: string, options: DemoOptions, output: Output, run: Run): Promise<number> {
  const startedMs = clock.nowMs();
  output.say(`Serving ${repository === "." ? "this repository" : repository} on real control planes on this machine.`);
  const { files } = await openSource(repository, undefined).snapshot(isOfCatalogue, run);
  const catalogue = readCatalogue({ revision: undefined, files }, output);
  if (catalogue === undefined) return EXIT.findings;
  const definitions =
    options.crds === undefined ? lifecycleManagerDefinitions() : await readDefinitions(options.crds, run);
  const scene = { wanted: await wantedOf(repository, catalogue, run), files };
  const incidents: string[] = [];
  const lost = new AbortController();
  const within: Run = { ...run, signal: AbortSignal.any([run.signal, lost.signal]) };
  const onIncident = (landscape: string, incident: Incident): void => {
    if (incident.kind === "lost") lost.abort(incident.fault);
    else if (incident.kind === "ready")
      incidents.push(`${landscape}: the control plane is ready again, with the data that it had`);
    else sayBlock(`${landscape}: ${incident.name} ${incident.outcome}, and is started again`, [], output);
  };
  const progress = (line: string): void => {
    output.say(`  ${line}`);
  };
  const landscapes = shownLandscapes(catalogue);
  output.say(startingText(landscapes, catalogue));
  const started = await startEmbedded(landscapes, { data: options.data, progress, onIncident }, within);
  try {
    const { wanted } = scene;
    output.say("Installing the CustomResourceDefinitions, then syncing.");
    await installAll(started, definitions, within);
    const keepers = started.landscapes.map((landscape) => new DemoKeeper(landscape, wanted));
    return await keepAll(keepers, lost, within, async () => {
      const journal = new Journal();
      journal.look([accountOfFiles(catalogue.findings, output)]);
      const code = await firstSync(wanted, { keepers, journal }, output, within);
      const took = seconds(clock.nowMs() - startedMs);
      output.say(`Ready after ${took}. The demo does not wait for waves: it syncs all of them at once.`);
      if (options.once) return code;
      for (const line of tips(wanted, started, await findTools(repository, within))) output.say(line);
      await follow({ ...scene, keepers, journal, incidents }, output, within);
      lost.signal.throwIfAborted();
      return EXIT.fine;
    });
  } finally {
    await started.stop();
    const left =
      options.data === undefined
        ? "no process and no folder is left"
        : `no process is left; the data is in ${options.data}`;
    output.say(`Stopped: ${left}.`);
  }
}

async function installAll(
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
async function keepAll<T>(
  keepers: readonly DemoKeeper[],
  lost: AbortController,
  run: Run,
  work: () => Promise<T>,
): Promise<T> {
  const keeping = keepers.map((keeper) =>
    keeper.keep(run).catch((error: unknown) => {
      lost.abort(error);
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

function startingText(chosen: readonly Landscape[], { settings: { landscapes } }: Catalogue): string {
  const names = chosen.map(({ name }) => name).join(", ");
  const isPart = chosen.length < landscapes.length;
  return `Starting etcd and kube-apiserver for ${names}${isPart ? ", the first two landscapes and the last one" : ""}.`;
}

/** The first two, between which a wave is seen, and the last one: more would take the memory of a laptop. */
function shownLandscapes({ settings: { landscapes } }: Catalogue): readonly Landscape[] {
  return landscapes.filter((_, index) => index < 2 || index === landscapes.length - 1);
}

interface FirstSync {
  readonly keepers: readonly DemoKeeper[];
  readonly journal: Journal;
}

/** Waits until each landscape was synced once, and shows what they serve. Throws the Fault of one that could not be. */
async function firstSync(
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

/** What is on this machine, as far as the tips depend on it. */
interface Tools {
  readonly kubectl: boolean;
  readonly git: boolean;
}

/** Commands that work as printed, in the folder in which the demo was started. */
function tips(
  { repository, catalogue }: DemoTarget,
  { landscapes: [first], kubeconfig }: EmbeddedLandscapes,
  { kubectl, git }: Tools,
): readonly string[] {
  const template = mostServed(catalogue);
  if (first === undefined || template === undefined) return [];
  const file = shellWord(repository === "." ? template.file.path : `${repository}/${template.file.path}`);
  const next = template.version.replace(/\d+(?=(-.*)?$)/, (patch) => String(Number(patch) + 1));
  const onFirst = `kubectl --context ${shellWord(first.context)} -n ${first.namespace}`;
  const commands = [
    `export KUBECONFIG=${shellWord(kubeconfig)}`,
    `npx kyma-modules plan${repository === "." ? "" : ` --repo ${shellWord(repository)}`}${git ? "" : " --worktree"}`,
    edit(file, template.version, next),
    git ? `git -C ${shellWord(repository)} checkout -- channels` : edit(file, next, template.version),
    ...(kubectl ? [`${onFirst} delete moduletemplate ${template.module}-${template.version}`] : []),
  ];
  return ["Try in another terminal, and see what happens here:", ...commands.map((command) => `  ${command}`)];
}

/** A template of the channel that most landscapes serve: an edit of it is seen on every control plane. */
function mostServed({ channels }: Catalogue): Template | undefined {
  const widest = [...channels.values()]
    .filter(({ templates, kind }) => templates.size > 0 && kind === "release")
    .toSorted((a, b) => b.landscapes.length - a.landscapes.length);
  return widest[0]?.templates.values().next().value;
}

/** Perl is where git is, and edits in place the same way on Linux and macOS; sed does not. */
function edit(file: string, from: string, to: string): string {
  return `perl -pi -e 's/^  version: \\Q${from}\\E$/  version: ${to}/' ${file}`;
}
