import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { openOutside, type Outside } from "../sync/outside.ts";
import { lifecycleManagerDefinitions } from "../../src/kubernetes/customResourceDefinition.ts";
import { MEMORY } from "../../src/sync/install/pod.ts";
import { installPrerequisites } from "../../src/sync/prerequisites.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { quietRun } from "../support/quietRun.ts";
import { announcePush, HOOK_SECRET } from "../cli/watching.ts";
import { fleetDefinitions, installDefinitions } from "../sync/world.ts";
import { startAudited, type AuditedControlPlane } from "./auditedControlPlane.ts";
import { atMost, seriesOf, spreadOf, type Limit, type Measurement, type Sample } from "./figures.ts";
import { letters, writeSampleCatalogue, writeSampleSettings } from "./sampleCatalogue.ts";
import { sampleTemplate } from "./sampleTemplate.ts";
import { inRounds, ROOT, type Workbench } from "./workbench.ts";

/** Modules of a catalogue of 15,000 and of one of 5,000 templates: each stands in five channels. */
const [MANY, SOME] = [3_000, 1_000];
const [KYMAS, MODULES_OF_KYMA] = [10_000, 5];
const NAMESPACE = "kcp-system";
const IDLE_S = 30;

/** What a controller costs: a plan for the sake of one object, memory, idle time, and how long a push takes. */
export async function measureController(bench: Workbench): Promise<Measurement> {
  const plans = await measurePlans(bench);
  const plane = await startAudited(bench);
  try {
    const outside = openOutside({ kubeconfig: plane.kubeconfig });
    await installDefinitions(outside, [...lifecycleManagerDefinitions(), ...fleetDefinitions()]);
    const catalogue = await prepareCatalogue(plane, bench);
    bench.say(`controller: ${SOME * 5} templates`);
    const alone = await measureOne({ catalogue, plane, outside, bench });
    bench.say(`controller: making ${KYMAS} Kymas with ${KYMAS * MODULES_OF_KYMA} Manifests`);
    await makeFleet(outside);
    const withFleet = await measureOne({ catalogue, plane, outside, bench });
    return judge(plans, { alone, withFleet });
  } finally {
    await plane.stop();
  }
}

async function measurePlans(bench: Workbench): Promise<readonly Sample[]> {
  const folder = join(bench.folder, "many");
  mkdirSync(folder);
  writeSampleCatalogue(folder, MANY);
  const program = join(ROOT, "test/bench/programs/planOne.ts");
  const samples: Sample[] = [];
  await inRounds("controller", bench, async (round) => {
    const whole = await bench.measure({ program: process.execPath, args: [program, folder], cwd: ROOT });
    const details = JSON.parse(whole.stdout) as Readonly<Record<string, number>>;
    if (round > 0) samples.push({ ...whole, details });
  });
  return samples;
}

/** A repository of 5,000 templates that the control plane does not serve yet. */
async function prepareCatalogue(plane: AuditedControlPlane, { folder, signal }: Workbench): Promise<string> {
  const catalogue = join(folder, "followed");
  mkdirSync(catalogue);
  writeSampleCatalogue(catalogue, SOME);
  writeSampleSettings(catalogue, plane.kubeconfig, NAMESPACE);
  const world = { controlPlane: controlPlane(await openAccess({ kubeconfig: plane.kubeconfig })), clock: systemClock };
  await installPrerequisites(lifecycleManagerDefinitions(), NAMESPACE, world, quietRun(signal));
  git(catalogue, "init", "--quiet", "--initial-branch", "main");
  commit(catalogue);
  return catalogue;
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync("git", ["-C", folder, "-c", "user.name=bench", "-c", "user.email=bench@example.com", ...args]);
}

function commit(folder: string): void {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "serve");
}

/** Kymas as lifecycle-manager leaves them, and a Manifest of each of their modules. */
async function makeFleet(outside: Outside): Promise<void> {
  const apiVersion = "operator.kyma-project.io/v1beta2";
  const base = `/apis/${apiVersion}/namespaces/${NAMESPACE}`;
  const modules = Array.from({ length: MODULES_OF_KYMA }, (_, index) => `sample-${letters(index)}`);
  const status = {
    state: "Ready",
    lastOperation: { operation: "" },
    modules: modules.map((name) => ({ name, channel: "fast", version: "1.1.0", state: "Ready", fqdn: name })),
  };
  const make = async (index: number): Promise<void> => {
    const name = `kyma-${index}`;
    await outside.must("POST", `${base}/kymas`, {
      apiVersion,
      kind: "Kyma",
      metadata: { name },
      spec: { channel: "fast" },
    });
    await outside.must("PATCH", `${base}/kymas/${name}/status`, { status }, "merge-patch");
    for (const module of modules) {
      const labels = { "operator.kyma-project.io/module-name": module, "operator.kyma-project.io/kyma-name": name };
      const metadata = { name: `${name}-${module}`, labels };
      const spec = { version: "1.1.0", remote: true, install: { name: module, source: {} } };
      await outside.must("POST", `${base}/manifests`, { apiVersion, kind: "Manifest", metadata, spec });
    }
  };
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < KYMAS) await make(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

interface Cost {
  readonly residentMiB: number;
  readonly idleCpuShare: number;
  readonly idleRequests: number;
  readonly pushSeconds: number;
}

/** Starts a controller, lets it come to rest, watches it idle, and pushes one version. */
async function measureOne(stage: {
  readonly catalogue: string;
  readonly plane: AuditedControlPlane;
  readonly outside: Outside;
  readonly bench: Workbench;
}): Promise<Cost> {
  const { catalogue, plane, outside, bench } = stage;
  const controller = startController(catalogue, bench);
  try {
    const address = await controller.says(/"message":"controller started".*"address":"([^"]+)"/);
    await bringToRest(address);
    const [cpuBefore, startedMs] = [cpuSecondsOf(controller.child), Date.now()];
    await sleep(IDLE_S * 1000);
    const idleCpuShare = (cpuSecondsOf(controller.child) - cpuBefore) / IDLE_S;
    const idleRequests = plane.readRequests()(startedMs, Date.now()).count;
    const residentMiB = residentMiBOf(controller.child);
    const pushSeconds = await push(catalogue, address, outside);
    return { residentMiB, idleCpuShare, idleRequests, pushSeconds };
  } finally {
    controller.child.kill("SIGTERM");
    await once(controller.child, "exit");
  }
}

