import { dirname, join } from "node:path";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { deadlineIn } from "../../catalogue/wave.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import { MANDATORY } from "../../catalogue/names.ts";
import { countRollout } from "../../fleet/rollout.ts";
import type { ModuleUser } from "../../fleet/users.ts";
import { lifecycleManagerDefinitions } from "../../kubernetes/customResourceDefinition.ts";
import { Fault, type Run, type Snapshot, type SteadyClock } from "../../ports.ts";
import { rehearsedDefinitions } from "../../rehearsal/definitions.ts";
import { rehearsedKymas, type FleetPlan } from "../../rehearsal/fleet.ts";
import { openedFile } from "../../rehearsal/opened.ts";
import { placeOfKey, type ServedVersion } from "../../sync/plan/records.ts";
import { openSource } from "../compose/compose.ts";
import { openChanges } from "../compose/demo.ts";
import { openDemoClone, type DemoClone } from "../compose/demoClone.ts";
import { repositoryIdentity } from "../compose/sync.ts";
import { clock as realClock, openRepository } from "../compose/systems.ts";
import { readCatalogue } from "../loadCatalogue.ts";
import { untilStopped } from "../terminal/endless.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { type DemoScene, firstSync, installAll, keepAll } from "./begin.ts";
import { Journal, type Condition, type LookAccount } from "./journal.ts";
import { DemoKeeper, rulesOfTrain, type DemoTarget } from "./keeper.ts";
import { keptBy, serveDemo } from "./pages.ts";
import { RehearsedFleet } from "./rehearsedFleet.ts";
import { accountOfDeeds, accountOfFiles, changedText, lookLines, sayBlock, seconds } from "./report.ts";
import { openTrain, promoteTrain, publishSmoke, QUESTION, type PromotedTrain } from "./trainPromotion.ts";
import { trainTips } from "./tips.ts";
import { catalogueIn } from "../../reading/catalogue.ts";

const LOOK_MS = 1_000;
/** How often pages are refreshed, whose clock may be fast, in milliseconds. */
const PAGES_MS = 2_000;
/** The number of looks for each decision on promotions. */
const PROMOTED_EVERY = 3;

/** A demo with clusters. */
interface DemoTrain extends PromotedTrain {
  readonly clone: DemoClone;
  readonly repository: string;
  readonly clock: SteadyClock;
  readonly keepers: readonly DemoKeeper[];
  readonly journal: Journal;
  readonly incidents: string[];
  /** When the demo began, in Unix milliseconds. Versions served before are not reported. */
  readonly begunMs: number;
  /** The user's files as last committed to the clone. */
  files: Snapshot["files"];
  wanted: DemoTarget;
}

/**
 * Shows a demo with clusters that a rehearsal of lifecycle-manager keeps: on a clone, with waves and promotions, by a
 * clock that may be fast. Returns the exit code.
 */
