import type { Catalogue } from "../catalogue/catalogue.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import type { Outcome } from "../sync/apply.ts";
import { servedEntries } from "../sync/plan/served.ts";
import type { EntryOutcome } from "../sync/record.ts";
import type { SyncResult } from "../sync/sync.ts";
import type { Output } from "./output.ts";
import { entryText } from "./reportEntry.ts";
import { entryOutcomeLines, outcomeLines } from "./reportPlan.ts";
import { table } from "./table.ts";

/** What one control plane serves: its release metas, or its channel templates. */
export interface Served {
  readonly landscape: string;
  readonly objects: readonly KubernetesObject[];
}

/** Channel × module × landscape, with `–` where a landscape does not serve it. Fits into 80 columns. */
export function servedTable(catalogue: Catalogue, served: readonly Served[], output: Output): string {
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

/** What a sync changed, entry by entry; what is no entry, object by object. */
export function changeLines(
  landscape: string,
  { entries, outcomes }: Pick<SyncResult, "entries" | "outcomes">,
  output: Output,
): readonly string[] {
  const name = output.paint("strong", landscape.padEnd(6));
  const lines = [
    ...entries.flatMap((outcome) => entryLines(outcome, output)),
    ...outcomes.flatMap((outcome) => objectLines(outcome, output)),
  ];
  return lines.map((line) => `${name} ${line}`);
}

function entryLines(outcome: EntryOutcome, output: Output): readonly string[] {
  if (outcome.result === "done") return [entryText(outcome.entry)];
  return entryOutcomeLines(outcome, output).map((line) => line.trim());
}

/** What goes without saying is not said: the entry says it that names a template, or that a release meta holds. */
function objectLines(outcome: Outcome, output: Output): readonly string[] {
  const { item, result } = outcome;
  const isAnnounced =
    item.kind === "prune" ||
    (item.kind === "create" && item.missedBy === undefined) ||
    (item.kind === "change" && item.cause === "repository" && item.warning === undefined);
  if (result === "done" && isAnnounced) return [];
  return outcomeLines(outcome, output).map((line) => line.trim());
}
