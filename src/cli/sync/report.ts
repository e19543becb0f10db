import { fieldText, type Difference } from "../../kubernetes/compare.ts";
import { DESIRED_ANNOTATION } from "../../kubernetes/object.ts";
import { isOutage, type ObjectOutcome } from "../../sync/apply.ts";
import {
  entriesOf,
  type EntryItem,
  isAmiss,
  isUnknown,
  itemsOf,
  type ObjectChange,
  type Plan,
  type PlanItem,
} from "../../sync/plan/item.ts";
import type { EntryOutcome } from "../../sync/record.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { describeEntry, entryText, type Description } from "./reportEntry.ts";
import type { Prepared } from "../../sync/prepare.ts";
import type { SyncResult } from "../../sync/sync.ts";

/** Fields that are shown of one change; the rest is counted. What an adoption removes is shown whole. */
const SHOWN_FIELDS = 5;
const INDENT = " ".repeat(14);

/** A plan as people read it: objects and entries that are not simply unchanged, then the counts. */
export function planText(plan: Plan, output: Output): string {
  const items = itemsOf(plan).flatMap((item) => (item.kind === "unchanged" ? [] : itemLines(item, output)));
  const entries = entriesOf(plan).flatMap((entry) => (entry.kind === "unchanged" ? [] : entryLines(entry, output)));
  return [...items, ...entries, ...plan.notes.map(noteLine), `${plan.landscape}: ${planSummary(plan)}`].join("\n");
}

/** A note of a plan. */
export function noteLine(note: string): string {
  return `  note: ${note}`;
}

/** One object: what is to be done, to what, and why. */
export function itemLines(item: PlanItem, output: Output): readonly string[] {
  return lines(describeItem(item), nameOf(item), output);
}

function nameOf({ object: { kind, name, field } }: PlanItem): string {
  return `${kind} ${name}${field === undefined ? "" : ` ${field}`}`;
}

function lines({ verb, style, details }: Description, name: string, output: Output): readonly string[] {
  return [`  ${output.paint(style, verb.padEnd(9))} ${name}`, ...details.map((detail) => `${INDENT}${detail}`)];
}

/** One entry: what becomes of it, and why. */
export function entryLines(entry: EntryItem, output: Output): readonly string[] {
  return lines(describeEntry(entry), entryText(entry), output);
}

function describeItem(item: PlanItem): Description {
  switch (item.kind) {
    case "create":
      return { verb: "create", style: "good", details: missingDetails(item.missedBy) };
    case "change":
      return { verb: VERBS[item.cause], style: "change", details: changeDetails(item) };
    case "unchanged":
      return { verb: "unchanged", style: "quiet", details: [] };
    case "retained":
      return describeRetained(item.because, item.repair);
    case "prune":
      return item.carriedOut
        ? { verb: "prune", style: "bad", details: [] }
        : { verb: "left over", style: "quiet", details: ["no Kyma uses it; --prune removes it"] };
    case "refused":
      return { verb: "refused", style: "bad", details: [`${item.reason} [${item.refusal}]`, item.remedy] };
    case "contested":
      return { verb: "contested", style: "bad", details: contestedDetails(item) };
    case "waiting":
      return { verb: "waiting", style: "change", details: [item.reason] };
  }
}

function contestedDetails({ by, fields }: { by: readonly string[]; fields: readonly Difference[] }): readonly string[] {
  const what = fields.map(({ path }) => fieldText(path)).join(", ") || "again and again";
  return [
    `${by.join(", ") || "another client"} writes what we wrote over: ${what}`,
    "Find out who is right, and stop the other; a later sync tries again.",
  ];
}

function missingDetails(missedBy: string | undefined): readonly string[] {
  return missedBy === undefined ? [] : [`it was missing, although ${missedBy} names it`];
}

function describeRetained(because: string, repair: ObjectChange | undefined): Description {
  return repair === undefined
    ? { verb: "retained", style: "quiet", details: [because] }
    : { verb: "repair", style: "change", details: [because, ...changeDetails(repair)] };
}

const VERBS = { repository: "change", drift: "repair", adoption: "adopt" } as const;

function changeDetails({ cause, by, differences, warning }: ObjectChange): readonly string[] {
  const who = cause === "drift" ? [`changed by ${by.join(", ") || "an unknown client"}`] : [];
  const isAdoption = cause === "adoption";
  const fields = differences
    .filter(({ path }) => differences.length === 1 || path[2] !== DESIRED_ANNOTATION)
    .toSorted((a, b) => rankOf(a, isAdoption) - rankOf(b, isAdoption))
    .map(fieldLine);
  const shown = isAdoption ? fields.length : SHOWN_FIELDS;
  const more = fields.length > shown ? [`and ${fields.length - shown} more fields`] : [];
  return [...who, ...fields.slice(0, shown), ...more, ...(warning === undefined ? [] : [`warning: ${warning}`])];
}

/** Whoever takes something over wants to see first what goes from its spec. */
function rankOf({ path: [root], kind }: Difference, isAdoption: boolean): number {
  if (!isAdoption) return 0;
  return (kind === "extra" ? 0 : 2) + (root === "spec" ? 0 : 1);
}