export async function showTrain(scene: DemoScene, output: Output, run: Run): Promise<number> {
  const { started, startedMs, options, lost, files, incidents } = scene;
  const { repository } = scene.wanted;
  const clock = fastClock(realClock, options.speed);
  const clone = await openDemoClone(repository, join(dirname(started.kubeconfig), "clone.git"), clock, run);
  await commitFiles(clone, new Map(), files, "Working tree, with open policies", run);
  const wanted = await wantedAt(clone, output, run);
  if (wanted === undefined) return EXIT.findings;
  output.say("Installing the CustomResourceDefinitions, then syncing.");
  await installAll(started, [...lifecycleManagerDefinitions(), ...rehearsedDefinitions()], run);
  const rules = rulesOfTrain(started.landscapes, clock);
  const begun = { ...rules, options: { ...rules.options, now: "a demo begins with what is there" } };
  const keepers = started.landscapes.map((landscape) => new DemoKeeper(landscape, wanted, begun));
  const fleets = started.landscapes.map((landscape) => new RehearsedFleet(landscape, clock));
  return keepAll([...keepers, ...fleets], lost, run, async () => {
    const journal = new Journal();
    journal.look([accountOfFiles(wanted.catalogue.findings, output)]);
    const code = await firstSync(wanted, { keepers, journal }, output, run);
    await Promise.all(
      fleets.map((fleet) => fleet.populate(rehearsedKymas(rehearsedPlan(fleet, wanted.catalogue, options)), run)),
    );
    for (const keeper of keepers) keeper.rules = rules;
    const speed =
      options.speed === 1
        ? "its clock is that of this machine"
        : `its clock runs ${String(options.speed)} times as fast`;
    const each = `${String(options.clusters)} clusters a landscape, kept by a rehearsal of lifecycle-manager`;
    output.say(`Ready after ${seconds(realClock.nowMs() - startedMs)}: ${each}; ${speed}.`);
    const train = {
      ...{ repository, clone, clock, fleets, keepers, journal, incidents, files, wanted, begunMs: clock.nowMs() },
    };
    await publishSmoke(wanted.catalogue, wanted.commit, train, run);
    if (options.once) return code;
    const world = {
      open: () => openTrain(train.wanted.catalogue, train),
      landscapes: keptBy(keepers, true),
    };
    const pages = await serveDemo({ ...QUESTION, intervalMs: PAGES_MS }, world, run);
    output.say(`See it in a browser: ${pages.address}/`);
    for (const line of trainTips(wanted, started, { repository, speed: options.speed })) output.say(line);
    return keepAll([pages], lost, run, async () => {
      await untilStopped(followTrain(train, output, run), run);
      lost.signal.throwIfAborted();
      return EXIT.fine;
    });
  });
}

function rehearsedPlan(
  { landscape: { name: landscape, namespace } }: RehearsedFleet,
  { channels }: Catalogue,
  { clusters, failing }: Pick<FleetPlan, "clusters" | "failing">,
): FleetPlan {
  const serving = [...channels.values()].filter(
    ({ kind, landscapes }) => kind === "release" && landscapes.some((one) => one === landscape),
  );
  const offers = new Map(serving.map(({ name, templates }) => [name, [...templates.keys()]]));
  return { landscape, namespace, clusters, offers, failing };
}

/** Commits changed files, with open policies. Deleted files stay. Returns the committed paths. */
async function commitFiles(
  clone: DemoClone,
  before: Snapshot["files"],
  files: Snapshot["files"],
  message: string,
  run: Run,
): Promise<readonly string[]> {
  const changed = [...files].filter(([path, file]) => {
    const former = before.get(path);
    return former === undefined || openedFile(path, former) !== openedFile(path, file);
  });
  const texts = changed.map(([path, file]) => [path, openedFile(path, file)] as const);
  const written = texts.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));
  if (written.length > 0) await clone.commit(new Map(written), message, run);
  return written.map(([path]) => path);
}

async function wantedAt(clone: DemoClone, output: Output, run: Run): Promise<DemoTarget | undefined> {
  const commit = await clone.tip(run);
  if (commit === undefined)
    throw new Fault("CONFIGURATION", "There is no catalogue to show. Make one: kyma-modules init.");
  const catalogue = readCatalogue(await clone.read(commit, run), output);
  return catalogue && cloneTarget(clone, catalogue, commit, run);
}

async function cloneTarget(clone: DemoClone, catalogue: Catalogue, commit: string, run: Run): Promise<DemoTarget> {
  const identity = await repositoryIdentity(catalogue, openRepository(clone.folder), run);
  return { repository: clone.folder, identity, catalogue, commit };
}

