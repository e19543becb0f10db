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
import { openOutside } from "../sync/outside.ts";
import { startAudited, type AuditedControlPlane, type Requests } from "./auditedControlPlane.ts";
import { compileSample } from "./compileSample.ts";
import { atLeast, atMost, ratioOf, seriesOf, type Measurement, type Sample, type Skipped } from "./figures.ts";
import { writeSampleCatalogue, writeSampleSettings } from "./sampleCatalogue.ts";
import { clientsOf, COUNTS, TURNS, type Client, type ClientProgram, type Prepared, type Turn } from "./syncClients.ts";
import type { WholeProcess } from "./wholeProcess.ts";
import { inRounds, type Workbench } from "./workbench.ts";

/** Each module stands in five channels, and so has five templates. */
const TEMPLATES_OF_MODULE = 5;
/** What all runs share. */
interface Stage extends Workbench {
  readonly modules: number;
  readonly plane: AuditedControlPlane;
  readonly catalogue: string;
  readonly clients: ReadonlyMap<Client, ClientProgram>;
  readonly runsOf: Map<string, WholeProcess[]>;
}

/** First syncs of 1,000, 5,000 or 20,000 templates, unchanged second ones, and repairs, beside kubectl and Flux's library. */
export function measureSync(templates: number): (bench: Workbench) => Promise<Measurement | Skipped> {
  const name = `sync-${templates}`;
  return async (bench) => {
    if ((await findOnPath("kubectl", process.env)) === undefined)
      return { name, skipped: "there is no kubectl on the PATH to compare with" };
    const modules = templates / TEMPLATES_OF_MODULE;
    const catalogue = join(bench.folder, name);
    mkdirSync(catalogue);
    writeSampleCatalogue(catalogue, modules);
    bench.say(`${name}: starting a control plane`);
    const plane = await startAudited(bench);
    try {
      const clients = await clientsOf({ ...bench, catalogue, plane });
      const runsOf = new Map<string, WholeProcess[]>();
      // The larger ones take minutes each, and say how the cost grows.
      const runs = templates > 1_000 ? 1 : bench.runs;
      const stage: Stage = { ...bench, runs, modules, plane, catalogue, clients, runsOf };
      await inRounds(name, stage, (round) => measureRound(stage, round));
      return judge(stage, name);
    } finally {
      await plane.stop();
    }
  };
}

/** All first syncs, then all second ones, then all repairs, each client in an unused namespace. */
async function measureRound(stage: Stage, round: number): Promise<void> {
  // The first round of the larger ones would only double the time.
  if (round === 0 && stage.runs === 1) return;
  const prepared = new Map<Client, Prepared>();
  for (const client of stage.clients.keys()) {
    const namespace = `${client}-${round}`;
    prepared.set(client, { namespace, manifests: await prepareClient(stage, namespace, client === "sync") });
  }
  for (const turn of TURNS) {
    for (const [client, program] of stage.clients) {
      const own = prepared.get(client);
      if (own === undefined) continue;
      if (turn === "drift") await editSome(stage, own.namespace);
      const whole = await stage.measure(program(own));
      judgeOutput({ client, turn, modules: stage.modules }, whole.stdout);
      const name = `${client} ${turn}`;
      if (round > 0) stage.runsOf.set(name, [...(stage.runsOf.get(name) ?? []), whole]);
    }
  }
}

/** Makes a namespace, and writes what its client applies; gives the folder of that. */
async function prepareClient(
  { plane, catalogue, folder, signal }: Stage,
  namespace: string,
  isOurs: boolean,
): Promise<string> {
  const run = quietRun(signal);
  const world = { controlPlane: controlPlane(await openAccess({ kubeconfig: plane.kubeconfig })), clock: systemClock };
  await installPrerequisites(lifecycleManagerDefinitions(), namespace, world, run);
  const manifests = join(folder, `${catalogue.split("-").at(-1)}-${namespace}`);
  if (isOurs) {
    writeSampleSettings(catalogue, plane.kubeconfig, namespace);
    return manifests;
  }
  const { templates, releaseMetas } = await compileSample(directorySource(catalogue), namespace, run);
  mkdirSync(manifests);
  for (const object of [...templates, ...releaseMetas]) {
    // kubectl applies in the order of the names, so templates come before the release metas that name them.
    const rank = object.kind === "ModuleTemplate" ? "a" : "b";
    writeFileSync(join(manifests, `${rank}-${object.metadata.name}.yaml`), JSON.stringify(object));
  }
  return manifests;
}

