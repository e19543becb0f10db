import type { Channel, Module } from "../../catalogue/catalogue.ts";
import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { ModuleHistory } from "../../catalogue/history/history.ts";
import { newestFirst } from "../../catalogue/lookup.ts";
import { type ModuleName, parseModuleName } from "../../catalogue/names.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { tellTimeline } from "../../promote/readTimeline.ts";
import type { Status } from "../../promote/status.ts";
import type { TimelineEvent } from "../../promote/timeline/timeline.ts";
import type { DashboardState } from "../state.ts";
import { alongTheWay } from "../channelOrder.ts";

/** The facts about one module, for its page. */
export interface ModuleFacts {
  readonly module: ModuleName;
  /** `undefined` if `modules/<module>/` does not exist. */
  readonly said: Module | undefined;
  readonly history: ModuleHistory;
  /** The channels that serve it, served it or may get it, in the order in which a version passes them. */
  readonly channels: readonly ModuleChannel[];
  /** Newest first. */
  readonly events: readonly TimelineEvent[];
  /** Only of this module. */
  readonly evidence: readonly Evidence[];
}

/** A module in one channel. */
export interface ModuleChannel {
  readonly channel: Channel;
  /** `undefined` if the channel serves no version, has no candidate and no debt. */
  readonly status: Status | undefined;
}

/** The facts about a module; `undefined` if the repository never contained a module of that name. */
export function factsOfModule(state: DashboardState, name: string): ModuleFacts | undefined {
  const { gathered, statuses, evidence, branches } = state;
  const { catalogue, histories } = gathered;
  const module = parseModuleName(name);
  if (module === undefined) return undefined;
  if (!histories.modules.includes(module) && !catalogue.modules.has(module)) return undefined;
  const history = histories.of(module);
  const own = evidence.filter((one) => one.module === module);
  const channels = alongTheWay(catalogue).map((channel) => ({
    channel,
    status: statuses.find((one) => one.module === module && one.channel === channel.name),
  }));
  return {
    module,
    said: catalogue.modules.get(module),
    history,
    channels: channels.filter(({ channel, status }) => status !== undefined || history.served.has(channel.name)),
    events: tellTimeline(module, gathered, branches, own),
    evidence: own,
  };
}

/** The `specHash` of the content that a channel serves or last served for a version; `undefined` if none ever did. */
export function hashOfVersion({ history }: Pick<ModuleFacts, "history">, version: ModuleVersion): string | undefined {
  return newestFirst(history.served)
    .find((state) => state.version === version)
    ?.hash();
}

/** The last channel that a version reaches. The page starts with it. */
export function lastChannel({ channels }: Pick<ModuleFacts, "channels">): Status | undefined {
  const own = channels.flatMap(({ status }) => status ?? []);
  return own.findLast(({ version, follows }) => version !== undefined && follows !== undefined) ?? own.at(-1);
}
