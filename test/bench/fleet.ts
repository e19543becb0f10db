import { join } from "node:path";
import { lifecycleManagerDefinitions } from "../../src/kubernetes/customResourceDefinition.ts";
import { MEMORY } from "../../src/sync/install/pod.ts";
import { installPrerequisites } from "../../src/sync/prerequisites.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { quietRun } from "../support/quietRun.ts";
import { openOutside } from "../sync/outside.ts";
import { fleetDefinitions, installDefinitions } from "../sync/world.ts";
import { startAudited } from "./auditedControlPlane.ts";
import { atMost, ratioOf, seriesOf, spreadOf, type Limit, type Measurement, type Sample } from "./figures.ts";
import { makeKymas } from "./sampleFleet.ts";
import { inRounds, ROOT, type Workbench } from "./workbench.ts";

const NAMESPACE = "kcp-system";
/** How many clusters: it has to grow no faster than they do. */
const SIZES = [1_000, 10_000, 30_000] as const;
const PROMISED = 10_000;

/** What a fleet costs: the first view of it, a card and a page of it, and its changes. */
export async function measureFleet(bench: Workbench): Promise<Measurement> {
  const plane = await startAudited(bench);
  try {
    const outside = openOutside({ kubeconfig: plane.kubeconfig });
    const definitions = [...lifecycleManagerDefinitions(), ...fleetDefinitions()];
    await installDefinitions(outside, definitions);
    const access = await openAccess({ kubeconfig: plane.kubeconfig });
    const world = { controlPlane: controlPlane(access), clock: systemClock };
    await installPrerequisites(definitions, NAMESPACE, world, quietRun(bench.signal));
    const measured: Measured[] = [];
    for (const [at, size] of SIZES.entries()) {
      bench.say(`fleet: making Kymas, up to ${size}`);
      await makeKymas(outside, NAMESPACE, SIZES[at - 1] ?? 0, size);
      measured.push({ size, ...(await measureOne(plane.kubeconfig, size, bench)) });
    }
    return judge(measured);
  } finally {
    await plane.stop();
  }
}

interface Measured {
  readonly size: number;
  readonly views: readonly Sample[];
  /** The same LIST, and JSON.parse alone. */
  readonly lists: readonly Sample[];
}

async function measureOne(kubeconfig: string, size: number, bench: Workbench): Promise<Omit<Measured, "size">> {
  const program = join(ROOT, "test/bench/programs/fleetView.ts");
  const once = async (...mode: readonly string[]): Promise<Sample> => {
    const args = [program, kubeconfig, NAMESPACE, ...mode];
    const whole = await bench.measure({ program: process.execPath, args, cwd: ROOT, env: MEMORY });
    return { ...whole, details: JSON.parse(whole.stdout) as Readonly<Record<string, number>> };
  };
  const [views, lists]: [Sample[], Sample[]] = [[], []];
  await inRounds(`fleet of ${size}`, bench, async (round) => {
    const [list, view] = [await once("--list"), await once()];
    if (round === 0) return;
    views.push(view);
    lists.push(list);
  });
  return { views, lists };
}

function judge(measured: readonly Measured[]): Measurement {
  const promised = measured.find(({ size }) => size === PROMISED);
  const limit = (name: string, most: number, unit: string, figure: string): Limit =>
    atMost(
      `${name}, ${PROMISED} clusters`,
      most,
      unit,
      spreadOf(promised?.views.map((one) => detail(one, figure)) ?? []),
    );
  return {
    name: "fleet",
    what: "Kymas with five modules each: the first view of them as a process of its own, then the card of a module, the page of the fleet as it is made, and 10,000 changes of Kymas",
    series: measured.flatMap(({ size, views, lists }) => [
      seriesOf(`view of ${size}`, views),
      seriesOf(`list of ${size}`, lists),
    ]),
    ratios: measured.map(({ size, views, lists }) =>
      ratioOf({
        name: `first view of ${size} beside LIST and JSON.parse alone`,
        of: [`view of ${size}`, views],
        to: [`list of ${size}`, lists],
        figure: (sample) => detail(sample, "firstViewSeconds"),
      }),
    ),
    limits: [
      limit("first view", 3.5, "seconds", "firstViewSeconds"),
      limit("memory of the first view", 220, "MiB", "firstViewMiB"),
      limit("card of one module", 100, "milliseconds", "cardMs"),
      limit("page of the fleet, as it is made", 300, "milliseconds", "pageMs"),
      limit("the same, filtered", 50, "milliseconds", "filteredMs"),
      limit("1,000 changes a second", 15, "percent of a core", "eventsCpuPercent"),
    ],
  };
}

function detail({ details }: Sample, name: string): number {
  return details[name] ?? Number.NaN;
}
