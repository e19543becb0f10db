import type { Catalogue } from "../catalogue/catalogue.ts";
import { MANDATORY, parseModuleName } from "../catalogue/names.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { parseVersion } from "../catalogue/version.ts";
import { oncePer } from "../document/once.ts";
import { compareText } from "../document/order.ts";
import { shellCommand } from "../document/shellWord.ts";
import type { Observations } from "../fleet/observations.ts";
import type { WantedVersion } from "../fleet/condition.ts";
import type { Users } from "../fleet/users.ts";
import type { ControllerStatus } from "./controller/status.ts";
import { entryClusters, wantedVersion, type EntryClusters } from "./entryClusters.ts";
import { isController, isKept, type LeaseHolder } from "./leaseHolder.ts";
import { objectStatuses, type ObjectStatus } from "./objectStatus.ts";
import { EVERYTHING, pauseText, instructionFor, type Controls, resumeCommand } from "./plan/controls.ts";
import { earlierFor } from "./plan/gate.ts";
import { planEntries, isAmiss, type EntryItem, type EntryStep } from "./plan/item.ts";
import { entriesIn, entryKey, placeOfKey, type ServedVersion, type WaveRecord } from "./plan/records.ts";
import { recordedRevision } from "./plan/input.ts";
import { judgeSoak, type Soaked } from "./plan/soak.ts";
import { entryChannel } from "./plan/waves.ts";
import type { Prepared } from "./prepare.ts";
import { heldModules } from "../catalogue/usable.ts";

/** The status of a landscape: the state of its control plane, compared with the repository. */
export interface LandscapeStatus {
  readonly landscape: string;
  /** The commit of the last sync; `undefined`: none is recorded. */
  readonly serves: string | undefined;
  /** Whether that commit descends from the requested one. `objects` is empty then. */
  readonly isNewer: boolean;
  /** Whether the requested commit may change the set; otherwise it is unknown what is wanted, of every entry. */
  readonly isWantedKnown: boolean;
  /** The writer of the landscape; `undefined`: none. */
  readonly lease: LeaseHolder | undefined;
  /** The last status of the controller; `undefined`: there was no controller. */
  readonly controller: (ControllerStatus & { readonly isStale: boolean }) | undefined;
  /** By module, or `EVERYTHING`. */
  readonly pauses: Controls["pauses"];
  /** In the order of channels and modules. */
  readonly entries: readonly EntryStatus[];
  readonly objects: readonly ObjectStatus[];
  /** Whole sentences. */
  readonly notes: readonly string[];
}

/** The status of an entry. */
export interface EntryStatus {
  readonly channel: string;
  readonly module: string;
  readonly mandatory: boolean;
  /** `undefined`: the channel does not serve the module. */
  readonly version: string | undefined;
  /** `undefined`: not recorded. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** The planned change; `undefined`: none, or unknown. */
  readonly wanted: WantedStep | undefined;
  /** Whether it is known what is wanted: not if files of the module cannot be used, or if the commit may not change the set. */
  readonly isWantedKnown: boolean;
  /** The number of users; `undefined`: unknown. */
  readonly users: number | undefined;
  /** The clusters that should have the version; `undefined`: unknown. */
  readonly clusters: EntryClusters | undefined;
  /** The version, as its clusters are counted; `undefined`: none is served. */
  readonly counted: WantedVersion | undefined;
  /** The last count of its clusters that a controller recorded; `undefined`: none is recorded. */
  readonly wave: WaveRecord | undefined;
  /** The soak before each landscape that comes after this one. */
  readonly soaks: readonly Soak[];
}

/** The soak of a version before it moves to a later landscape. */
export interface Soak {
  readonly landscape: string;
  readonly soaked: Soaked;
}

/** The planned change of an entry, and what blocks it. */
export interface WantedStep {
  readonly kind: "create" | "raise" | "lower" | "remove" | "refused" | "held" | "paused" | "waiting";
  readonly version: string | undefined;
  readonly reason?: string;
  readonly remedy?: string;
  readonly untilMs?: number | undefined;
}

/** The times from the apply to Ready that a controller observed, by the key of an entry. */
export type KnownTimes = Observations["times"];

/** The input of a status. */
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

/** Composes the status of a landscape. Cached per input, since several pages ask for the same one. */
export const landscapeStatus: (input: StatusInput) => LandscapeStatus = oncePer(composeStatus);

