import type { Catalogue } from "../catalogue/catalogue.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import type { Outcome } from "../sync/apply.ts";
import { entryChanges, servedEntries } from "../sync/planEntries.ts";
import type { Output } from "./output.ts";
import { entryText, outcomeLines } from "./reportPlan.ts";
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
export function changeLines(landscape: string, outcomes: readonly Outcome[], output: Output): readonly string[] {
  const name = landscape.padEnd(6);
  return outcomes.flatMap((outcome) => {
    const entries = outcome.result === "done" ? entryChanges(outcome.item) : [];
    const lines = entries.length > 0 ? entries.map(entryText) : objectLines(outcome, output);
    return lines.map((line) => `${output.paint("strong", name)} ${line}`);
  });
}

/** New and removed templates of versions go without saying: the entry that names them says it. */
function objectLines(outcome: Outcome, output: Output): readonly string[] {
  const { item, result } = outcome;
  const isAnnounced = item.kind === "prune" || (item.kind === "create" && item.missedBy === undefined);
  if (result === "done" && isAnnounced) return [];
  return outcomeLines(outcome, output).map((line) => line.trim());
}
