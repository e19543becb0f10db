import { shortCommit } from "../../document/printable.ts";
import type { ObjectOutcome } from "../../sync/apply.ts";
import { planEntries, type EntryItem, planItems, type Plan } from "../../sync/plan/item.ts";
import type { EntryOutcome } from "../../sync/record.ts";
import type { Output } from "../terminal/output.ts";
import { describeEntry, entryText, type Description } from "../../sync/describeEntry.ts";
import type { Prepared } from "../../sync/prepare.ts";
import {
  contestedDetails,
  countVerbs,
  describeItem,
  planItemName,
  planSummary,
  itemSummary,
} from "../../sync/describeItem.ts";

const INDENT = " ".repeat(14);

/** A plan as text: objects and entries that are not unchanged, then the counts. */
export function planText(plan: Plan, output: Output): string {
  const items = planItems(plan).flatMap((item) =>
    item.kind === "unchanged" ? [] : lines(describeItem(item), planItemName(item), output),
  );
  const entries = planEntries(plan).flatMap((entry) => (entry.kind === "unchanged" ? [] : entryLines(entry, output)));
  return [...items, ...entries, ...plan.notes.map(noteLine), `${plan.landscape}: ${planSummary(plan)}`].join("\n");
}

/** The line for a note of a plan. */
export function noteLine(note: string): string {
  return `  note: ${note}`;
}

function lines({ verb, style, details }: Description, name: string, output: Output): readonly string[] {
  return [`  ${output.paint(style, verb.padEnd(9))} ${name}`, ...details.map((detail) => `${INDENT}${detail}`)];
}

/** The lines for an entry: the action, the entry, and the details. */
export function entryLines(entry: EntryItem, output: Output): readonly string[] {
  return lines(describeEntry(entry), entryText(entry), output);
}

/** The counts of a sync: `1 raised, 12 unchanged; objects: 2 created, 1 changed`. */
export function syncSummary(entries: readonly EntryOutcome[], outcomes: readonly ObjectOutcome[]): string {
  return itemSummary(
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

/** The outcome of an object as text; nothing for an unchanged one. */
export function outcomeLines(outcome: ObjectOutcome, output: Output): readonly string[] {
  const { item } = outcome;
  if (item.kind === "unchanged" && outcome.result !== "failed") return [];
  const verb = pastOfObject(outcome);
  const { style, details } = describeItem(item);
  const name = planItemName(item);
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

/** The outcome of an entry as text; nothing for an unchanged one. */
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

/** The report of a late job, whose commit was already superseded by a newer one. */
export function supersededText(landscape: string, { supersededBy = "" }: Prepared): string {
  const newer = shortCommit(supersededBy);
  return `${landscape}: superseded: a sync of the newer commit ${newer} began; nothing to do. If that sync did not complete, run it again`;
}
