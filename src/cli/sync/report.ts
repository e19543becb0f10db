import { isOutage, type ObjectOutcome } from "../../sync/apply.ts";
import {
  entriesOf,
  type EntryItem,
  isAmiss,
  isStuck,
  isUnknown,
  itemsOf,
  type Plan,
  type PlanItem,
} from "../../sync/plan/item.ts";
import type { EntryOutcome } from "../../sync/record.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { describeEntry, entryText, type Description } from "../../sync/describeEntry.ts";
import type { Prepared } from "../../sync/prepare.ts";
import type { SyncResult } from "../../sync/sync.ts";
import { contestedDetails, countVerbs, describeItem, nameOf, planSummary, summaryOf } from "../../sync/describeItem.ts";

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

function lines({ verb, style, details }: Description, name: string, output: Output): readonly string[] {
  return [`  ${output.paint(style, verb.padEnd(9))} ${name}`, ...details.map((detail) => `${INDENT}${detail}`)];
}

/** One entry: what becomes of it, and why. */
export function entryLines(entry: EntryItem, output: Output): readonly string[] {
  return lines(describeEntry(entry), entryText(entry), output);
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
    outcomes.some(({ item, result }) => isAmiss(item) || isStuck(item) || (result !== "done" && result !== "left"));
  return isAmissAnywhere ? EXIT.findings : EXIT.fine;
}
