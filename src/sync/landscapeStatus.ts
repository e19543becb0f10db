import type { Catalogue } from "../catalogue/catalogue.ts";
import { parseModuleName } from "../catalogue/names.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { parseVersion } from "../catalogue/version.ts";
import { oncePer } from "../document/once.ts";
import { compareText } from "../document/order.ts";
import type { Observations } from "../fleet/observations.ts";
import { countRollout, type Missing, worstOf } from "../fleet/rollout.ts";
import type { Users } from "../fleet/users.ts";
import type { ControllerStatus } from "./controller/status.ts";
import type { LeaseHolder } from "./lease.ts";
import { objectStatuses, type ObjectStatus } from "./objectStatus.ts";
import { EVERYTHING, pauseText, toldOf, type Controls } from "./plan/controls.ts";
import { resumeCommand } from "./plan/resume.ts";
import { earlierFor } from "./plan/gate.ts";
import { entriesOf, isAmiss, type EntryItem, type EntryStep } from "./plan/item.ts";
import { entriesIn, entryKey, MANDATORY, placeOfKey, type EntryRecord, type ServedVersion } from "./plan/records.ts";
import { recordedRevision } from "./plan/set.ts";
import { judgeSoak, type Soaked, type WaveRecord } from "./plan/wave.ts";
import { channelOf } from "./plan/waves.ts";
import type { Prepared } from "./prepare.ts";

/** How a landscape stands: what its control plane holds, held against what the repository says. */
export interface LandscapeStatus {
  readonly landscape: string;
  /** The commit that it was synced from last; `undefined`: none is recorded. */
  readonly serves: string | undefined;
  /** Whether that commit descends from the one that was asked about: then nothing is said of what is wanted. */
  readonly isNewer: boolean;
  /** `undefined`: nobody writes to it. */
  readonly lease: LeaseHolder | undefined;
  /** What the controller said last; `undefined`: there was none. */
  readonly controller: (ControllerStatus & { readonly isStale: boolean }) | undefined;
  /** By module, or `EVERYTHING`. */
  readonly pauses: Controls["pauses"];
  /** In the order of channels and modules. */
  readonly entries: readonly EntryStatus[];
  readonly objects: readonly ObjectStatus[];
  /** Whole sentences. */
  readonly notes: readonly string[];
}

/** How an entry stands. */
export interface EntryStatus {
  readonly channel: string;
  readonly module: string;
  readonly mandatory: boolean;
  /** `undefined`: the channel serves nothing of the module. */
  readonly version: string | undefined;
  /** `undefined` where it is not recorded. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** What is to become of it; `undefined`: nothing else. */
  readonly wanted: WantedStep | undefined;
  /** `undefined`: who uses it is unknown. */
  readonly users: number | undefined;
  /** Those that should have the version, as they are seen now; `undefined`: that is not known. */
  readonly clusters: EntryClusters | undefined;
  /** How its clusters fared when they were counted last; `undefined`: nobody counts them. */
  readonly wave: WaveRecord | undefined;
  /** How long it soaks for each landscape that comes after this one. */
  readonly soaks: readonly Soak[];
}

/** How many clusters should have a version, how many do, and the worst that keeps the others from it. */
export interface EntryClusters {
  readonly asked: number;
  readonly have: number;
  /** `undefined`: all have it. */
  readonly worst: Missing | undefined;
}

/** How long a version soaks before it moves on. */
export interface Soak {
  readonly landscape: string;
  readonly soaked: Soaked;
}

/** Where an entry is to go, and what keeps it. */
export interface WantedStep {
  readonly kind: "create" | "raise" | "lower" | "remove" | "refused" | "held" | "paused" | "waiting";
  readonly version: string | undefined;
  readonly reason?: string;
  readonly remedy?: string;
  readonly untilMs?: number | undefined;
}

/** By the key of an entry, how long clusters took from the apply to Ready, as far as a controller saw it. */
export type KnownTimes = Observations["times"];

