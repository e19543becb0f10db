import { lifecycleManagerDefinitions } from "../../kubernetes/customResourceDefinition.ts";
import type { Run } from "../../ports.ts";
import { openSource, readDefinitions } from "../compose/compose.ts";
import { clock } from "../compose/systems.ts";
import { type Incident, startEmbedded } from "../compose/demo.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import { readCatalogue } from "../loadCatalogue.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import type { DemoScene, SceneOptions } from "./begin.ts";
import { demoTarget } from "./keeper.ts";
import { sayBlock } from "./report.ts";

interface DemoOptions extends SceneOptions {
  readonly repo: string;
  /** Files or folders with CustomResourceDefinitions to install instead of the built-in ones. */
  readonly crds?: readonly string[] | undefined;
  /** The folder for the data of the control planes; a temporary folder when undefined. */
  readonly data?: string | undefined;
}

/** Serves the catalogue on started control planes. Returns the exit code. */
export type Show = (scene: DemoScene, output: Output, run: Run) => Promise<number>;

/**
 * `kyma-modules demo`: starts real control planes for landscapes of the catalogue, and shows them. Never contacts a
 * control plane of the settings. Returns the exit code.
 */
export async function demoCommand(
  { repo: repository, ...options }: DemoOptions,
  show: Show,
  output: Output,
  run: Run,
): Promise<number> {
  const startedMs = clock.nowMs();
  output.say(`Serving ${repository === "." ? "this repository" : repository} on real control planes on this machine.`);
  const { files } = await openSource(repository, undefined).snapshot(isOfCatalogue, run);
  const catalogue = readCatalogue({ revision: undefined, files }, output);
  if (catalogue === undefined) return EXIT.findings;
  const definitions =
    options.crds === undefined ? lifecycleManagerDefinitions() : await readDefinitions(options.crds, run);
  const scene = { wanted: await demoTarget(repository, catalogue, run), files };
  const incidents: string[] = [];
  const lost = new AbortController();
  const within: Run = { ...run, signal: AbortSignal.any([run.signal, lost.signal]) };
  const onIncident = (landscape: string, incident: Incident): void => {
    if (incident.kind === "lost") lost.abort(incident.fault);
    else if (incident.kind === "ready") incidents.push(`${landscape}: the control plane is ready again, with its data`);
    else sayBlock(`${landscape}: ${incident.name} ${incident.outcome}, and is restarted`, [], output);
  };
  const { landscapes: all } = catalogue.settings;
  // The first two landscapes show a wave. More would need too much memory for a laptop.
  const landscapes = all.filter((_, index) => index < 2 || index === all.length - 1);
  const part = landscapes.length < all.length ? ", the first two landscapes and the last one" : "";
  output.say(`Starting etcd and kube-apiserver for ${landscapes.map(({ name }) => name).join(", ")}${part}.`);
  const planes = {
    ...{ data: options.data, onIncident },
    progress: (line: string) => {
      output.say(`  ${line}`);
    },
  };
  const started = await startEmbedded(landscapes, planes, within);
  try {
    const shown = { ...scene, catalogue, options, definitions, started, startedMs, incidents, lost };
    return await show(shown, output, within);
  } finally {
    await started.stop();
    const left =
      options.data === undefined
        ? "all processes ended, and all data is removed"
        : `all processes ended; the data is in ${options.data}`;
    output.say(`Stopped: ${left}.`);
  }
}
