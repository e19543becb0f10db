import type { Run, Source } from "../../ports.ts";
import { gatherSmoke, type GatheredSmoke } from "../../smoke/gather.ts";
import type { Chosen } from "../../smoke/matrix.ts";
import { type PathResult, pathText, type SmokePath, smokeSteps } from "../../smoke/path.ts";
import { smoke, verdictOn } from "../../smoke/smoke.ts";
import type { SmokeWorld, SmokeOptions } from "../../smoke/world.ts";
import type { SmokePorts } from "../compose/smoke.ts";
import { openChange, sayUncommitted } from "../change.ts";
import { codeOfCatalogue, sayUnreadable, sayUsable } from "../loadCatalogue.ts";
import { type DocumentFacts, EXIT, type Output } from "../terminal/output.ts";
import {
  placeOption,
  planJson,
  planText,
  untestedLines,
  type Ran,
  reportFiles,
  smokeJson,
  smokeText,
  stepLine,
} from "./report.ts";
import { printable } from "../../document/printable.ts";
import { startOfSecondMs } from "../../document/times.ts";
import { openLiveList } from "../terminal/liveList.ts";

interface SmokeArguments {
  readonly modules: readonly string[];
  /** The revision that HEAD is compared with. */
  readonly base?: string | undefined;
  /** Whether a change since `base` includes what is not committed. */
  readonly worktree: boolean;
  readonly all: boolean;
  /** The names of the paths to run; empty for all. */
  readonly only: readonly string[];
  /** Whether to print the paths without running them. */
  readonly plan: boolean;
  /** `undefined` for kind if it can run, else embedded. */
  readonly cluster?: string | undefined;
  /** `undefined` to apply manifests. */
  readonly through?: "lifecycle-manager" | undefined;
  /** Kubernetes versions for kind. */
  readonly kubernetes: readonly string[];
  /** Whether clusters may be on another machine. */
  readonly yes: boolean;
  readonly concurrency: number;
  /** Whether to run paths that passed before. */
  readonly fresh: boolean;
  /** A folder for reports. */
  readonly report?: string | undefined;
  readonly deadlineMs?: number | undefined;
}

/** `kyma-modules smoke`: tests that versions install, and upgrade from every served version. Returns the exit code. */
export async function smokeCommand(
  arguments_: SmokeArguments,
  ports: SmokePorts,
  output: Output,
  run: Run,
): Promise<number> {
  const { clock } = ports.world;
  // Fail before the first path if the report cannot be written.
  if (arguments_.report !== undefined) await ports.check.writeFolder(arguments_.report, new Map(), run);
  const sides = await smokeSides(arguments_, ports, output, run);
  const gathered = await gatherSmoke({ ...sides, only: arguments_.only, history: ports.history, clock }, run);
  if (gathered.kind === "unreadable") {
    sayUnreadable(gathered.findings, output);
    return EXIT.findings;
  }
  const least = codeOfCatalogue(gathered.head);
  if (least !== EXIT.fine) sayUsable(gathered.head, output);
  const facts = { revision: gathered.head.revision, decidedAt: clock.nowMs() };
  if (arguments_.plan) {
    output.report({ text: () => planText(gathered), json: () => planJson(gathered.paths, facts) });
    return least;
  }
  for (const line of untestedLines(gathered.untested)) output.say(line);
  return Math.max(least, await runAll({ arguments: arguments_, gathered, ports, output }, run));
}

/** The context of running and reporting. */
interface Stage {
  readonly arguments: SmokeArguments;
  readonly gathered: GatheredSmoke;
  readonly ports: SmokePorts;
  readonly output: Output;
}

async function runAll(stage: Stage, run: Run): Promise<number> {
  const { gathered, ports } = stage;
  const { kubernetes: asked, report: logs, yes: isAgreed } = stage.arguments;
  const { clock } = ports.world;
  const { through } = stage.arguments;
  const manager = through === undefined ? undefined : ports.manager(logs);
  const place = await smokePlace(stage, run);
  const startedMs = clock.elapsedMs();
  const results: PathResult[] = [];
  try {
    for (const kubernetes of asked.length === 0 ? [undefined] : asked) {
      const supply = ports.supply(place, { kubernetes, logs, isAgreed });
      try {
        results.push(...(await runOn({ supply, manager: manager?.open }, stage, run)));
      } finally {
        await supply.close();
      }
    }
  } finally {
    await manager?.close();
  }
  const seconds = (clock.elapsedMs() - startedMs) / 1000;
  const ran = { place, through, seconds, revision: gathered.head.revision, decidedAt: clock.nowMs() };
  await report(results, ran, stage, run);
  const codes = { passed: EXIT.fine, failed: EXIT.findings, world: EXIT.world };
  return codes[verdictOn(results)];
}

