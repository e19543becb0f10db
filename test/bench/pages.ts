import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import type { DashboardState } from "../../src/dashboard/state.ts";
import { cluster, fleetOf, NOW } from "../dashboard/fleet/fleetOf.ts";
import { fleetSight, stateOf } from "../dashboard/landscapeState.ts";
import { browserProgram, launchBrowser } from "../support/browser.ts";
import { openPages } from "../support/pages.ts";
import { atMost, seriesOf, type Measurement, type Sample, type Skipped } from "./figures.ts";
import { inRounds, ROOT, type Workbench } from "./workbench.ts";

const SIZES = [1_000, 10_000, 30_000] as const;
const PROMISED = 10_000;
const SETTLED_MS = 500;

/** What a reader waits for, in a real Chromium whose caches are empty: the train of the sample, and a large fleet. */
export async function measurePages(bench: Workbench): Promise<Measurement | Skipped> {
  const program = await browserProgram();
  if (program === undefined) return { name: "pages", skipped: "there is no chromium" };
  const browser = await launchBrowser(program);
  try {
    const train = await measureTrain(browser, bench);
    const fleets = new Map<number, readonly Sample[]>();
    for (const size of SIZES) fleets.set(size, await measureFleet(size, browser, bench));
    return judge(train, fleets);
  } finally {
    await browser.close();
  }
}

async function measureTrain(browser: Browser, bench: Workbench): Promise<readonly Sample[]> {
  const main = join(ROOT, "src", "cli", "main.ts");
  const args = [main, "dashboard", "--repo", ROOT, "--offline", "--port", "0"];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await addressFrom(createInterface({ input: child.stdout }));
    return await paints("the train of the sample", address, { browser, bench });
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

async function addressFrom(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+\//.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error("the dashboard ended without an address");
}

async function measureFleet(size: number, browser: Browser, bench: Workbench): Promise<readonly Sample[]> {
  const pages = await openPages(fleetState(size));
  try {
    const address = `${pages.address}/fleet?landscape=prod&module=telemetry`;
    return await paints(`the fleet of ${size}`, address, { browser, bench, filters: true });
  } finally {
    await pages.close();
  }
}

/** One cluster in fifty fails, one in seven has the version before. */
function fleetState(size: number): DashboardState {
  const users = Array.from({ length: size }, (_, index) =>
    cluster(`c-${index}`, index % 7 === 0 ? "1.16.2" : "1.17.1", {
      ...(index % 50 === 0 && { state: "Error", cause: `no match for kind "PodMonitor" (${index % 5})` }),
    }),
  );
  const regions = users.map(({ kyma = "" }, index) => [kyma, `eu${(index % 11) * 10}`] as const);
  return stateOf([fleetSight("prod", fleetOf(users, Object.fromEntries(regions)))], NOW);
}

interface PaintContext {
  readonly browser: Browser;
  readonly bench: Workbench;
  /** Whether the page has a filter that is tried, too. */
  readonly filters?: boolean;
}

async function paints(name: string, address: string, context: PaintContext): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  await inRounds(name, context.bench, async (round) => {
    const details = await paint(address, context);
    const wallSeconds = (details["firstPaintMs"] ?? Number.NaN) / 1000;
    if (round > 0) samples.push({ wallSeconds, cpuSeconds: null, peakMiB: null, details });
  });
  return samples;
}

/** Opens a page as one that was never there. */
async function paint(address: string, { browser, bench, filters = false }: PaintContext): Promise<Sample["details"]> {
  const frame = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await frame.newPage();
    await page.goto(address, { waitUntil: "load" });
    const [firstPaintMs, transferred] = await page.evaluate<[number, number]>(PAINT);
    const details = { firstPaintMs, transferredKB: transferred / 1000 };
    if (!filters) return details;
    // A reader can choose only when the page is shown.
    await sleep(SETTLED_MS, undefined, { signal: bench.signal });
    return { ...details, filterMs: await page.evaluate<number>(FILTER) };
  } finally {
    await frame.close();
  }
}

/** Until the first text is on the screen, since the browser was told to go there; and the bytes of all answers. */
const PAINT = `new Promise((resolve) => {
  const all = () => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName("first-contentful-paint");
    if (paint) resolve([paint.startTime, all().reduce((sum, one) => sum + one.transferSize, 0)]);
  }).observe({ type: "paint", buffered: true });
})`;

/** From the choice of a state until the clusters are those with it. */
const FILTER = `new Promise((resolve) => {
  const startedMs = performance.now();
  new MutationObserver(() => resolve(performance.now() - startedMs))
    .observe(document.getElementById("fleet"), { childList: true });
  const select = document.querySelector("select[name=state]");
  select.value = "Error";
  select.dispatchEvent(new Event("input", { bubbles: true }));
})`;

function judge(train: readonly Sample[], fleets: ReadonlyMap<number, readonly Sample[]>): Measurement {
  const sample = seriesOf("train of the sample", train);
  const series = [...fleets].map(([size, samples]) => [size, seriesOf(`fleet of ${size}`, samples)] as const);
  const promised = new Map(series).get(PROMISED)?.details;
  return {
    name: "pages",
    what: "pages in Chromium with empty caches: until the first paint, the bytes of all answers, and until a filter shows",
    series: [sample, ...series.map(([, one]) => one)],
    ratios: [],
    limits: [
      atMost("first paint of the sample", 200, "milliseconds", sample.details["firstPaintMs"] ?? null),
      atMost("transferred for it", 100, "kB", sample.details["transferredKB"] ?? null),
      atMost("first paint of 10,000 clusters", 300, "milliseconds", promised?.["firstPaintMs"] ?? null),
      atMost("a filter of them", 50, "milliseconds", promised?.["filterMs"] ?? null),
    ],
  };
}
