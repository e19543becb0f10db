import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lifecycleManagerDefinitions } from "../../src/kubernetes/customResourceDefinition.ts";
import { installPrerequisites } from "../../src/sync/prerequisites.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { findOnPath } from "../../src/systems/environment.ts";
import { directorySource } from "../../src/systems/files/files.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { quietRun } from "../support/quietRun.ts";
import { startAudited, type AuditedControlPlane, type Requests } from "./auditedControlPlane.ts";
import { compileSample } from "./compileSample.ts";
import {
  atLeast,
  atMost,
  ratioOf,
  seriesOf,
  type Measurement,
  type Ratio,
  type Sample,
  type Skipped,
} from "./figures.ts";
import { SAMPLE_LANDSCAPE, writeSampleCatalogue, writeSampleSettings } from "./sampleCatalogue.ts";
import type { Program, WholeProcess } from "./wholeProcess.ts";
import { inRounds, ROOT, type Workbench } from "./workbench.ts";

const MODULES = 200;
const TEMPLATES = 1_000;
/** The templates, the release metas, and the ConfigMap of the set. */
const OBJECTS = TEMPLATES + MODULES + 1;
/** The folder is in no Git repository and has no registry, and nobody waits. */
const OPTIONS = ["--worktree", "--without-registry", "--now", "--reason", "it is a benchmark", "--format", "json"];

const SERIES = ["sync first", "kubectl first", "sync second", "kubectl second"] as const;
type SeriesName = (typeof SERIES)[number];

/** What all runs share. */
interface Stage extends Workbench {
  readonly plane: AuditedControlPlane;
  readonly catalogue: string;
  readonly runsOf: Readonly<Record<SeriesName, WholeProcess[]>>;
}

/** A first sync of 1,000 templates and the unchanged second one, beside `kubectl apply --server-side` of the same. */
export async function measureSync(bench: Workbench): Promise<Measurement | Skipped> {
  if ((await findOnPath("kubectl", process.env)) === undefined)
    return { name: "sync", skipped: "there is no kubectl on the PATH to compare with" };
  const catalogue = join(bench.folder, "sync");
  mkdirSync(catalogue);
  writeSampleCatalogue(catalogue, MODULES);
  bench.say("sync: starting a control plane");
  const plane = await startAudited(bench);
  try {
    const runsOf = { "sync first": [], "kubectl first": [], "sync second": [], "kubectl second": [] };
    const stage: Stage = { ...bench, plane, catalogue, runsOf };
    await inRounds("sync", bench, (round) => measureRound(stage, round));
    return judge(stage);
  } finally {
    await plane.stop();
  }
}

/** Both first syncs, then both second ones, each in a namespace that nobody has used. */
async function measureRound({ plane, measure, ...stage }: Stage, round: number): Promise<void> {
  const [ours, peers] = [`sync-${round}`, `kubectl-${round}`];
  const manifests = await prepareRound({ plane, measure, ...stage }, ours, peers);
  const programs: Readonly<Record<SeriesName, Program>> = {
    "sync first": syncProgram(stage),
    "kubectl first": applyProgram(stage, plane, manifests),
    "sync second": syncProgram(stage),
    "kubectl second": applyProgram(stage, plane, manifests),
  };
  for (const name of SERIES) {
    const whole = await measure(programs[name]);
    judgeOutput(name, whole.stdout);
    if (round > 0) stage.runsOf[name].push(whole);
  }
}

function syncProgram({ catalogue, folder }: Pick<Stage, "catalogue" | "folder">): Program {
  const main = join(ROOT, "src", "cli", "kyma-modules.js");
  const args = [main, "sync", SAMPLE_LANDSCAPE, "--repo", catalogue, ...OPTIONS];
  return { program: process.execPath, args, cwd: ROOT, env: { NODE_COMPILE_CACHE: join(folder, "compile-cache") } };
}

function applyProgram(
  { folder }: Pick<Stage, "folder">,
  { kubeconfig }: AuditedControlPlane,
  manifests: string,
): Program {
  const flags = ["--kubeconfig", kubeconfig, "--cache-dir", join(folder, "kubectl-cache")];
  return { program: "kubectl", args: [...flags, "apply", "--server-side", "-f", manifests], cwd: ROOT };
}

