import { isRecord } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import { parseRequests, printRequests, type SyncRequest } from "./requests.ts";
import { isAct, isMove, type EntryItem, type ModulePlan, type Plan, type PlanItem } from "./item.ts";

/** Instructions from people for the writer of a landscape. Only people write them. */
export interface Controls {
  /** The paused modules. */
  readonly pauses: ReadonlyMap<string, Told>;
  /** The halted waves that may continue, by module. */
  readonly resumes: ReadonlyMap<string, Told>;
  /** Requests for a sync by the controller. */
  readonly requests: readonly SyncRequest[];
}

/** The author and the reason of an instruction. */
export interface Told {
  readonly by: string;
  readonly reason: string;
  /** By the clock of the author. Unix milliseconds. */
  readonly atMs: number;
  /** For a resume: the time of the last recorded halt, by the clock of the controller. Unix milliseconds. */
  readonly haltMs?: number | undefined;
}

/** Stands for all modules. */
export const EVERYTHING = "*";

/** No instructions. */
export const NO_CONTROLS: Controls = { pauses: new Map(), resumes: new Map(), requests: [] };

/** The instruction for a module: the later one of its own and that for all modules. */
export function toldOf(module: string, told: ReadonlyMap<string, Told>): Told | undefined {
  const [own, all] = [told.get(module), told.get(EVERYTHING)];
  return own !== undefined && all !== undefined && all.atMs > own.atMs ? all : (own ?? all);
}

/** The time of the last halt of a module that a person resumed; `undefined`: none. Unix milliseconds. */
export function resumedMs(module: string, resumes: Controls["resumes"]): number | undefined {
  const passed = [resumes.get(module), resumes.get(EVERYTHING)].flatMap((told) => told?.haltMs ?? []);
  return passed.length === 0 ? undefined : Math.max(...passed);
}

/** A plan in which paused entries and objects wait. */
export function withPauses(plan: Plan, pauses: Controls["pauses"]): Plan {
  if (pauses.size === 0) return plan;
  const everything = pauses.get(EVERYTHING);
  return {
    ...plan,
    parent: everything === undefined ? plan.parent : pausedItem(plan.parent, everything),
    modules: plan.modules.map((module) => pausedModule(module, toldOf(module.module, pauses))),
  };
}

function pausedModule(module: ModulePlan, told: Told | undefined): ModulePlan {
  if (told === undefined) return module;
  return {
    ...module,
    entries: module.entries.map((entry) => pausedEntry(entry, told)),
    items: module.items.map((item) => pausedItem(item, told)),
  };
}

function pausedItem(item: PlanItem, told: Told): PlanItem {
  return isAct(item) ? { kind: "waiting", object: item.object, reason: pauseText(told), paused: item } : item;
}

function pausedEntry(entry: EntryItem, told: Told): EntryItem {
  const { module, channel, mandatory, from, to } = entry;
  return isMove(entry) ? { module, channel, mandatory, from, to, kind: "waiting", reason: pauseText(told) } : entry;
}

/** The reason for which paused entries and objects wait. */
export function pauseText({ by, reason, atMs }: Told): string {
  return `${by} paused it at ${new Date(atMs).toISOString()}: ${reason}`;
}

/** Controls as JSON, by the keys of a ConfigMap's data. */
export function printControls({ pauses, resumes, requests }: Controls): Readonly<Record<string, string>> {
  return { pauses: printTold(pauses), resumes: printTold(resumes), requests: printRequests(requests) };
}

function printTold(told: ReadonlyMap<string, Told>): string {
  const printed = [...told].map(([module, { by, reason, atMs, haltMs }]) => {
    const halt = haltMs === undefined ? {} : { halt: new Date(haltMs).toISOString() };
    return [module, { by, reason, at: new Date(atMs).toISOString(), ...halt }] as const;
  });
  return JSON.stringify(Object.fromEntries(printed));
}

/** Parses the output of `printControls`; `undefined` for anything else, because a lost pause would allow writes. */
export function parseControls(data: Readonly<Record<string, string>>): Controls | undefined {
  const [pauses, resumes] = [parseTold(data["pauses"] ?? ""), parseTold(data["resumes"] ?? "{}")];
  const requests = parseRequests(data["requests"] ?? "[]");
  return pauses && resumes && requests && { pauses, resumes, requests };
}

function parseTold(text: string): ReadonlyMap<string, Told> | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const told = Object.entries(value).flatMap(([module, one]): readonly (readonly [string, Told])[] => {
    const { by, reason, at, halt } = isRecord(one) ? one : {};
    const [atMs, haltMs] = [timeOf(at), halt === undefined ? undefined : timeOf(halt)];
    const isTold = typeof by === "string" && typeof reason === "string" && !Number.isNaN(atMs);
    return isTold && !Number.isNaN(haltMs) ? [[module, { by, reason, atMs, haltMs }]] : [];
  });
  return told.length === Object.keys(value).length ? new Map(told) : undefined;
}

/** Unix milliseconds; NaN for an invalid time. */
function timeOf(value: unknown): number {
  return Date.parse(String(value));
}