function composeStatus(input: StatusInput): LandscapeStatus {
  const { landscape, prepared, lease, controller, users } = input;
  const { plan, controls, supersededBy } = prepared;
  const isNewer = supersededBy !== undefined;
  const isWantedKnown = !isNewer && plan.parent.kind !== "refused";
  const unknown = users.kind === "unknown" ? [`The users of modules are unknown: ${users.because}`] : [];
  return {
    landscape: landscape.name,
    serves: recordedRevision(prepared.input.live.parent),
    isNewer,
    isWantedKnown,
    lease,
    controller: controller && { ...controller, isStale: !isKept(lease) },
    pauses: controls.pauses,
    entries: (isWantedKnown ? planEntries(plan) : recordedSteps(input))
      .map((entry) => entryStatus(entry, isWantedKnown, input))
      .toSorted((a, b) => compareText(`${a.channel}/${a.module}`, `${b.channel}/${b.module}`)),
    objects: isNewer ? [] : objectStatuses(prepared),
    notes: [...plan.notes, ...unknown],
  };
}

/** Whether an entry or an object is refused, contested or halted, or the controller is stuck, fails or is not running. */
export function isAnyAmiss({ entries, objects, ...status }: LandscapeStatus): boolean {
  return (
    isTroubled(status) ||
    entries.some(({ wanted, wave }) => wanted?.kind === "refused" || wave?.halt !== undefined) ||
    objects.some(isAmiss)
  );
}

function isTroubled(status: Pick<LandscapeStatus, "controller" | "lease">): boolean {
  const { held, failures = [], withheld = [] } = status.controller ?? {};
  return isAbandoned(status) || held !== undefined || failures.length + withheld.length > 0;
}

/** Whether a landscape had a controller that does not run any more. It may have ended before it wrote a status. */
export function isAbandoned({ controller, lease }: Pick<LandscapeStatus, "controller" | "lease">): boolean {
  if (controller !== undefined) return controller.isStale;
  return lease !== undefined && isController(lease.holder) && lease.isExpired;
}

/** The recorded state of each entry. */
function recordedSteps({ prepared: { stored }, catalogue }: StatusInput): readonly EntryItem[] {
  return [...entriesIn(stored.records)].map(([key, { current }]): EntryItem => {
    const place = placeOfKey(key);
    const mandatory = place.channel === MANDATORY;
    const channel = entryChannel({ ...place, mandatory }, catalogue)?.name ?? place.channel;
    return { ...place, kind: "unchanged", channel, mandatory, from: current?.version, to: current?.version };
  });
}

function entryStatus(entry: EntryItem, isSetOurs: boolean, input: StatusInput): EntryStatus {
  const { channel, module, mandatory, from } = entry;
  const current = entriesIn(input.prepared.stored.records).get(entryKey(entry))?.current;
  const served = current?.version === from ? current : undefined;
  const withheld: ReadonlySet<string> = heldModules(input.catalogue);
  const counted = from === undefined ? undefined : wantedVersion({ channel, mandatory, version: from }, served, input);
  return {
    ...{ channel, module, mandatory, version: from },
    sinceMs: served?.sinceMs,
    wanted: wantedStep(entry, input),
    isWantedKnown: isSetOurs && !withheld.has(module),
    users: entryStepUsers(entry, input.users),
    clusters: counted && entryClusters(entry, counted, served, input),
    counted,
    wave: served?.wave,
    soaks: served === undefined ? [] : entryStepSoaks(entry, served, input),
  };
}

function entryStepUsers({ channel, module, mandatory }: EntryStep, users: Users): number | undefined {
  if (users.kind === "unknown") return undefined;
  const all = users.modules.get(module) ?? [];
  return all.filter(({ channels }) => mandatory || channels === "every" || channels.includes(channel)).length;
}

/** The soaks of the later landscapes that wait until this one has served a version for long enough. */
function entryStepSoaks(entry: EntryStep, served: ServedVersion, { catalogue, landscape, nowMs }: StatusInput): Soak[] {
  const channel = entryChannel(entry, catalogue);
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

/** Tells a pause or a hold by a person from other waiting, and gives the command that ends it. */
function whyWaiting(
  entry: EntryItem & { readonly reason: string },
  { landscape, prepared: { controls, input } }: StatusInput,
): Pick<WantedStep, "kind" | "remedy"> {
  const { module, to = "", reason } = entry;
  const pause = instructionFor(module, controls.pauses);
  if (pause !== undefined && reason === pauseText(pause)) {
    const isAll = pause === controls.pauses.get(EVERYTHING);
    return { kind: "paused", remedy: resumeCommand(landscape.name, isAll ? undefined : module) };
  }
  if (input.gate.holds.get(entryKey(entry))?.reason !== reason) return { kind: "waiting" };
  return { kind: "held", remedy: shellCommand`kyma-modules unhold ${module}@${to} --reason TEXT` };
}
