// fleetView.ts KUBECONFIG NAMESPACE [--list]: the first view of a fleet as the controller has it, then the card of a
// module, the page of the fleet, and 10,000 Kymas that change. With --list, the peer: the same LIST and JSON.parse alone.
import { setFlagsFromString } from "node:v8";
import { countRollout } from "../../../src/fleet/rollout.ts";
import { RESOURCES, type KubernetesObject } from "../../../src/kubernetes/object.ts";
import { rolloutCard } from "../../../src/cli/rollout/command.ts";
import { followAll } from "../../../src/sync/controller/following.ts";
import { LandscapeStore } from "../../../src/sync/controller/store.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { openAccess } from "../../../src/systems/kubernetes/access.ts";
import { controlPlane as connect } from "../../../src/systems/kubernetes/controlPlane.ts";
import { quietRun } from "../../support/quietRun.ts";
import { fleetPage, MODULE, SERVED } from "../fleetPage.ts";
import { kymaOf } from "../sampleFleet.ts";

// As the program's launcher does it: on the command line of Node the first one has no effect.
for (const flag of ["--semi-space-growth-factor=1", "--heap-growing-percent=100"]) setFlagsFromString(flag);
const [kubeconfig = "", namespace = "", mode] = process.argv.slice(2);
const ending = new AbortController();
const run = quietRun(ending.signal);
const controlPlane = connect(await openAccess({ kubeconfig }));
const mebibytes = (bytes: number): number => bytes / 2 ** 20;
const peakMiB = (): number => mebibytes(process.resourceUsage().maxRSS * 1024);

/** Seconds of this thread and of those that Node has beside it. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** What `work` gives, and the milliseconds that it takes: the median of nine times. */
function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const times = Array.from({ length: 9 }, () => {
    const startedMs = performance.now();
    work();
    return performance.now() - startedMs;
  });
  return { value: work(), ms: times.toSorted((a, b) => a - b)[4] ?? Number.NaN };
}

async function listAlone(): Promise<object> {
  const kept: (readonly KubernetesObject[])[] = [];
  for await (const { objects } of controlPlane.list(RESOURCES.kyma, namespace, run)) kept.push(objects);
  const seconds = performance.now() / 1000;
  const bytes = kept.flat().reduce((sum, kyma) => sum + JSON.stringify(kyma).length, 0);
  return { kymas: kept.flat().length, readMiB: mebibytes(bytes), firstViewSeconds: seconds, firstViewMiB: peakMiB() };
}

async function view(): Promise<object> {
  const { promise: settled, resolve } = Promise.withResolvers<undefined>();
  const store = new LandscapeStore(namespace, {
    controlPlane,
    clock: systemClock,
    isGate: false,
    onChange: () => {
      if (store.missing === undefined) resolve(undefined);
    },
  });
  const onState = (): void => undefined;
  const world = { controlPlane, namespace, clock: systemClock, random: Math.random, relistMs: 3_600_000, onState };
  const following = followAll(store, world, run).map((task) => task.catch(() => undefined));
  await settled;
  const users = await store.users(run);
  if (users.kind === "unknown") throw new Error(users.because);
  const [firstViewSeconds, firstViewMiB] = [performance.now() / 1000, peakMiB()];

  const nowMs = Date.now() + 60_000;
  const page = timed(() => fleetPage(users, nowMs, "/fleet"));
  const filtered = timed(() => fleetPage(users, nowMs, `/fleet?module=${MODULE}&version=${SERVED}&cause=none`));
  const card = timed(() => {
    const wanted = { channel: "fast", mandatory: false, version: SERVED, appliedMs: 0, deadlineMs: 600_000 };
    const counts = countRollout(users.modules.get(MODULE) ?? [], wanted, nowMs);
    const entry = {
      channel: "fast",
      mandatory: false,
      version: SERVED,
      failedBefore: 0,
      replaced: undefined,
    };
    const times = { sinceMs: 0, untilMs: undefined, ready: undefined };
    const versions = [{ ...entry, ...times, counts }];
    const rollout = { landscape: "prod", versions, kymas: users.kymas.size, unknown: undefined };
    return rolloutCard([rollout], { revision: "a".repeat(40), decidedAt: nowMs, module: MODULE });
  });

  const sink = store.sinkOf("kymas");
  const texts = Array.from({ length: EVENTS }, (_, index) => JSON.stringify(kymaOf(index % users.kymas.size, "1.1.1")));
  const cpuBefore = cpuSeconds();
  for (const [index, text] of texts.entries()) {
    sink.changed(JSON.parse(text) as KubernetesObject);
    // The controller looks at most once a second.
    if (index % EVENTS_A_SECOND === 0) await store.users(run);
  }
  const eventsCpuPercent = ((cpuSeconds() - cpuBefore) / (EVENTS / EVENTS_A_SECOND)) * 100;

  ending.abort();
  await Promise.all(following);
  const sizes = { kymas: users.kymas.size, pageKiB: page.value.length / 1024 };
  const times = { cardMs: card.ms, pageMs: page.ms, filteredMs: filtered.ms, eventsCpuPercent };
  return { ...sizes, firstViewSeconds, firstViewMiB, ...times };
}

const [EVENTS, EVENTS_A_SECOND] = [10_000, 1_000];

console.log(JSON.stringify(await (mode === "--list" ? listAlone() : view())));