/** The place to run: by default kind if it can run, else embedded. */
async function smokePlace({ arguments: { cluster }, ports, output }: Stage, run: Run): Promise<string> {
  if (cluster !== undefined) return cluster;
  const missing = await ports.kindMissing(run);
  if (missing === undefined) return "kind";
  output.say(
    `Running on embedded control planes, without pods: ${missing}. Choose another place: --cluster context:NAME.`,
  );
  return "embedded";
}

async function runOn(
  { supply, manager }: Pick<SmokeWorld, "supply" | "manager">,
  { arguments: arguments_, gathered, ports, output }: Stage,
  run: Run,
): Promise<readonly PathResult[]> {
  const { concurrency, deadlineMs } = arguments_;
  const progress = output.isWatched ? await liveProgress(gathered.paths, concurrency) : plainProgress(output);
  // Three minutes are enough for a slow manager; an API server alone settles at once.
  const settleMs = deadlineMs ?? (supply.pods ? 180_000 : 20_000);
  const options = { limits: { settleMs, holdMs: 10_000, lookMs: 1_000 }, concurrency, ...progress };
  // The cache does not record the version of lifecycle-manager.
  const isAnew = arguments_.fresh || arguments_.report !== undefined || manager !== undefined;
  const cache = isAnew ? undefined : ports.cache;
  try {
    return await smoke(gathered.paths, gathered, options, { ...ports.world, cache, supply, manager }, run);
  } finally {
    await progress.close();
  }
}

async function report(
  results: readonly PathResult[],
  ran: Ran & DocumentFacts,
  { arguments: { report: folder }, ports, output }: Stage,
  run: Run,
): Promise<void> {
  const json = (): string => smokeJson(results, ran, ran);
  output.report({ text: (paper) => smokeText(results, ran, paper), json });
  if (folder === undefined) return;
  const observedAt = new Date(startOfSecondMs(ran.decidedAt)).toISOString();
  const observed = { observedAt, source: ports.source(placeOption(ran)) };
  await ports.check.writeFolder(folder, reportFiles(results, ran, observed, json()), run);
}

interface SmokeSources {
  readonly head: Source;
  readonly base: Source | undefined;
  readonly chosen: Chosen;
}

async function smokeSides(
  arguments_: SmokeArguments,
  { check }: SmokePorts,
  output: Output,
  run: Run,
): Promise<SmokeSources> {
  const { base, worktree, all, modules } = arguments_;
  if (base === undefined)
    return { head: check.openHead(), base, chosen: all ? { kind: "all" } : { kind: "named", modules } };
  const change = await openChange(base, worktree, check, run);
  await sayUncommitted(arguments_, check, output, run);
  return { ...change, chosen: { kind: "changed", paths: new Set(change.paths) } };
}

/** Reports the progress of paths. */
interface Progress extends Pick<SmokeOptions, "onStep" | "onRetry" | "onPath"> {
  /** Ends the report. */
  close(): Promise<void>;
}

/** Prints a line for each finished step. */
function plainProgress(output: Output): Progress {
  return {
    onStep: (path, result) => {
      output.say(stepLine(path, result, output));
    },
    onRetry: (path, why) => {
      output.say(`${pathText(path)}: ${retryText(why)}`);
    },
    onPath: () => undefined,
    close: () => Promise.resolve(),
  };
}

/**
 * Shows a list of the paths, each with its current step. The list is cleared at the end, because the report has
 * everything.
 */
async function liveProgress(paths: readonly SmokePath[], concurrency: number): Promise<Progress> {
  const items = paths.map((key) => ({ key, group: key.module, title: pathText(key) }));
  const list = await openLiveList(items, concurrency);
  const over = new Map(paths.map((path) => [path, 0]));
  const trouble = new Map<SmokePath, string>();
  const goesOn = (path: SmokePath, steps: number): void => {
    const all = smokeSteps(path);
    over.set(path, steps);
    const at = all[steps];
    if (at !== undefined) list.says(path, `${at}, ${steps + 1} of ${all.length}${trouble.get(path) ?? ""}`);
  };
  for (const path of paths) goesOn(path, 0);
  return {
    onStep: (path) => {
      goesOn(path, (over.get(path) ?? 0) + 1);
    },
    onRetry: (path, why) => {
      trouble.set(path, `; ${retryText(why)}`);
      goesOn(path, 0);
    },
    onPath: (result) => {
      list.ends(result.path, failureText(result));
    },
    close: () => list.close(),
  };
}

function retryText(why: string): string {
  return `the cluster failed, retrying once on another one: ${printable(why)}`;
}

function failureText({ path, steps, world }: PathResult): string | undefined {
  const failed = steps.find(({ result }) => result === "failed");
  if (failed !== undefined) return `${pathText(path)}: ${failed.step} failed`;
  return world === undefined ? undefined : `${pathText(path)}: not decided: ${printable(world)}`;
}