/** Commits what the user saves, serves the clone, promotes, and prints all events. */
async function followTrain(train: DemoTrain, output: Output, run: Run): Promise<void> {
  let look = 0;
  for await (const _ of openChanges(train.repository, LOOK_MS, run)) {
    const startedMs = realClock.nowMs();
    try {
      const headings = [...(await committed(train, run)), ...train.incidents.splice(0)];
      const accounts = await served(train, output, run);
      if (look++ % PROMOTED_EVERY === 0) accounts.push(...(await promoteTrain(train.wanted.catalogue, train, run)));
      accounts.push(
        ...fleetAccounts(train),
        ...train.keepers.flatMap((keeper) => accountOfDeeds(keeper.landscape.name, keeper.take(), output)),
      );
      const told = train.journal.look(accounts);
      const heading = headings.join("; ") || [...new Set(told.news.map(({ subject }) => subject))].join(", ");
      const took = `after ${seconds(realClock.nowMs() - startedMs)}`;
      if (heading !== "") sayBlock(heading, lookLines(told, took), output);
    } catch (error) {
      if (!(error instanceof Fault) || run.signal.aborted) throw error;
      run.log.warn("a look failed, and is repeated", { because: error.message });
    }
  }
}

async function committed(train: DemoTrain, run: Run): Promise<readonly string[]> {
  const { files } = await openSource(train.repository, undefined).snapshot(isOfCatalogue, run);
  const paths = await commitFiles(train.clone, train.files, files, "What was saved in the working tree", run);
  train.files = files;
  return paths.length === 0 ? [] : [changedText(paths)];
}

/** Serves the current tip of the clone's branch. */
async function served(train: DemoTrain, output: Output, run: Run): Promise<LookAccount[]> {
  const { clone, wanted, keepers } = train;
  const tip = await clone.tip(run);
  for (const keeper of keepers) keeper.wake();
  if (tip === undefined || tip === wanted.commit) return [];
  const { findings, whole } = catalogueIn(await clone.read(tip, run));
  const account = accountOfFiles(findings, output);
  if (whole === undefined) return [account];
  train.wanted = await cloneTarget(clone, whole, tip, run);
  await publishSmoke(whole, tip, train, run);
  await Promise.all(keepers.map((keeper) => keeper.serve(train.wanted, run)));
  return [account];
}

/** The accounts of clusters: halted waves, and the progress of versions. */
function fleetAccounts({ keepers, fleets, clock, begunMs, wanted }: DemoTrain): readonly LookAccount[] {
  return keepers.map(({ records, landscape }, index) => {
    const users = fleets[index]?.users();
    const deadlineMs = deadlineIn(landscape.name, wanted.catalogue.settings);
    const standing = [...records].flatMap(([key, { current }]) => {
      const rows = users?.kind === "known" ? users.modules.get(placeOfKey(key).module) : undefined;
      const isShown = current !== undefined && rows !== undefined && current.sinceMs >= begunMs;
      return isShown ? servedConditions({ key, deadlineMs }, current, rows, clock.nowMs()) : [];
    });
    return { subject: `clusters of ${landscape.name}`, did: [], standing };
  });
}

function servedConditions(
  { key, deadlineMs }: { readonly key: string; readonly deadlineMs: number },
  { version, sinceMs: appliedMs, restoredMs, wave }: ServedVersion,
  rows: readonly ModuleUser[],
  nowMs: number,
): readonly Condition[] {
  const { channel } = placeOfKey(key);
  const wanted = { channel, mandatory: channel === MANDATORY, version, appliedMs, restoredMs, deadlineMs };
  const { clusters, have, failing } = countRollout(rows, wanted, nowMs);
  const counts = `${key} ${version} on ${String(have)} of ${String(clusters)} clusters`;
  const far = { text: failing === 0 ? counts : `${counts}, failing on ${String(failing)}`, isAmiss: false };
  const { halt } = wave ?? {};
  return halt === undefined ? [far] : [far, { text: `${key} ${version} halted: ${halt.reason}`, isAmiss: true }];
}

/**
 * A clock that runs `speed` times as fast from now on. Only its instants do: waits and measured durations are those of
 * `clock`, so that Leases, deadlines and retries are normal.
 */
function fastClock(clock: SteadyClock, speed: number): SteadyClock {
  const [startMs, startedMs] = [clock.nowMs(), clock.elapsedMs()];
  return { ...clock, speed, nowMs: () => Math.floor(startMs + (clock.elapsedMs() - startedMs) * speed) };
}
