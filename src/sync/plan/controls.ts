import { isRecord } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import { shellCommand } from "../../document/shellWord.ts";
import { secondText } from "../../document/times.ts";
import type { PlanOptions } from "./input.ts";
import { type EntryItem, isAct, isMove, type ModulePlan, type Plan, type PlanItem } from "./item.ts";

/** Instructions from people for the writer of a landscape. Only people write them. */
export interface Controls {
  /** The paused modules. */
  readonly pauses: ReadonlyMap<string, Instruction>;
  /** The halted waves that may continue, by module. */
  readonly resumes: ReadonlyMap<string, Instruction>;
  /** Requests for a sync by the controller. */
  readonly requests: readonly SyncRequest[];
}

/** The author and the reason of an instruction. */
export interface Instruction {
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
export function instructionFor(
  module: string,
  instructions: ReadonlyMap<string, Instruction>,
): Instruction | undefined {
  const [own, all] = [instructions.get(module), instructions.get(EVERYTHING)];
  return own !== undefined && all !== undefined && all.atMs > own.atMs ? all : (own ?? all);
}

/** The time of the last halt of a module that a person resumed; `undefined`: none. Unix milliseconds. */
export function resumedMs(module: string, resumes: Controls["resumes"]): number | undefined {
  const passed = [resumes.get(module), resumes.get(EVERYTHING)].flatMap((resume) => resume?.haltMs ?? []);
  return passed.length === 0 ? undefined : Math.max(...passed);
}

/** The controls after a module, or `EVERYTHING`, was paused. */
export function withPause(controls: Controls, module: string, pause: Instruction): Controls {
  return { ...controls, pauses: new Map([...controls.pauses, [module, pause]]) };
}

/** The controls after a module, or `EVERYTHING`, was resumed: a pause ends only by its own name, as it has its own reason. */
export function withResume(controls: Controls, module: string, resume: Instruction): Controls {
  const left = [...controls.pauses].filter(([name]) => name !== module);
  return { ...controls, pauses: new Map(left), resumes: new Map([...controls.resumes, [module, resume]]) };
}

/** A plan in which paused entries and objects wait. */
export function withPauses(plan: Plan, pauses: Controls["pauses"]): Plan {
  if (pauses.size === 0) return plan;
  const everything = pauses.get(EVERYTHING);
  return {
    ...plan,
    parent: everything === undefined ? plan.parent : pausedItem(plan.parent, everything),
    modules: plan.modules.map((module) => pausedModule(module, instructionFor(module.module, pauses))),
  };
}

function pausedModule(module: ModulePlan, pause: Instruction | undefined): ModulePlan {
  if (pause === undefined) return module;
  // The records keep the terms that were applied.
  return {
    ...module,
    terms: undefined,
    accepted: [],
    entries: module.entries.map((entry) => pausedEntry(entry, pause)),
    items: module.items.map((item) => pausedItem(item, pause)),
  };
}

function pausedItem(item: PlanItem, pause: Instruction): PlanItem {
  return isAct(item) ? { kind: "waiting", object: item.object, reason: pauseText(pause), paused: item } : item;
}

function pausedEntry(entry: EntryItem, pause: Instruction): EntryItem {
  const { module, channel, mandatory, from, to } = entry;
  return isMove(entry) ? { module, channel, mandatory, from, to, kind: "waiting", reason: pauseText(pause) } : entry;
}

/** The reason for which paused entries and objects wait. */
export function pauseText({ by, reason, atMs }: Instruction): string {
  return `${by} paused it at ${secondText(atMs)}: ${reason}`;
}

/** Controls as JSON, by the keys of a ConfigMap's data. */
export function printControls({ pauses, resumes, requests }: Controls): Readonly<Record<string, string>> {
  return { pauses: printInstructions(pauses), resumes: printInstructions(resumes), requests: printRequests(requests) };
}

function printInstructions(instructions: ReadonlyMap<string, Instruction>): string {
  const printed = [...instructions].map(([module, { by, reason, atMs, haltMs }]) => {
    const halt = haltMs === undefined ? {} : { halt: new Date(haltMs).toISOString() };
    return [module, { by, reason, at: new Date(atMs).toISOString(), ...halt }] as const;
  });
  return JSON.stringify(Object.fromEntries(printed));
}

/** Parses the output of `printControls`; `undefined` for anything else, because a lost pause would allow writes. */
export function parseControls(data: Readonly<Record<string, string>>): Controls | undefined {
  const [pauses, resumes] = [parseInstructions(data["pauses"] ?? ""), parseInstructions(data["resumes"] ?? "{}")];
  const requests = parseRequests(data["requests"] ?? "[]");
  return pauses && resumes && requests && { pauses, resumes, requests };
}

function parseInstructions(text: string): ReadonlyMap<string, Instruction> | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const instructions = Object.entries(value).flatMap(([module, one]): readonly (readonly [string, Instruction])[] => {
    const { by, reason, at, halt } = isRecord(one) ? one : {};
    const [atMs, haltMs] = [controlTime(at), halt === undefined ? undefined : controlTime(halt)];
    const isInstruction = typeof by === "string" && typeof reason === "string" && !Number.isNaN(atMs);
    return isInstruction && !Number.isNaN(haltMs) ? [[module, { by, reason, atMs, haltMs }]] : [];
  });
  return instructions.length === Object.keys(value).length ? new Map(instructions) : undefined;
}