function fieldLine({ path, kind, wanted, found }: Difference): string {
  switch (kind) {
    case "missing":
      return `${fieldText(path)}: add ${short(wanted)}`;
    case "changed":
      return `${fieldText(path)}: ${short(found)} → ${short(wanted)}`;
    case "extra":
      return `${fieldText(path)}: remove ${short(found)}`;
  }
}

/** A commit, and what is recorded of a working tree that is not as its commit. */
const COMMIT = /^([0-9a-f]{10})[0-9a-f]{30}((?:\+dirty)?)$/;

function short(value: unknown): string {
  const text = typeof value === "string" ? value.replace(COMMIT, "$1$2") : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** `1 raise, 12 unchanged; objects: 2 create, 1 change`; the kinds in the order in which they first appear. */
function planSummary(plan: Plan): string {
  const entries = countVerbs(entriesOf(plan).map((entry) => describeEntry(entry).verb));
  const objects = countVerbs(
    itemsOf(plan).flatMap((item) => (item.kind === "unchanged" ? [] : [describeItem(item).verb])),
  );
  return summaryOf(entries, objects);
}

function summaryOf(entries: string, objects: string): string {
  if (entries === "") return objects === "" ? "nothing is served" : `objects: ${objects}`;
  return `${entries}${objects === "" ? "" : `; objects: ${objects}`}`;
}

function countVerbs(verbs: readonly string[]): string {
  const counts = Map.groupBy(verbs, (verb) => verb);
  return [...counts].map(([verb, group]) => `${group.length} ${verb}`).join(", ");
}

/** What a sync did: `1 raised, 12 unchanged; objects: 2 created, 1 changed`. */
export function syncSummary(entries: readonly EntryOutcome[], outcomes: readonly ObjectOutcome[]): string {
  return summaryOf(
    countVerbs(entries.map(pastOfEntry)),
    countVerbs(outcomes.flatMap((outcome) => (outcome.item.kind === "unchanged" ? [] : [pastOfObject(outcome)]))),
  );
}

const PAST: Readonly<Partial<Record<string, string>>> = {
  add: "added",
  raise: "raised",
  lower: "lowered",
  remove: "removed",
  create: "created",
  change: "changed",
  repair: "repaired",
  adopt: "adopted",
  prune: "pruned",
};

function pastOfEntry({ entry, result }: EntryOutcome): string {
  const { verb } = describeEntry(entry);
  if (result === "failed" || result === "skipped") return `not ${PAST[verb] ?? verb}`;
  return result === "done" ? (PAST[verb] ?? verb) : verb;
}

function pastOfObject({ item, result }: ObjectOutcome): string {
  const { verb } = describeItem(item);
  if (result === "contested") return "contested";
  if (result === "failed" || result === "skipped") return `not ${PAST[verb] ?? verb}`;
  return result === "done" ? (PAST[verb] ?? verb) : verb;
}

/** What became of an object, for people; nothing for what was simply left as it is. */
export function outcomeLines(outcome: ObjectOutcome, output: Output): readonly string[] {
  const { item } = outcome;
  if (item.kind === "unchanged" && outcome.result !== "failed") return [];
  const verb = pastOfObject(outcome);
  const { style, details } = describeItem(item);
  const name = nameOf(item);
  switch (outcome.result) {
    case "done":
    case "left":
      return lines({ verb, style, details }, name, output);
    case "contested":
      return lines({ verb, style: "bad", details: contestedDetails(outcome) }, name, output);
    case "failed":
      return lines({ verb: "failed", style: "bad", details: [outcome.fault.message] }, name, output);
    case "skipped":
      return lines({ verb: "skipped", style: "bad", details: [outcome.because] }, name, output);
  }
}

/** What became of an entry, for people; nothing for one that is as it should be. */
export function entryOutcomeLines(outcome: EntryOutcome, output: Output): readonly string[] {
  const { entry } = outcome;
  if (entry.kind === "unchanged") return [];
  const { style, details } = describeEntry(entry);
  const text = entryText(entry);
  switch (outcome.result) {
    case "done":
    case "left":
      return lines({ verb: pastOfEntry(outcome), style, details }, text, output);
    case "failed":
      return lines({ verb: "failed", style: "bad", details: [outcome.fault.message] }, text, output);
    case "skipped":
      return lines({ verb: "skipped", style: "bad", details: [outcome.because] }, text, output);
  }
}

/** A late job has nothing to do: what it was to serve was served, and went on. */
export function supersededText(landscape: string, { supersededBy = "" }: Prepared): string {
  return `${landscape}: superseded: it serves the newer commit ${supersededBy.slice(0, 10)} already; nothing to do`;
}

/** An outage is the world's, whichever request met it; what is refused, contested or could not be done is a finding. */
export function codeOf({ entries, outcomes }: SyncResult): number {
  if (outcomes.some(isOutage) || entries.some(({ entry }) => isUnknown(entry))) return EXIT.world;
  const isAmissAnywhere =
    entries.some(({ entry, result }) => isAmiss(entry) || (result !== "done" && result !== "left")) ||
    outcomes.some(
      ({ item, result }) => isAmiss(item) || item.kind === "waiting" || (result !== "done" && result !== "left"),
    );
  return isAmissAnywhere ? EXIT.findings : EXIT.fine;
}
