import { isDeepStrictEqual } from "node:util";
import type { ServedPages } from "../../dashboard/serve.ts";
import { Fault, type Run, type Snapshot } from "../../ports.ts";
import { openSource } from "../compose/compose.ts";
import { findTools, openChanges } from "../compose/demo.ts";
import { openReading } from "../compose/promotion.ts";
import { clock } from "../compose/systems.ts";
import { untilStopped } from "../terminal/endless.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { type DemoScene, firstSync, installAll, keepAll } from "./begin.ts";
import { Journal, type LookAccount } from "./journal.ts";
import { DemoKeeper, demoTarget, type DemoTarget } from "./keeper.ts";
import { keptBy, serveDemo } from "./pages.ts";
import { accountOfDeeds, accountOfFiles, changedText, lookLines, sayBlock, seconds } from "./report.ts";
import { tips } from "./tips.ts";
import { catalogueAt } from "../../reading/catalogue.ts";

/** How often to look at the files and report without a change, in milliseconds. */
const LOOK_MS = 1_000;
/** How often pages are refreshed, in milliseconds. */
const PAGES_MS = 5_000;

/** Shows a demo that serves the files of the working tree, all waves at once. Returns the exit code. */
export async function showFiles(scene: DemoScene, output: Output, run: Run): Promise<number> {
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
    const pages = await demoPages(wanted, keepers, output, run);
    for (const line of tips(wanted, started, await findTools(wanted.repository, run))) output.say(line);
    return keepAll(pages, lost, run, async () => {
      await untilStopped(follow({ ...scene, keepers, journal }, output, run), run);
      lost.signal.throwIfAborted();
      return EXIT.fine;
    });
  });
}

/**
 * Serves web pages of HEAD and of the control planes of the demo, if there is a commit to show. Does not contact the
 * forge.
 */
async function demoPages(
  { repository: repo }: DemoTarget,
  keepers: readonly DemoKeeper[],
  output: Output,
  run: Run,
): Promise<readonly ServedPages[]> {
  const shown = { evidence: [], revision: "HEAD", intervalMs: PAGES_MS };
  const world = { open: () => openReading({ repo, offline: true }), landscapes: keptBy(keepers, false) };
  try {
    const pages = await serveDemo(shown, world, run);
    output.say(`See it in a browser: ${pages.address}/`);
    return [pages];
  } catch (error) {
    if (!(error instanceof Fault) || run.signal.aborted) throw error;
    output.say(`No web pages: ${error.message}`);
    return [];
  }
}

/** A demo whose control planes serve the catalogue. */
interface Following {
  readonly wanted: DemoTarget;
  readonly files: Snapshot["files"];
  readonly keepers: readonly DemoKeeper[];
  readonly journal: Journal;
  /** Headings about events of control planes since the last look; removed once they are printed. */
  readonly incidents: string[];
}

/**
 * Keeps the control planes in sync with the files until `run` is aborted, and prints what their keepers do: a block for
 * each event.
 */
async function follow(following: Following, output: Output, run: Run): Promise<void> {
  const { keepers, journal, incidents } = following;
  let { wanted, files } = following;
  for await (const _ of openChanges(wanted.repository, LOOK_MS, run)) {
    const startedMs = clock.nowMs();
    const reading = await catalogueAt(openSource(wanted.repository, undefined), run);
    const changed = changedPaths(files, reading.files);
    const headings = [...(changed.length > 0 ? [changedText(changed)] : []), ...incidents.splice(0)];
    const accounts: LookAccount[] = [];
    if (changed.length > 0) {
      files = reading.files;
      if (reading.whole !== undefined) wanted = await demoTarget(wanted.repository, reading.whole, run);
      accounts.push(accountOfFiles(reading.findings, output));
    }
    if (headings.length > 0) {
      wanted = { ...wanted };
      await Promise.all(keepers.map((keeper) => keeper.serve(wanted, run)));
    }
    const deeds = keepers.map((keeper) => ({ name: keeper.landscape.name, done: keeper.take() }));
    accounts.push(...deeds.flatMap(({ name, done }) => accountOfDeeds(name, done, output)));
    const look = journal.look(accounts);
    if (headings.length > 0)
      sayBlock(headings.join("; "), lookLines(look, `after ${seconds(clock.nowMs() - startedMs)}`), output);
    else if (look.news.length > 0) {
      // The keepers did something without a change of files.
      const tookMs = Math.max(0, ...deeds.flatMap(({ done }) => done.map((deed) => deed.tookMs)));
      const subjects = look.news.map(({ subject }) => subject).join(", ");
      sayBlock(`on the control plane of ${subjects}`, lookLines(look, `after ${seconds(tookMs)}`), output);
    }
  }
}

function changedPaths(before: Snapshot["files"], after: Snapshot["files"]): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => !isDeepStrictEqual(before.get(path), after.get(path))).toSorted();
}
