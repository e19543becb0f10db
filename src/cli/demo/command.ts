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
import { keepInSync, type DemoTarget, wantedOf } from "./keepInSync.ts";
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
  const wanted = await wantedOf(repository, catalogue, run);
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
  const landscapes = chosenLandscapes(catalogue);
  const names = landscapes.map(({ name }) => name).join(", ");
  const isPart = landscapes.length < catalogue.settings.landscapes.length;
  output.say(
    `Starting etcd and kube-apiserver for ${names}${isPart ? ", the first two landscapes and the last one" : ""}.`,
  );
  const started = await startEmbedded(landscapes, { data: options.data, progress, onIncident }, within);
  try {
    const journal = new Journal();
    journal.look([accountOfFiles(catalogue.findings, output)]);
    const code = await firstSync(wanted, { ...started, journal, definitions }, output, within);
    output.say(
      `Ready after ${seconds(clock.nowMs() - startedMs)}. The demo does not wait for waves: it syncs all of them at once.`,
    );
    if (options.once) return code;
    for (const line of tips(wanted, started, await findTools(repository, within))) output.say(line);
    await follow({ wanted, files, landscapes: started.landscapes, journal, incidents }, output, within);
    lost.signal.throwIfAborted();
    return EXIT.fine;
  } finally {
    await started.stop();
    const left =
      options.data === undefined
        ? "no process and no folder is left"
        : `no process is left; the data is in ${options.data}`;
    output.say(`Stopped: ${left}.`);
  }
}

/** The first two, between which a wave is seen, and the last one: more would take the memory of a laptop. */
function chosenLandscapes({ settings: { landscapes } }: Catalogue): readonly Landscape[] {
  return landscapes.filter((_, index) => index < 2 || index === landscapes.length - 1);
}

interface FirstSync {
  readonly landscapes: readonly EmbeddedLandscape[];
  readonly definitions: readonly KubernetesObject[];
  readonly journal: Journal;
}

async function firstSync(
  wanted: DemoTarget,
  { landscapes, definitions, journal }: FirstSync,
  output: Output,
  run: Run,
): Promise<number> {
  output.say("Installing the CustomResourceDefinitions, then syncing.");
  const results = await Promise.all(
    landscapes.map(async (landscape) => {
      const { namespace, controlPlane } = landscape;
      await installPrerequisites(definitions, namespace, { controlPlane, clock }, run);
      return { landscape, result: await keepInSync(wanted, landscape, run) };
    }),
  );
  for (const { landscape, result } of results) {
    const { news } = journal.look([accountOfSync(landscape.name, unannounced(result), output)]);
    for (const text of news.flatMap(({ texts }) => texts)) output.say(`${landscape.name}: ${text}`);
    output.say(`${landscape.name}: ${syncSummary(result.entries, result.outcomes)}`);
  }
  const served = await Promise.all(landscapes.map((landscape) => readServed(landscape, run)));
  output.result(servedTable(wanted.catalogue, served, output));
  return Math.max(...results.map(({ result }) => codeOf(result)));
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
