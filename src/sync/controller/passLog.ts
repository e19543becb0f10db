import type { Log } from "../../ports.ts";
import type { ObjectOutcome } from "../apply.ts";
import type { ObjectName } from "../plan/item.ts";
import type { PassReport } from "./pass.ts";
import type { RevisionChoice, WithheldModule } from "./revisions.ts";

/** Logs what was done, in the order of the plan: modules are carried out at the same time. */
export function logDeeds({ prepared, result }: PassReport, log: Log): void {
  const deeds = result.outcomes.filter((outcome) => outcome.result !== "left" && outcome.result !== "skipped");
  // Most passes do nothing to thousands of objects.
  if (deeds.length > 0) logObjects(deeds, prepared, log);
  for (const { entry, result: end } of result.entries) {
    const { module, channel, from = "", to = "" } = entry;
    if (end === "done") log.info("entry moved", { module, channel, from, to });
  }
}

function logObjects(deeds: readonly ObjectOutcome[], { plan }: PassReport["prepared"], log: Log): void {
  const planned = plan.modules.flatMap(({ module, items }) =>
    items.map(({ object }) => [loggedObjectKey(object), module] as const),
  );
  const [modules, ranks] = [new Map(planned), new Map(planned.map(([key], index) => [key, index]))];
  const rankOf = ({ item }: ObjectOutcome): number => ranks.get(loggedObjectKey(item.object)) ?? -1;
  for (const outcome of deeds.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const module = modules.get(loggedObjectKey(outcome.item.object));
    logObject(outcome, module === undefined ? log : log.with({ module }));
  }
}

function loggedObjectKey({ kind, name }: ObjectName): string {
  return `${kind}/${name}`;
}

function logObject({ item, ...outcome }: ObjectOutcome, log: Log): void {
  const at = log.with({ object: loggedObjectKey(item.object), act: item.kind });
  if (outcome.result === "done") at.info("object written");
  else if (outcome.result === "failed") at.warn("object not written", { because: outcome.fault.message });
  else if (outcome.result === "contested") at.warn("object contested", { by: outcome.by.join(", ") });
}

/** A lasting trouble as a line of the log: its message, its cause, and other fields. */
export type LoggedTrouble = Readonly<Record<"message" | "because", string> & Record<string, string>>;

/** Why nothing is written to a landscape: its set belongs to another owner. `undefined`: it may be written. */
export function passRefusal({ plan: { parent } }: PassReport["prepared"]): LoggedTrouble | undefined {
  if (parent.kind !== "refused") return undefined;
  return { message: "set refused", because: parent.reason, remedy: parent.remedy };
}

/** Why the newest commit is not served; `undefined`: it is. */
export function revisionTrouble({ held }: RevisionChoice): LoggedTrouble | undefined {
  return held && { message: "commit held", commit: held.commit, because: held.reason, remedy: held.remedy };
}

/** Why modules of the served commit stay as they were; `undefined`: none does. */
export function withheldTrouble(withheld: readonly WithheldModule[]): LoggedTrouble | undefined {
  const because = withheld.map(({ about, message }) => `${about}: ${message}`);
  return because.length === 0 ? undefined : { message: "modules withheld", because: because.join("; ") };
}
