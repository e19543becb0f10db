import { randomUUID } from "node:crypto";
import { shortCommit } from "../../document/printable.ts";
import { applySetParent } from "../../kubernetes/applySet.ts";
import { RESOURCES, type KubernetesObject } from "../../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run } from "../../ports.ts";
import { outcomeRepair, type ObjectOutcome } from "../apply.ts";
import type { EntryItem, ObjectName } from "../plan/item.ts";
import { placeOfKey, type EntryRecord } from "../plan/records.ts";
import type { EntryOutcome } from "../record.ts";
import type { PassReport } from "./pass.ts";
import { withheldIn, type RevisionChoice, type ServableCommit } from "./revisions.ts";
import { passStatus, writeStatus, type StatusDocument } from "./status.ts";
import type { LandscapeStore } from "./store.ts";

/** The ConfigMap of the set. */
const PARENT: ObjectName = { kind: RESOURCES.configMap.kind, name: applySetParent("").metadata.name };

/** The outcome of a pass. */
export interface PassNews {
  readonly choice: RevisionChoice;
  readonly report: PassReport;
  /** The results of requests, as the status shows them. */
  readonly requests: string;
}

/** Where the status and the events are written, and by which process. */
interface TellerWorld {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly holder: string;
}

/** After this time, a status that did not change is compared with the one on the control plane. Milliseconds. */
export const CHECK_MS = 300_000;

/**
 * Reports on a landscape in its control plane: a status for all of it, and events on its objects. Neither touches
 * objects that people use, so both continue while the landscape is paused.
 */
export class Teller {
  readonly #world: TellerWorld;
  readonly #events = new EventTeller();
  /** The last status that was found or written on the control plane, as JSON, and when. */
  #status = "";
  #statusMs = -Infinity;
  /** Why the status could not be written. */
  #trouble = "";

  constructor(world: TellerWorld) {
    this.#world = world;
  }

  /** Writes the status if it changed, and new events. Returns whether the status is written. */
  async tell({ choice, report, requests }: PassNews, store: LandscapeStore, nowMs: number, run: Run): Promise<boolean> {
    const isWritten = await this.#write({ ...passStatus(choice, report), requests }, nowMs, run);
    const find = (object: ObjectName): KubernetesObject | undefined => store.find(object) ?? store.find(PARENT);
    await this.#events.tell(passEvents(report, choice.serves), { ...this.#world, nowMs, find }, run);
    return isWritten;
  }

  /** Changes some fields of the status, since there was no pass that could tell the others. */
  async tellFailure(fields: Partial<StatusDocument>, nowMs: number, run: Run): Promise<void> {
    await this.#write(fields, nowMs, run);
  }

