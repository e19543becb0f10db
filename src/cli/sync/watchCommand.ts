import type { Landscape } from "../../catalogue/settings.ts";
import type { Fault, Log, LogFields, Run } from "../../ports.ts";
import type { PublishedObservations } from "../../promote/publish.ts";
import { keepLandscape, type ControllerWorld } from "../../sync/controller/controller.ts";
import { FollowedSettings } from "../../sync/controller/followedSettings.ts";
import { ControllerJournal } from "../../sync/controller/journal.ts";
import { TIMING } from "../../sync/controller/pass.ts";
import { Publisher } from "../../sync/controller/publisher.ts";
import { followBranch, Landscapes, REOPEN_MS, reopening, type BranchWorld } from "../../sync/controller/supervisor.ts";
import { together } from "../../sync/controller/together.ts";
import { Wake } from "../../sync/controller/wake.ts";
import { controllerHolder } from "../../sync/leaseHolder.ts";
import {
  keepMemoryLow,
  openController,
  openMetrics,
  openServer,
  type ControllerSource,
  type FollowedBranch,
  type OpenController,
} from "../compose/controller.ts";
import { leaseHolder } from "../compose/sync.ts";
import { clock } from "../compose/systems.ts";
import { untilStopped } from "../terminal/endless.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { namedLandscapes, type NamedLandscapes } from "./landscapes.ts";

interface WatchArguments extends ControllerSource {
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
  const journal = new ControllerJournal(log, numbers.metrics);
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
  journal: ControllerJournal,
  { arguments_, wake }: WatchContext,
  run: Run,
): Promise<never> {
  const misnamed = new AbortController();
  const onFetched: BranchWorld["onFetched"] = (result) => {
    journal.fetched(result);
  };
  const settings = new FollowedSettings({
    clock,
    settingsAt: (tip, before, of) => controller.settingsAt(tip, before, of),
    keep: async (found, isFirst) => {
      const named = namedLandscapes(found, arguments_.landscapes);
      if (isFirst) refuseMisnamed(named, misnamed);
      await landscapes.keep(named.landscapes, run);
      journal.unknown(named.unknown);
    },
    onFault: onFetched,
  });
  const publisher = observationPublisher(controller, settings, journal);
  const heard = hearing(journal, settings, arguments_.publish ? publisher : undefined);
  const followed = followedBy(settings, wake);
  const landscapes = new Landscapes(clock, async (landscape, changed, within) => {
    journal.begins(landscape.name, clock.nowMs());
    try {
      return await keep(landscape, { controller, changed, heard, followed }, within);
    } finally {
      journal.ends(landscape.name);
    }
  });
  const branch: BranchWorld = {
    ...{ upstream: controller.upstream, clock, random: Math.random, wake, intervalMs: arguments_.interval },
    onTip: async (commit) => {
      journal.moved(commit, clock.nowMs());
      await settings.moved(commit, run);
    },
    onFetched,
  };
  const within: Run = { ...run, signal: AbortSignal.any([run.signal, landscapes.failed, misnamed.signal]) };
  try {
    return await together(
      (of) => [followBranch(branch, of), settings.keepUp(of), publisher.keep(of), keepMemoryLow(clock, of)],
      within,
    );
  } finally {
    await landscapes.stop();
  }
}

/** A commit may remove a landscape, also before a restart. If none of the names is known, they are a mistake. */
function refuseMisnamed({ landscapes, unknown }: NamedLandscapes, misnamed: AbortController): void {
  const [fault] = unknown.values();
  if (landscapes.length > 0 || fault === undefined) return;
  misnamed.abort(fault);
  throw fault;
}

function observationPublisher(
  controller: OpenController,
  settings: FollowedSettings,
  journal: ControllerJournal,
): Publisher<PublishedObservations> {
  return new Publisher({
    clock,
    publish: (seen, run) => controller.publish(seen, settings.commit, run),
    hasPublished: ({ paths }) => paths.length > 0,
    onTried: (landscape, result) => {
      journal.published(landscape, result);
    },
  });
}

function followedBy(settings: FollowedSettings, wake: Wake): FollowedBranch {
  return {
    tip: () => settings.tip,
    fetchSoon: () => {
      wake.raise();
    },
  };
}

/** Those who hear of every landscape. */
type Heard = Pick<ControllerWorld, "onReport" | "onSeen">;

function hearing(
  journal: ControllerJournal,
  settings: FollowedSettings,
  publisher: Publisher<PublishedObservations> | undefined,
): Heard {
  return {
    onReport: (name, report) => {
      journal.report(name, report, clock.nowMs());
      settings.hear(report);
    },
    onSeen: (name, seen) => {
      journal.seen(name, seen);
      publisher?.hear(name, seen);
    },
  };
}

interface KeepContext {
  readonly controller: OpenController;
  readonly changed: Wake;
  readonly heard: Heard;
  readonly followed: FollowedBranch;
}

/** Keeps a landscape in sync. If it cannot be opened, this does not stop the others. */
function keep(landscape: Landscape, { controller, changed, heard, followed }: KeepContext, run: Run): Promise<never> {
  const open = async (): Promise<never> => {
    const kept = await controller.kept(landscape, followed);
    const world = { clock, random: Math.random, holder: controllerHolder(leaseHolder()), timing: TIMING, ...heard };
    return keepLandscape(kept, changed, world, run);
  };
  const onFault = (fault: Fault): void => {
    const isOurs = fault.code === "INTERNAL";
    const failed = { kind: "failed", fault, retryMs: REOPEN_MS } as const;
    heard.onReport(landscape.name, isOurs ? failed : { kind: "missing", because: fault.message });
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
