import type { ControllerMetrics, EntryInWave, EntryState } from "../../ports.ts";
import { outcomeRepair } from "../apply.ts";
import { planEntries, isUnknown, type EntryItem, type Refusal } from "../plan/item.ts";
import { entryKey, type EntryRecord } from "../plan/records.ts";
import type { PassReport } from "./pass.ts";

/** Counts what a pass over a landscape found and did. */
export function countPass(
  landscape: string,
  { prepared, result, records, failures, tookMs }: PassReport,
  metrics: ControllerMetrics,
): void {
  const entries = planEntries(prepared.plan);
  const counts = { unchanged: 0, create: 0, raise: 0, lower: 0, remove: 0, refused: 0, waiting: 0 };
  for (const { kind } of entries) counts[kind satisfies EntryState] += 1;
  const refused = entries.filter((entry): entry is RefusedEntry => entry.kind === "refused");
  const refusals = Map.groupBy(refused, ({ refusal }): Refusal => refusal);
  metrics.planned(landscape, counts, new Map([...refusals].map(([refusal, some]) => [refusal, some.length])));
  const isFailed = result.outcomes.some((outcome) => outcome.result === "failed");
  const isDone = result.outcomes.some((outcome) => outcome.result === "done");
  metrics.retries(landscape, failures.size);
  if (isFailed || isDone) metrics.synced(landscape, isFailed ? "failed" : "done", tookMs);
  for (const manager of result.outcomes.flatMap((outcome) => outcomeRepair(outcome)?.by ?? []))
    metrics.drifted(landscape, manager);
  metrics.inWaves(
    landscape,
    entries.map((entry) => {
      const { module, channel } = entry;
      const record = records.get(entryKey(entry));
      return { module, channel, state: entryWaveState(entry, record), sinceMs: waveSinceMs(record) };
    }),
  );
}

function entryWaveState(entry: EntryItem, record: EntryRecord | undefined): EntryInWave["state"] {
  if (record?.current?.wave?.halt !== undefined) return "halted";
  if (entry.kind !== "waiting") return "passed";
  return isUnknown(entry) ? "unknown" : "waiting";
}

/** When a version was applied that some clusters do not have yet; `undefined`: none waits. */
function waveSinceMs(record: EntryRecord | undefined): number | undefined {
  const { wave, sinceMs } = record?.current ?? {};
  return wave !== undefined && wave.pending > 0 ? sinceMs : undefined;
}

type RefusedEntry = EntryItem & { readonly kind: "refused" };