  /**
   * Writes a status that changed, or that is not there any more. A failure is logged once: it must not keep back what
   * the status is about.
   */
  async #write(fields: Partial<StatusDocument>, nowMs: number, run: Run): Promise<boolean> {
    const text = JSON.stringify(fields);
    // Another client may have removed or changed it.
    if (text === this.#status && Math.abs(nowMs - this.#statusMs) < CHECK_MS) return true;
    try {
      await writeStatus(fields, nowMs, this.#world, run);
      [this.#status, this.#statusMs, this.#trouble] = [text, nowMs, ""];
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (this.#trouble !== error.message) run.log.warn("status not written", { because: error.message });
      this.#trouble = error.message;
      return false;
    }
  }
}

/** An event of an object, as `kubectl describe` shows it: something that was done, or that needs attention. */
export interface ObjectEvent {
  readonly object: ObjectName;
  readonly type: "Normal" | "Warning";
  /** One word in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** The events of a pass, warnings first. */
function passEvents(
  { prepared, result, records }: PassReport,
  serves: ServableCommit | undefined,
): readonly ObjectEvent[] {
  const { revision } = prepared.input.claim;
  const isPerChannel = prepared.input.desired.target.generation === "channel-templates";
  const objectOf = ({ channel, module }: Pick<EntryItem, "channel" | "module">): ObjectName =>
    isPerChannel
      ? { kind: RESOURCES.moduleTemplate.kind, name: `${module}-${channel}` }
      : { kind: RESOURCES.moduleReleaseMeta.kind, name: module };
  const events = [
    ...withheldIn(serves).map(({ about, message }): ObjectEvent => {
      const object = { kind: RESOURCES.moduleReleaseMeta.kind, name: about };
      return { object, type: "Warning", reason: "Withheld", message: `The module stays as it was: ${message}` };
    }),
    ...result.entries.flatMap((outcome) => entryEvent(outcome, revision).map(withObject(objectOf(outcome.entry)))),
    ...[...records].flatMap(([key, record]) => haltEvent(key, record).map(withObject(objectOf(placeOfKey(key))))),
    ...result.outcomes.flatMap((outcome) => objectEvent(outcome).map(withObject(outcome.item.object))),
  ];
  return events.sort((a, b) => Number(b.type === "Warning") - Number(a.type === "Warning"));
}

type EventText = Omit<ObjectEvent, "object">;

const withObject =
  (object: ObjectName) =>
  (told: EventText): ObjectEvent => ({ ...told, object });

function entryEvent(outcome: EntryOutcome, revision: string): readonly EventText[] {
  const { entry } = outcome;
  const { channel, from = "nothing", to = "nothing" } = entry;
  if (entry.kind === "refused") {
    const message = `${channel} stays at ${from}: ${entry.reason} ${entry.remedy}`;
    return [{ type: "Warning", reason: "EntryRefused", message }];
  }
  if (outcome.result === "skipped") {
    const message = `${channel} stays at ${from} instead of ${to}: ${outcome.because}.`;
    return [{ type: "Warning", reason: "EntryNotMoved", message }];
  }
  const message = `${channel}: ${from} → ${to}, by commit ${shortCommit(revision)}`;
  return outcome.result === "done" ? [{ type: "Normal", reason: "EntryMoved", message }] : [];
}

function haltEvent(key: string, { current }: EntryRecord): readonly EventText[] {
  const halt = current?.wave?.halt;
  if (halt === undefined) return [];
  const message = `${placeOfKey(key).channel} ${current?.version}: ${halt.reason}`;
  return [{ type: "Warning", reason: "WaveHalted", message }];
}

function objectEvent(outcome: ObjectOutcome): readonly EventText[] {
  const { item } = outcome;
  if (outcome.result === "failed") return [{ type: "Warning", reason: "Failed", message: outcome.fault.message }];
  if (outcome.result === "contested") return [contested(outcome.by)];
  if (item.kind === "contested") return [contested(item.by)];
  if (item.kind === "refused")
    return [{ type: "Warning", reason: "Refused", message: `${item.reason} ${item.remedy}` }];
  const repair = outcomeRepair(outcome);
  if (repair === undefined) return [];
  return [{ type: "Normal", reason: "DriftRepaired", message: `Reverted changes by ${joinedNames(repair.by)}.` }];
}

function contested(by: readonly string[]): EventText {
  return { type: "Warning", reason: "Contested", message: `Overwritten repeatedly by ${joinedNames(by)}.` };
}

function joinedNames(managers: readonly string[]): string {
  return managers.join(", ") || "another client";
}

/** The most events per pass: a first sync moves thousands of entries. The log has all of them. */
const MOST = 50;
/** An API server keeps events for an hour, so an event that still holds is written again. Milliseconds. */
const AGAIN_MS = 50 * 60_000;
/** The pause before an event that could not be written is written again. Milliseconds. */
const FAILED_MS = 5 * 60_000;
const COMPONENT = "kyma-modules";
/** The longest message that an API server accepts. Characters. */
const LONGEST = 1024;

/** The context in which events are written. */
export interface EventWorld {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  /** The process. */
  readonly holder: string;
  /** The object to show an event on: kubectl shows none of an object that does not exist. `undefined`: nowhere. */
  readonly find: (object: ObjectName) => KubernetesObject | undefined;
  readonly nowMs: number;
}

/** Writes each event once while it holds. */
export class EventTeller {
  /** The time at which each event was written, by its key. */
  #told: ReadonlyMap<string, number> = new Map();

  /** Writes new events. One that cannot be written is only logged, since no decision depends on events. */
  async tell(events: readonly ObjectEvent[], world: EventWorld, run: Run): Promise<void> {
    const { find, nowMs } = world;
    const keyed = new Map(events.map((event) => [objectEventKey(event), event]));
    // Absolute, because the clock may have been set back.
    const isFresh = (key: string): boolean => Math.abs(nowMs - (this.#told.get(key) ?? -Infinity)) > AGAIN_MS;
    const fresh = [...keyed].filter(([key]) => isFresh(key)).slice(0, MOST);
    const told = new Map([...this.#told].filter(([key]) => keyed.has(key)));
    for (const [key, event] of fresh) {
      const object = find(event.object);
      if (object === undefined) continue;
      const isWritten = await write(eventOn(object, event, world), world, run);
      told.set(key, isWritten ? nowMs : nowMs - AGAIN_MS + FAILED_MS);
    }
    this.#told = told;
  }
}

/** Warnings that differ only in numbers count as the same one, because a fleet changes all the time. */
function objectEventKey({ object: { kind, name }, type, reason, message }: ObjectEvent): string {
  const text = type === "Warning" ? message.replaceAll(/\d+|\(.*?\)/g, "") : message;
  return [kind, name, reason, text].join(" ");
}

/** Writes an event; returns whether that succeeded. */
async function write(event: KubernetesObject, { controlPlane }: EventWorld, run: Run): Promise<boolean> {
  try {
    await controlPlane.apply(event, "absent", run);
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    run.log.warn("event not written", { event: event.metadata.name, because: error.message });
    return false;
  }
}

function eventOn(
  { apiVersion, kind, metadata: { name, uid = "", resourceVersion = "" } }: KubernetesObject,
  { type, reason, message }: ObjectEvent,
  { namespace, holder, nowMs }: EventWorld,
): KubernetesObject {
  const at = new Date(nowMs).toISOString().replace(/\.\d+/, "");
  return {
    apiVersion: RESOURCES.event.apiVersion,
    kind: RESOURCES.event.kind,
    metadata: { name: `${name}.${randomUUID().slice(0, 18)}`, namespace },
    involvedObject: { apiVersion, kind, name, namespace, uid, resourceVersion },
    ...{ type, reason, message: message.slice(0, LONGEST), count: 1, firstTimestamp: at, lastTimestamp: at },
    source: { component: COMPONENT },
    reportingComponent: COMPONENT,
    reportingInstance: holder,
  };
}
