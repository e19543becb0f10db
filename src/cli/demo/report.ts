import type { Catalogue } from "../../catalogue/catalogue.ts";
import { counted } from "../../document/counted.ts";
import { type Finding, findingText } from "../../document/finding.ts";
import { printable } from "../../document/printable.ts";
import { RESOURCES, type KubernetesObject } from "../../kubernetes/object.ts";
import type { ObjectOutcome } from "../../sync/apply.ts";
import { servedEntries } from "../../sync/plan/served.ts";
import type { EntryOutcome } from "../../sync/record.ts";
import type { SyncResult } from "../../sync/sync.ts";
import { clock } from "../compose/systems.ts";
import { type Output, table } from "../terminal/output.ts";
import { isAmiss } from "../../sync/plan/item.ts";
import { entryText } from "../../sync/describeEntry.ts";
import { entryOutcomeLines, outcomeLines } from "../sync/report.ts";
import type { Condition, DemoDeed, JournalLook, LookAccount } from "./journal.ts";

/** The subject of findings in the files. */
const FILES = "files";

/** The served objects of one control plane: its release metas, or its channel templates. */
interface ServedObjects {
  readonly landscape: string;
  readonly objects: readonly KubernetesObject[];
}

/**
 * A table of channel × module × landscape, with `–` for an entry that a landscape does not serve. Fits into 80 columns.
 */
export function servedTable(catalogue: Catalogue, served: readonly ServedObjects[], output: Output): string {
  const columns = served.map(({ objects }) => new Map(objects.flatMap((object) => [...servedEntries(object)])));
  const rows = [...catalogue.channels.values()].flatMap(({ name: channel, templates }) =>
    [...templates.keys()].map((module) => {
      const key = `${channel}/${module}`;
      return [channel, module, ...columns.map((entries) => entries.get(key) ?? "–")];
    }),
  );
  const header = ["CHANNEL", "MODULE", ...served.map(({ landscape }) => landscape.toUpperCase())];
  return table(header, rows, output);
}

/** The account of a look at the files. */
export function accountOfFiles(findings: readonly Finding[], output: Output): LookAccount {
  const standing = findings.map((finding) => ({
    text: findingText(finding, output),
    isAmiss: finding.severity === "error",
  }));
  return { subject: FILES, did: [], standing };
}

/** The account of a landscape since the last report: its passes, and its state after them; empty without a pass. */
export function accountOfDeeds(subject: string, deeds: readonly DemoDeed[], output: Output): readonly LookAccount[] {
  const accounts = deeds.map(({ outcome }) =>
    "fault" in outcome
      ? { subject, did: [], standing: [{ text: `not synced: ${outcome.fault.message}`, isAmiss: true }] }
      : accountOfSync(subject, outcome.result, output),
  );
  const last = accounts.at(-1);
  return last === undefined ? [] : [{ ...last, did: accounts.flatMap(({ did }) => did) }];
}

/** The account of a sync: its entries, then the objects that no entry covers. */
export function accountOfSync(subject: string, { entries, outcomes }: SyncResult, output: Output): LookAccount {
  const told: readonly ToldCondition[] = [
    ...entries.flatMap((outcome) => entryTold(outcome, output)),
    ...outcomes.flatMap((outcome) => objectTold(outcome, output)),
  ];
  return {
    subject,
    did: told.flatMap(({ text, isDone }) => (isDone ? [text] : [])),
    standing: told.filter(({ isDone }) => !isDone),
  };
}

interface ToldCondition extends Condition {
  readonly isDone: boolean;
}

function entryTold(outcome: EntryOutcome, output: Output): readonly ToldCondition[] {
  const { entry, result } = outcome;
  const isDrift = "cause" in entry && entry.cause === "drift";
  if (result === "done" && entry.kind !== "unchanged" && !isDrift)
    return [{ text: entryText(entry), isDone: true, isAmiss: false }];
  return toldConditions(entryOutcomeLines(outcome, output), result, isAmiss(entry) || entry.kind === "waiting");
}

/** Expected changes of objects are omitted, because their entry reports them. */
function objectTold(outcome: ObjectOutcome, output: Output): readonly ToldCondition[] {
  const { item, result } = outcome;
  const isAnnounced =
    item.kind === "prune" ||
    (item.kind === "create" && item.missedBy === undefined && item.object.kind !== RESOURCES.configMap.kind) ||
    (item.kind === "change" && item.cause === "repository" && item.warning === undefined);
  if (result === "done" && isAnnounced) return [];
  return toldConditions(outcomeLines(outcome, output), result, isAmiss(item) || item.kind === "waiting");
}

function toldConditions(
  lines: readonly string[],
  result: ObjectOutcome["result"],
  isLeftAmiss: boolean,
): readonly ToldCondition[] {
  const [first, ...details] = lines.map((line) => line.trim());
  if (first === undefined) return [];
  const text = [first, ...details.map((line) => `    ${line}`)].join("\n");
  return [{ text, isDone: result === "done", isAmiss: result === "left" ? isLeftAmiss : result !== "done" }];
}

/** The lines of a look, below its heading. Landscapes with the same news share their lines. */
export function lookLines({ news, amiss, wasAmiss }: JournalLook, took: string): readonly string[] {
  const groups = Map.groupBy(news, ({ texts }) => texts.join("\n"));
  const state = amiss.length === 0 ? `in sync${wasAmiss ? " again" : ""} ${took}` : amissText(amiss, wasAmiss);
  const lines = [...groups.values()].flatMap((group) => {
    const subjects = group.map(({ subject }) => subject);
    const prefix = subjects.includes(FILES) ? "" : `${subjects.join(", ")}: `;
    return (group[0]?.texts ?? []).flatMap((text) => `${prefix}${text}`.split("\n"));
  });
  return [...lines, state];
}

function amissText(amiss: readonly string[], wasAmiss: boolean): string {
  const still = wasAmiss ? "still not in sync" : "not in sync";
  return amiss.includes(FILES)
    ? `${still}: the files have errors, and the affected entries are unchanged`
    : `${still}: ${amiss.join(", ")}`;
}

/** The heading for changed files. */
export function changedText(paths: readonly string[]): string {
  const few = paths.length <= 3 ? paths.map(printable).join(", ") : counted(paths.length, "file");
  return `${few} changed`;
}

/** Prints an event: its time, its heading, and its results. */
export function sayBlock(heading: string, lines: readonly string[], output: Output): void {
  const time = new Date(clock.nowMs()).toTimeString().slice(0, "hh:mm:ss".length);
  output.say([`${time} ${output.paint("strong", heading)}`, ...lines.map((line) => `         ${line}`)].join("\n"));
}

/** A duration in seconds as text. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