/** Another client edits one template in a hundred. */
async function editSome({ plane, modules }: Stage, namespace: string): Promise<void> {
  const outside = openOutside({ kubeconfig: plane.kubeconfig });
  const path = `/apis/operator.kyma-project.io/v1beta2/namespaces/${namespace}/moduletemplates`;
  const list = await outside.must("GET", path);
  const items = list["items"] as readonly { readonly metadata: { readonly name: string } }[];
  const count = (modules * TEMPLATES_OF_MODULE) / 100;
  const edit = { spec: { info: { repository: "https://example.com/edited" } } };
  for (const { metadata } of items.slice(0, count))
    await outside.must("PATCH", `${path}/${metadata.name}?fieldManager=another`, edit, "merge-patch");
}

/** A run counts only when it did its work: everything made the first time, nothing the second time, the edits after that. */
function judgeOutput(
  { client, turn, modules }: { readonly client: Client; readonly turn: Turn; readonly modules: number },
  stdout: string,
): void {
  const objects = modules * (TEMPLATES_OF_MODULE + 1);
  const edited = (modules * TEMPLATES_OF_MODULE) / 100;
  const found = COUNTS[client](stdout, turn);
  // The ConfigMap of the set is ours alone.
  const ours = { first: objects + 1, second: objects + 1, drift: edited };
  const wanted = { sync: ours[turn], kubectl: objects, flux: turn === "drift" ? edited : objects }[client];
  if (found !== wanted) throw new Error(`${client} ${turn} did ${found} of ${wanted}:\n${stdout.slice(0, 1000)}`);
}

/** What was measured on a quiet machine, and is to be kept: how many times longer the others take. */
const LEAST: Readonly<Record<Exclude<Client, "sync">, Readonly<Record<Turn, number>>>> = {
  kubectl: { first: 3, second: 10, drift: 7 },
  flux: { first: 3.1, second: 8.4, drift: 7.5 },
};

function judge({ plane, runsOf, modules, clients }: Stage, name: string): Measurement {
  const requestsBetween = plane.readRequests();
  const samples = new Map(
    [...runsOf].map(([series, runs]) => [
      series,
      runs.map((whole) => sampleOf(whole, requestsBetween(whole.startedMs, whole.endedMs))),
    ]),
  );
  const span = (sample: Sample): number => sample.details["requestSpanSeconds"] ?? Number.NaN;
  const ratios = TURNS.flatMap((turn) =>
    (["kubectl", "flux"] as const).flatMap((client) => {
      if (!clients.has(client)) return [];
      const [of, to] = [`${client} ${turn}`, `sync ${turn}`];
      const pairing = { of: [of, samples.get(of) ?? []], to: [to, samples.get(to) ?? []] } as const;
      const ratio = ratioOf({ name: "seconds from the first to the last request", ...pairing, figure: span });
      const whole = ratioOf({ name: "wall seconds", ...pairing, figure: ({ wallSeconds }) => wallSeconds });
      const limit = atLeast(`${of}: ${ratio.name}`, LEAST[client][turn], "times", ratio.ratio);
      return [{ ratio, whole, limit }];
    }),
  );
  const series = [...samples].map(([of, some]) => seriesOf(of, some));
  const unchanged = series.find((one) => one.name === "sync second")?.details["requests"] ?? null;
  return {
    name,
    what: `${modules * TEMPLATES_OF_MODULE} templates and ${modules} release metas to a real API server, once more, and after others edited one template in a hundred; beside kubectl apply --server-side and Flux's pkg/ssa of the same objects`,
    series,
    ratios: ratios.flatMap(({ ratio, whole }) => [ratio, whole]),
    limits: [
      ...ratios.map(({ limit }) => limit),
      // A page of a LIST has 500 objects.
      atMost("requests of an unchanged sync", 10 + modules / 80, "requests", unchanged),
    ],
  };
}

function sampleOf({ wallSeconds, cpuSeconds, peakMiB }: WholeProcess, requests: Requests): Sample {
  const { count, writes, spanSeconds } = requests;
  return { wallSeconds, cpuSeconds, peakMiB, details: { requests: count, writes, requestSpanSeconds: spanSeconds } };
}