/** Writes what a sync reads and what kubectl applies, and makes both namespaces. Gives the folder for kubectl. */
async function prepareRound({ plane, catalogue, folder, signal }: Stage, ours: string, peers: string): Promise<string> {
  const run = quietRun(signal);
  const world = { controlPlane: controlPlane(await openAccess({ kubeconfig: plane.kubeconfig })), clock: systemClock };
  for (const namespace of [ours, peers]) {
    await installPrerequisites(lifecycleManagerDefinitions(), namespace, world, run);
  }
  writeSampleSettings(catalogue, plane.kubeconfig, ours);
  const { templates, releaseMetas } = await compileSample(directorySource(catalogue), peers, run);
  const manifests = join(folder, peers);
  mkdirSync(manifests);
  for (const object of [...templates, ...releaseMetas]) {
    // kubectl applies in the order of the names, so templates come before the release metas that name them.
    const rank = object.kind === "ModuleTemplate" ? "a" : "b";
    writeFileSync(join(manifests, `${rank}-${object.metadata.name}.json`), JSON.stringify(object));
  }
  return manifests;
}

/** A run counts only when it did its work: everything made the first time, nothing changed the second time. */
function judgeOutput(name: SeriesName, stdout: string): void {
  const isOurs = name.startsWith("sync");
  const wanted = isOurs ? OBJECTS : OBJECTS - 1;
  const found = isOurs ? countObjects(stdout, name === "sync first" ? "create" : "unchanged") : countLines(stdout);
  if (found !== wanted) throw new Error(`${name} did ${found} of ${wanted}:\n${stdout.slice(0, 1000)}`);
}

/** Entries are items as well, and are of the objects that hold them. */
function countObjects(stdout: string, kind: string): number {
  const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly kind: string; object?: object }[] };
  return items.filter((item) => item.object !== undefined && item.kind === kind).length;
}

function countLines(stdout: string): number {
  return stdout.split("\n").filter((line) => line.endsWith("serverside-applied")).length;
}

function judge({ plane, runsOf }: Stage): Measurement {
  const requestsBetween = plane.readRequests();
  const samplesOf = (name: SeriesName): readonly Sample[] =>
    runsOf[name].map((whole) => sampleOf(whole, requestsBetween(whole.startedMs, whole.endedMs)));
  const samples: Readonly<Record<SeriesName, readonly Sample[]>> = {
    "sync first": samplesOf("sync first"),
    "kubectl first": samplesOf("kubectl first"),
    "sync second": samplesOf("sync second"),
    "kubectl second": samplesOf("kubectl second"),
  };
  const ratio = (turn: "first" | "second", name: string, figure: (sample: Sample) => number): Ratio => {
    const [of, to] = [`kubectl ${turn}`, `sync ${turn}`] as const;
    return ratioOf({ name, of: [of, samples[of]], to: [to, samples[to]], figure });
  };
  const wall = (sample: Sample): number => sample.wallSeconds;
  const span = (sample: Sample): number => sample.details["requestSpanSeconds"] ?? Number.NaN;
  const spanName = "seconds from the first to the last request";
  const ratios = [
    ratio("first", spanName, span),
    ratio("second", spanName, span),
    ratio("first", "wall seconds", wall),
    ratio("second", "wall seconds", wall),
  ];
  const series = SERIES.map((name) => seriesOf(name, samples[name]));
  const least = [3, 10, 2.5, 6];
  return {
    name: "sync",
    what: `${TEMPLATES} templates and ${MODULES} release metas to a real API server, and once more; beside kubectl apply --server-side of the same objects, with the kubectl of this machine`,
    series,
    ratios,
    limits: [
      ...ratios.map(({ name, of, ratio: spread }, index) =>
        atLeast(`${of}: ${name}`, least[index] ?? 0, "times", spread),
      ),
      atMost("requests of an unchanged sync", 10, "requests", series[2]?.details["requests"] ?? null),
    ],
  };
}

function sampleOf({ wallSeconds, cpuSeconds, peakMiB }: WholeProcess, requests: Requests): Sample {
  const { count, writes, spanSeconds } = requests;
  return { wallSeconds, cpuSeconds, peakMiB, details: { requests: count, writes, requestSpanSeconds: spanSeconds } };
}
