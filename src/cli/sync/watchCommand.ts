import type { Landscape } from "../../catalogue/settings.ts";
import type { Fault, Log, LogFields, Run } from "../../ports.ts";
import { keepLandscape, type ControllerWorld } from "../../sync/controller/controller.ts";
import { TIMING } from "../../sync/controller/pass.ts";
import { Publisher } from "../../sync/controller/publisher.ts";
import { followBranch, Landscapes, reopening, type BranchWorld } from "../../sync/controller/supervisor.ts";
import { together } from "../../sync/controller/together.ts";
import { Wake } from "../../sync/controller/wake.ts";
import {
  keepMemoryLow,
  openController,
  openMetrics,
  openServer,
  type ControllerSource,
  type OpenController,
} from "../compose/controller.ts";
import { controllerHolder } from "../compose/sync.ts";
import { clock } from "../compose/systems.ts";
import { untilStopped } from "../terminal/endless.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { chosenLandscapes } from "./landscapes.ts";
import { WatchJournal } from "./watchJournal.ts";

/** The arguments of `sync --watch`. */
export interface WatchArguments extends ControllerSource {
  /** Empty for all. */
  readonly landscapes: readonly string[];
  /** The time between two fetches, in milliseconds. */
  readonly interval: number;
  readonly listen: { readonly host: string; readonly port: number };
  /** Whether to publish evidence from clusters. */
  readonly publish: boolean;
}

/**
 * `kyma-modules sync --watch`: keeps control planes in sync with a branch until it is stopped. Returns the exit code.
 */
export async function watchCommand(arguments_: WatchArguments, output: Output, run: Run): Promise<number> {
  const log = jsonLog(output);
  const within: Run = { ...run, log };
  const wake = new Wake(clock);
  const numbers = await openMetrics();
  const controller = openController(arguments_, numbers.metrics);
  const journal = new WatchJournal(log, numbers.metrics);
  const server = await openServer(
    {
      ...arguments_.listen,
      onPush: ({ ref }) => {
        if (ref === `refs/heads/${arguments_.branch}`) wake.raise();
      },
      alive: () => undefined,
      ready: () => journal.unready,
      metrics: () => {
        numbers.metrics.lags(journal.lagMs(clock.nowMs()));
        return numbers.read();
      },
    },
    within,
  );
  log.info("controller started", { repository: controller.upstream.name, address: server.address });
  try {
    await untilStopped(watch(controller, journal, { arguments_, wake }, within), run);
    return EXIT.fine;
  } finally {
    await server.close();
    log.info("controller stopped");
  }
}

interface WatchContext {
  readonly arguments_: WatchArguments;
  /** Raised on a push. */
  readonly wake: Wake;
}

async function watch(
  controller: OpenController,
  journal: WatchJournal,
  { arguments_, wake }: WatchContext,
  run: Run,
): Promise<never> {
  let tip: string | undefined;
  const misnamed = new AbortController();
  const publisher = new Publisher({
    clock,
    publish: (seen, of) => controller.publish(seen, tip, of),
    hasPublished: ({ paths }) => paths.length > 0,
    onTried: (landscape, result) => {
      journal.published(landscape, result);
    },
  });
  const onSeen: ControllerWorld["onSeen"] = (name, seen) => {
    journal.seen(name, seen);
    if (arguments_.publish) publisher.hear(name, seen);
  };
  const landscapes = new Landscapes(clock, async (landscape, changed, within) => {
    journal.begins(landscape.name);
    try {
      return await keep(landscape, { controller, journal, changed, onSeen, tip: () => tip }, within);
    } finally {
      journal.ends(landscape.name);
    }
  });
  const branch: BranchWorld = {
    ...{ upstream: controller.upstream, clock, random: Math.random, wake, intervalMs: arguments_.interval },
    onTip: async (commit) => {
      const known = await controller.landscapesAt(commit, run);
      // A later commit may remove a landscape, but an unknown name at the start is a mistake.
      if (tip === undefined && known.length > 0) refuseMisnamed(known, arguments_, misnamed);
      tip = commit;
      journal.moved(commit, clock.nowMs());
      await landscapes.keep(chosenLandscapes({ landscapes: known }, arguments_.landscapes), run);
    },
    onFetched: (result) => {
      journal.fetched(result);
    },
  };
  const within: Run = { ...run, signal: AbortSignal.any([run.signal, landscapes.failed, misnamed.signal]) };
  try {
    return await together((of) => [followBranch(branch, of), publisher.keep(of), keepMemoryLow(clock, of)], within);
  } finally {
    await landscapes.stop();
  }
}

function refuseMisnamed(
  known: readonly Landscape[],
  { landscapes }: Pick<WatchArguments, "landscapes">,
  misnamed: AbortController,
): void {
  try {
    chosenLandscapes({ landscapes: known }, landscapes);
  } catch (error) {
    misnamed.abort(error);
    throw error;
  }
}

interface KeepContext {
  readonly controller: OpenController;
  readonly journal: WatchJournal;
  readonly changed: Wake;
  readonly onSeen: ControllerWorld["onSeen"];
  readonly tip: () => string | undefined;
}

/** Keeps a landscape in sync. If it cannot be opened, this does not stop the others. */
function keep(
  landscape: Landscape,
  { controller, journal, changed, onSeen, tip }: KeepContext,
  run: Run,
): Promise<never> {
  const open = async (): Promise<never> => {
    const kept = await controller.kept(landscape, tip);
    const onReport: WatchJournal["report"] = (name, report) => {
      journal.report(name, report);
    };
    const world = { clock, random: Math.random, holder: controllerHolder(), timing: TIMING, onReport, onSeen };
    return keepLandscape(kept, changed, world, run);
  };
  const onFault = ({ message: because }: Fault): void => {
    journal.report(landscape.name, { kind: "missing", because });
  };
  return reopening(open, onFault, clock, run);
}

/** A log for programs: a JSON document per line, with a constant message. */
function jsonLog(output: Pick<Output, "result">, fields: LogFields = {}): Log {
  const line =
    (level: string) =>
    (message: string, more: LogFields = {}) => {
      const time = new Date(clock.nowMs()).toISOString();
      output.result(JSON.stringify({ time, level, message, ...fields, ...more }));
    };
  return { info: line("info"), warn: line("warning"), with: (more) => jsonLog(output, { ...fields, ...more }) };
}
