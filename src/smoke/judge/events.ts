import { fieldAt, textAt } from "../../document/fields.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";

/** The most events that are reported. */
const EVENTS = 5;

/** The most useful events of a failure: warnings before others, the newest of each, in order of time. */
export function eventTexts(events: readonly KubernetesObject[]): readonly string[] {
  const sorted = events.toSorted((a, b) => eventTime(a).localeCompare(eventTime(b)));
  const [warnings, others] = [true, false].map((isWarning) =>
    sorted.filter((event) => (textAt(event, ["type"]) === "Warning") === isWarning),
  ) as [KubernetesObject[], KubernetesObject[]];
  const told = warnings.slice(-EVENTS);
  return [...told, ...others.slice(Math.max(0, others.length - EVENTS + told.length))].map(
    (event) => `${textAt(event, ["reason"]) ?? ""}: ${textAt(event, ["message"]) ?? ""}`,
  );
}

function eventTime(event: KubernetesObject): string {
  return (
    textAt(event, ["lastTimestamp"]) ??
    textAt(event, ["eventTime"]) ??
    String(fieldAt(event, ["metadata", "creationTimestamp"]))
  );
}