/** Unix milliseconds; NaN for an invalid time. */
function controlTime(value: unknown): number {
  return Date.parse(String(value));
}

/** The options that a person allows for one sync, which the controller carries out as the only writer. */
export type AllowedOnce = Pick<
  PlanOptions,
  "adopt" | "prune" | "maxPrune" | "now" | "takeOverSet" | "switchGeneration" | "rewind"
>;

/** A person's request to the controller for a sync. */
export interface SyncRequest {
  /** Unique. */
  readonly id: string;
  readonly by: string;
  readonly atMs: number;
  /** The commit to serve. */
  readonly commit: string;
  readonly allowed: AllowedOnce;
}

/** The result of a request. */
export interface RequestResult {
  readonly atMs: number;
  /** An exit code of `sync`. */
  readonly code: number;
  /** The output for people. */
  readonly lines: readonly string[];
}

/** The age at which a request expires. Milliseconds. */
export const REQUEST_MS = 600_000;

/** The requests without a result that have not expired, oldest first. */
export function pendingRequests(
  requests: readonly SyncRequest[],
  results: ReadonlyMap<string, RequestResult>,
  nowMs: number,
): readonly SyncRequest[] {
  return requests
    .filter(({ id, atMs }) => !results.has(id) && Math.abs(nowMs - atMs) < REQUEST_MS)
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** Prints requests as JSON. */
export function printRequests(requests: readonly SyncRequest[]): string {
  return JSON.stringify(requests.map(({ atMs, ...request }) => ({ ...request, at: new Date(atMs).toISOString() })));
}

/** Parses the output of `printRequests`; `undefined` for anything else. */
export function parseRequests(text: string): readonly SyncRequest[] | undefined {
  const value = parseJson(text);
  if (!Array.isArray(value)) return undefined;
  const requests = value.flatMap((one): readonly SyncRequest[] => {
    if (!isRecord(one) || !isRecord(one["allowed"])) return [];
    const { id, by, commit, at } = one;
    const atMs = Date.parse(String(at));
    const isWhole = [id, by, commit].every((text) => typeof text === "string") && !Number.isNaN(atMs);
    return isWhole ? [{ id, by, commit, atMs, allowed: readAllowed(one["allowed"]) } as SyncRequest] : [];
  });
  return requests.length === value.length ? requests : undefined;
}

/** Reads the allowed options; anything that is missing or invalid is not allowed. */
function readAllowed(said: Readonly<Record<string, unknown>>): AllowedOnce {
  const { maxPrune, now } = said;
  return {
    adopt: said["adopt"] === true,
    prune: said["prune"] === true,
    maxPrune: typeof maxPrune === "number" ? maxPrune : undefined,
    now: typeof now === "string" && now !== "" ? now : undefined,
    takeOverSet: said["takeOverSet"] === true,
    switchGeneration: said["switchGeneration"] === true,
    rewind: said["rewind"] === true,
  };
}

/** Prints results as JSON, without those of expired requests. */
export function printResults(results: ReadonlyMap<string, RequestResult>, nowMs: number): string {
  const kept = [...results].filter(([, { atMs }]) => nowMs - atMs < 2 * REQUEST_MS);
  return JSON.stringify(
    Object.fromEntries(kept.map(([id, { atMs, ...rest }]) => [id, { ...rest, at: new Date(atMs).toISOString() }])),
  );
}

/** Parses the output of `printResults`; skips results that cannot be parsed. */
export function parseResults(text: string): ReadonlyMap<string, RequestResult> {
  const value = parseJson(text);
  if (!isRecord(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([id, one]): readonly (readonly [string, RequestResult])[] => {
      const { at, code, lines } = isRecord(one) ? one : {};
      const atMs = Date.parse(String(at));
      const isWhole = typeof code === "number" && Array.isArray(lines) && !Number.isNaN(atMs);
      return isWhole ? [[id, { atMs, code, lines: lines.map(String) }]] : [];
    }),
  );
}

/** The command that resumes a landscape, or one of its modules. */
export function resumeCommand(landscape: string, module?: string): string {
  return module === undefined
    ? shellCommand`kyma-modules sync resume ${landscape} --reason TEXT`
    : shellCommand`kyma-modules sync resume ${landscape} ${module} --reason TEXT`;
}