/** All that a status is composed of. */
export interface StatusInput {
  readonly catalogue: Catalogue;
  readonly landscape: Landscape;
  readonly prepared: Prepared;
  readonly users: Users;
  readonly lease: LeaseHolder | undefined;
  readonly controller: ControllerStatus | undefined;
  readonly times: KnownTimes;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** Composes the status of a landscape: once for each look at it, of which pages ask again and again. */
export const landscapeStatus: (input: StatusInput) => LandscapeStatus = oncePer(composeStatus);

function composeStatus(input: StatusInput): LandscapeStatus {
  const { landscape, prepared, lease, controller, users } = input;
  const { plan, controls, supersededBy } = prepared;
  const isNewer = supersededBy !== undefined;
  const unknown = users.kind === "unknown" ? [`Who uses what is unknown: ${users.because}`] : [];
  return {
    landscape: landscape.name,
    serves: recordedRevision(prepared.input.live.parent),
    isNewer,
    lease,
    controller: controller && { ...controller, isStale: lease === undefined || lease.isExpired },
    pauses: controls.pauses,
    entries: stepsOf(prepared)
      .map((entry) => entryStatus(entry, input))
      .toSorted((a, b) => compareText(`${a.channel}/${a.module}`, `${b.channel}/${b.module}`)),
    objects: isNewer ? [] : objectStatuses(prepared),
    notes: [...plan.notes, ...unknown],
  };
}

/** Whether something is refused, contested or halted. */
export function isAnyAmiss({ entries, objects }: LandscapeStatus): boolean {
  return (
    entries.some(({ wanted, wave }) => wanted?.kind === "refused" || wave?.halt !== undefined) || objects.some(isAmiss)
  );
}

/** What is planned of each entry; where nothing is, since the set is not ours to change, what is recorded. */
function stepsOf({ plan, supersededBy, stored: { records } }: Prepared): readonly EntryItem[] {
  if (supersededBy === undefined && plan.parent.kind !== "refused") return entriesOf(plan);
  return [...entriesIn(records)].map(([key, { current }]): EntryItem => {
    const { channel, module } = placeOfKey(key);
    const version = current?.version;
    return { kind: "unchanged", module, channel, mandatory: channel === MANDATORY, from: version, to: version };
  });
}

function entryStatus(entry: EntryItem, input: StatusInput): EntryStatus {
  const { channel, module, mandatory, from } = entry;
  const current = recordOf(entry, input)?.current;
  const served = current?.version === from ? current : undefined;
  return {
    ...{ channel, module, mandatory, version: from },
    sinceMs: served?.sinceMs,
    wanted: wantedStep(entry, input),
    users: usersOf(entry, input.users),
    clusters: clustersOf(entry, served?.sinceMs, input),
    wave: served?.wave,
    soaks: served === undefined ? [] : soaksOf(entry, served, input),
  };
}

function recordOf(entry: EntryStep, { prepared: { stored } }: StatusInput): EntryRecord | undefined {
  return entriesIn(stored.records).get(entryKey(entry));
}

function usersOf({ channel, module, mandatory }: EntryStep, users: Users): number | undefined {
  if (users.kind === "unknown") return undefined;
  const all = users.modules.get(module) ?? [];
  return all.filter(({ channels }) => mandatory || channels === "every" || channels.includes(channel)).length;
}

function clustersOf(
  { channel, module, mandatory, from: version }: EntryItem,
  appliedMs: number | undefined,
  { users, nowMs }: StatusInput,
): EntryClusters | undefined {
  if (users.kind === "unknown" || version === undefined) return undefined;
  const question = { channel, mandatory, version, appliedMs, nowMs };
  const { clusters, have, missing } = countRollout(users.modules.get(module) ?? [], question);
  return { asked: clusters, have, worst: worstOf(missing) };
}

/** The landscapes that come after this one, and wait until it has served a version for long enough. */
function soaksOf(entry: EntryStep, served: ServedVersion, { catalogue, landscape, nowMs }: StatusInput): Soak[] {
  const channel = channelOf(entry, catalogue);
  const [module, version] = [parseModuleName(entry.module), parseVersion(served.version)];
  if (channel === undefined || module === undefined || version === undefined) return [];
  return catalogue.settings.landscapes.flatMap((later) => {
    if (!channel.landscapes.includes(later.name)) return [];
    const before = earlierFor({ channel: channel.name, module, version }, later, catalogue);
    if (before?.name !== landscape.name) return [];
    return [{ landscape: later.name, soaked: judgeSoak(served, before.soakMs, nowMs) }];
  });
}

function wantedStep(entry: EntryItem, input: StatusInput): WantedStep | undefined {
  const { kind, to: version } = entry;
  switch (kind) {
    case "unchanged":
      return undefined;
    case "refused":
      return { kind, version, reason: entry.reason, remedy: entry.remedy };
    case "waiting":
      return { version, reason: entry.reason, untilMs: entry.untilMs, ...whyWaiting(entry, input) };
    case "create":
    case "raise":
    case "lower":
    case "remove":
      return { kind, version };
  }
}

/** Whether a person keeps an entry where it is, and how that ends. */
function whyWaiting(
  entry: EntryItem & { readonly reason: string },
  { landscape, prepared: { controls, input } }: StatusInput,
): Pick<WantedStep, "kind" | "remedy"> {
  const { module, to = "", reason } = entry;
  const told = toldOf(module, controls.pauses);
  if (told !== undefined && reason === pauseText(told)) {
    const isAll = told === controls.pauses.get(EVERYTHING);
    return { kind: "paused", remedy: resumeCommand(landscape.name, isAll ? undefined : module) };
  }
  if (input.gate.holds.get(entryKey(entry))?.reason !== reason) return { kind: "waiting" };
  return { kind: "held", remedy: `kyma-modules unhold ${module}@${to} --reason TEXT` };
}