interface Controller {
  readonly child: ChildProcess;
  /** Waits for a line, and gives its first group. */
  readonly says: (pattern: RegExp) => Promise<string>;
}

function startController(catalogue: string, { folder }: Workbench): Controller {
  const main = join(ROOT, "src", "cli", "kyma-modules.js");
  const cache = join(folder, "cache");
  const options = ["--listen", "127.0.0.1:0", "--cache", cache, "--without-registry"];
  const args = [main, "sync", "--watch", "--repo", catalogue, ...options];
  // As in the Deployment that install prints.
  const env = { ...process.env, KYMA_MODULES_WEBHOOK_SECRET: HOOK_SECRET, ...MEMORY };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "ignore"] });
  const seen: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => seen.push(line));
  const says = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = seen.map((line) => pattern.exec(line)).find((match) => match !== null);
      if (found !== undefined) return found[1] ?? "";
      if (child.exitCode !== null) throw new Error(`the controller ended: ${seen.at(-1)}`);
      await sleep(5);
    }
  };
  return { child, says };
}

/** How long until what starting took is collected, twice. Seconds. */
const REST_S = 75;

/** Until the newest commit is served, and for a while after that. */
async function bringToRest(address: string): Promise<void> {
  for (;;) {
    await sleep(1_000);
    const text = await (await fetch(`${address}/metrics`)).text();
    const isServed = /^kyma_modules_revision_lag_seconds 0$/m.test(text);
    if (isServed && (await fetch(`${address}/readyz`)).ok) break;
  }
  await sleep(REST_S * 1_000);
}

let pushes = 0;

/** From the webhook of a commit to the release meta that says it. */
async function push(catalogue: string, address: string, outside: Outside): Promise<number> {
  const [module, channel, version] = ["sample-aaaa", "regular", `1.99.${++pushes}`];
  writeFileSync(join(catalogue, "channels", channel, `${module}.yaml`), sampleTemplate({ module, channel, version }));
  commit(catalogue);
  const startedMs = performance.now();
  await announcePush(address);
  const path = `/apis/operator.kyma-project.io/v1beta2/namespaces/${NAMESPACE}/modulereleasemetas/${module}`;
  while (!JSON.stringify(await outside.must("GET", path)).includes(`"${version}"`)) await sleep(5);
  return (performance.now() - startedMs) / 1000;
}

function residentMiBOf({ pid }: ChildProcess): number {
  const [, kib = "NaN"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kib) / 1024);
}

/** User and system time; the kernel counts hundredths of a second. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function judge(
  plans: readonly Sample[],
  { alone, withFleet }: Readonly<Record<"alone" | "withFleet", Cost>>,
): Measurement {
  const only = (value: number): ReturnType<typeof spreadOf> => spreadOf([value]);
  const oneChanged = spreadOf(plans.map(({ details }) => (details["oneChangedSeconds"] ?? Number.NaN) * 1000));
  const limits: readonly Limit[] = [
    atMost("one changed object among 15,000 planned", 20, "milliseconds", oneChanged),
    atMost("resident memory with 5,000 templates", 200, "MiB", only(alone.residentMiB)),
    atMost(
      "resident memory with 10,000 Kymas and 50,000 Manifests beside them",
      400,
      "MiB",
      only(withFleet.residentMiB),
    ),
    atMost("idle CPU", 1, "percent of a core", only(alone.idleCpuShare * 100)),
    atMost("idle CPU with the fleet", 1, "percent of a core", only(withFleet.idleCpuShare * 100)),
    atMost("from the webhook of a commit to the object changed", 1, "seconds", only(alone.pushSeconds)),
    atMost("the same with the fleet", 1, "seconds", only(withFleet.pushSeconds)),
  ];
  const sampleOf = ({ residentMiB, idleCpuShare, idleRequests, pushSeconds }: Cost): Sample => {
    const details = { idleCpuPercent: idleCpuShare * 100, idleRequests, pushSeconds };
    return { wallSeconds: IDLE_S, cpuSeconds: idleCpuShare * IDLE_S, peakMiB: residentMiB, details };
  };
  return {
    name: "controller",
    what: `a plan of 15,000 templates for the sake of one; and sync --watch of 5,000 templates, ${IDLE_S} s idle, one push that a webhook tells of; peakMiB is the resident set at rest`,
    series: [
      seriesOf("plan one of 15,000", plans),
      seriesOf("controller of 5,000", [sampleOf(alone)]),
      seriesOf("controller of 5,000 with a fleet", [sampleOf(withFleet)]),
    ],
    ratios: [],
    limits,
  };
}
