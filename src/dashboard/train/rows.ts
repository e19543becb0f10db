import { compareText } from "../../document/order.ts";
import type { Status } from "../../promote/status.ts";
import type { DashboardState } from "../state.ts";
import { orderedColumns, mandatoryChannels, type Column } from "../channelOrder.ts";
import { channelLane, type Lane } from "./lane.ts";
import { compareTimes, openMatters, moduleOwnersText, type Matter } from "./matters.ts";

/** The groups of modules, in the order of the page. Each module is in one group. */
export const GROUPS = ["blocked", "moves", "waits", "quiet", "mandatory"] as const;

/** A group of modules. */
export type ModuleGroup = (typeof GROUPS)[number];

/** A module of the train. */
export interface Row {
  readonly module: string;
  readonly owner: string;
  readonly group: ModuleGroup;
  /** By channel. */
  readonly lanes: ReadonlyMap<string, Lane>;
  /** By channel; only channels that follow another. */
  readonly gates: ReadonlyMap<string, Status>;
  readonly matters: readonly Matter[];
  /** When its first promotion may happen without a person; `undefined` if unknown. Unix milliseconds. */
  readonly nextMs: number | undefined;
}

/** The data of the page. */
export interface Train {
  readonly columns: readonly Column[];
  /** Sorted by group, then by name; waiting modules by their time. */
  readonly rows: readonly Row[];
  readonly matters: readonly Matter[];
}

/** Computes the train. */
export function trainTable(state: DashboardState): Train {
  const { statuses, gathered } = state;
  const matters = openMatters(state);
  const modules = [...new Set(statuses.map(({ module }): string => module))];
  const rows = modules.map((module) => trainRow(module, state, matters));
  const sorted = rows.toSorted((a, b) => {
    const groups = GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group);
    const times = a.group === "waits" ? compareTimes(a.nextMs, b.nextMs) : 0;
    return groups || times || compareText(a.module, b.module);
  });
  return { columns: orderedColumns(gathered.catalogue), rows: sorted, matters };
}

function trainRow(module: string, state: DashboardState, matters: readonly Matter[]): Row {
  const { landscapes, gathered } = state;
  const own = state.statuses.filter((status) => status.module === module);
  const channels = [...gathered.catalogue.channels.values()];
  const lanes = channels.flatMap((channel): readonly [string, Lane][] => {
    const status = own.find((one) => one.channel === channel.name);
    return status === undefined ? [] : [[channel.name, channelLane(channel, status, landscapes)]];
  });
  const gates = own.filter(({ verdict }) => verdict !== undefined);
  const mandatory = mandatoryChannels(gathered.catalogue).map(({ name }): string => name);
  const isMandatory = own.every(({ channel }) => mandatory.includes(channel));
  const times = gates.flatMap(({ verdict }) => {
    const earliest = verdict?.chosen?.earliest;
    return earliest?.kind === "at" ? [earliest.atMs] : [];
  });
  return {
    module,
    owner: moduleOwnersText(module, state),
    group: isMandatory
      ? "mandatory"
      : moduleGroup(
          gates,
          lanes.map(([, lane]) => lane),
        ),
    lanes: new Map(lanes),
    gates: new Map(gates.map((status) => [status.channel, status])),
    matters: matters.filter((matter) => matter.module === module),
    nextMs: times.length === 0 ? undefined : Math.min(...times),
  };
}

function moduleGroup(gates: readonly Status[], lanes: readonly Lane[]): ModuleGroup {
  const kinds = gates.map(({ verdict }) => verdict?.kind);
  if (kinds.includes("blocked") || lanes.some(({ isHalted }) => isHalted)) return "blocked";
  if (kinds.includes("promote") || lanes.some(({ isMoving }) => isMoving)) return "moves";
  return kinds.includes("wait") ? "waits" : "quiet";
}
