import { lifecycleManagerDefinitions } from "../../kubernetes/customResourceDefinition.ts";
import { Fault, type Run } from "../../ports.ts";
import { openSource, readDefinitions } from "../compose/compose.ts";
import { clock } from "../compose/systems.ts";
import { findTools, type Incident, startEmbedded } from "../compose/demo.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import { readCatalogue } from "../loadCatalogue.ts";
import type { ServedPages } from "../dashboard/serve.ts";
import { untilStopped } from "../terminal/endless.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { type DemoScene, type SceneOptions, firstSync, installAll, keepAll } from "./begin.ts";
import { follow, sayBlock, seconds } from "./follow.ts";
import { Journal } from "./journal.ts";
import { DemoKeeper, wantedOf } from "./keeper.ts";
import { serveFiles, type ShownDemo } from "./pages.ts";
import { accountOfFiles } from "./report.ts";
import { tips } from "./tips.ts";
import { showTrain } from "./train.ts";

/** The options of `demo`. */
export interface DemoOptions extends SceneOptions {
  /** Files or folders with CustomResourceDefinitions to install instead of the built-in ones. */
  readonly crds?: readonly string[] | undefined;
  /** The folder for the data of the control planes; a temporary folder when undefined. */
  readonly data?: string | undefined;
}

/**
 * `kyma-modules demo`: starts real control planes for landscapes of the catalogue, syncs them, and follows every saved
 * change. Never contacts a control plane of the settings. Returns the exit code.
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
    else if (incident.kind === "ready") incidents.push(`${landscape}: the control plane is ready again, with its data`);
    else sayBlock(`${landscape}: ${incident.name} ${incident.outcome}, and is restarted`, [], output);
  };
  const progress = (line: string): void => {
    output.say(`  ${line}`);
  };
  const { landscapes: all } = catalogue.settings;
  // The first two landscapes show a wave. More would need too much memory for a laptop.
  const landscapes = all.filter((_, index) => index < 2 || index === all.length - 1);
  const part = landscapes.length < all.length ? ", the first two landscapes and the last one" : "";
  output.say(`Starting etcd and kube-apiserver for ${landscapes.map(({ name }) => name).join(", ")}${part}.`);
  const started = await startEmbedded(landscapes, { data: options.data, progress, onIncident }, within);
  try {
    const show = options.clusters === 0 ? showFiles : showTrain;
    return await show(
      { ...scene, catalogue, options, definitions, started, startedMs, incidents, lost },
      output,
      within,
    );
  } finally {
    await started.stop();
    const left =
      options.data === undefined
        ? "all processes ended, and all data is removed"
        : `all processes ended; the data is in ${options.data}`;
    output.say(`Stopped: ${left}.`);
  }
}

/** Shows a demo that serves the files of the working tree. */
async function showFiles(scene: DemoScene, output: Output, run: Run): Promise<number> {
  const { wanted, catalogue, definitions, started, startedMs, lost } = scene;
  output.say("Installing the CustomResourceDefinitions, then syncing.");
  await installAll(started, definitions, run);
  const keepers = started.landscapes.map((landscape) => new DemoKeeper(landscape, wanted));
  return await keepAll(keepers, lost, run, async () => {
    const journal = new Journal();
    journal.look([accountOfFiles(catalogue.findings, output)]);
    const code = await firstSync(wanted, { keepers, journal }, output, run);
    const took = seconds(clock.nowMs() - startedMs);
    output.say(`Ready after ${took}. The demo does not wait for waves: it syncs all of them at once.`);
    if (scene.options.once) return code;
    const pages = await pagesOf({ wanted, keepers }, output, run);
    for (const line of tips(wanted, started, await findTools(wanted.repository, run))) output.say(line);
    return keepAll(pages, lost, run, async () => {
      await untilStopped(follow({ ...scene, keepers, journal }, output, run), run);
      lost.signal.throwIfAborted();
      return EXIT.fine;
    });
  });
}

/** Serves the web pages, if there is a commit to show. */
async function pagesOf(shown: ShownDemo, output: Output, run: Run): Promise<readonly ServedPages[]> {
  try {
    const pages = await serveFiles(shown, run);
    output.say(`See it in a browser: ${pages.address}/`);
    return [pages];
  } catch (error) {
    if (!(error instanceof Fault) || run.signal.aborted) throw error;
    output.say(`No web pages: ${error.message}`);
    return [];
  }
}
