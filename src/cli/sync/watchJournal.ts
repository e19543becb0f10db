import { Fault, type ControllerMetrics, type EntryInWave, type EntryState, type Log } from "../../ports.ts";
import type { PublishedObservations } from "../../promote/publish.ts";
import { clusterFigures, rolloutFigures, versionUses } from "../../fleet/figures.ts";
import type { ControllerReport } from "../../sync/controller/controller.ts";
import type { FleetSeen } from "../../sync/controller/observer.ts";
import type { PassReport } from "../../sync/controller/pass.ts";
import { entriesOf, isUnknown, type EntryItem, type Refusal } from "../../sync/plan/item.ts";
import { entryKey, placeOfKey, type EntryRecord } from "../../sync/plan/records.ts";
import type { ObjectOutcome } from "../../sync/apply.ts";

/** Reports what a controller does, in logs and metrics. A lasting trouble is logged once. */
export class WatchJournal {
  readonly #log: Log;
  readonly #metrics: ControllerMetrics;
  /** The trouble that was logged last, by landscape, `<landscape> clusters` and `<landscape> evidence`. */
  readonly #trouble = new Map<string, string>();
  /** When each wave was halted, by landscape and entry, in Unix milliseconds. */
  readonly #halted = new Map<string, number>();
  /** The landscapes that another process leads. */
  readonly #standing = new Set<string>();
  /** The current commit of the branch. */
  #tip: { readonly commit: string; readonly sinceMs: number } | undefined;
  /** The commit that was synced completely, by landscape that this process leads or may lead. */
  readonly #synced = new Map<string, string>();
  /** What each landscape waits for; under the empty key, the first fetch of the branch. */
  readonly #unready = new Map([["", "the branch was not fetched yet"]]);

  constructor(log: Log, metrics: ControllerMetrics) {
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Why the controller is not ready; `undefined` if it is ready. */
  get unready(): string | undefined {
    return this.#unready.values().next().value;
  }

  /** Reports the result of a fetch. */
  fetched(result: "moved" | "unchanged" | Fault): void {
    const isFault = typeof result !== "string";
    this.#metrics.fetched(isFault ? "failed" : result);
    this.#tell("", isFault ? { message: "fetch failed", because: result.message } : undefined);
    // After a failure, the commit that was fetched before is still served.
    if (!isFault) this.#unready.delete("");
  }

  /** Reports that the branch moved. */
  moved(commit: string, nowMs: number): void {
    this.#tip = { commit, sinceMs: nowMs };
    this.#log.info("commit fetched", { revision: commit });
  }

  /** The age of a fetched commit that is not synced everywhere, in milliseconds; 0 if it is. */
  lagMs(nowMs: number): number {
    const tip = this.#tip;
    const isBehind = tip !== undefined && [...this.#synced.values()].some((commit) => commit !== tip.commit);
    return isBehind ? nowMs - tip.sinceMs : 0;
  }

  /** Reports a new landscape, which is not ready yet. */
  begins(landscape: string): void {
    this.#metrics.leads(landscape, false);
    this.#synced.set(landscape, "");
    this.#unready.set(landscape, `${landscape}: not read yet`);
  }

  /** Reports that a landscape is not kept any more. */
  ends(landscape: string): void {
    this.#unready.delete(landscape);
    this.#trouble.delete(landscape);
    this.#trouble.delete(`${landscape} clusters`);
    this.#trouble.delete(`${landscape} evidence`);
    this.#standing.delete(landscape);
    this.#synced.delete(landscape);
    this.#metrics.forget(landscape);
  }

  /** Reports the state of a landscape. */
  report(landscape: string, report: ControllerReport): void {
    const log = this.#log.with({ landscape });
    switch (report.kind) {
      case "leads":
        this.#leads(landscape, report.isLeading, log);
        break;
      case "stands by":
        if (!this.#standing.has(landscape)) log.info("standing by");
        this.#standing.add(landscape);
        this.#synced.delete(landscape);
        // It is ready to take over.
        this.#unready.delete(landscape);
        this.#tell(landscape, undefined);
        break;
      case "reading":
        this.#unready.set(landscape, `${landscape}: ${report.because}`);
        break;
      case "missing":
        this.#unready.set(landscape, `${landscape}: ${report.because}`);
        this.#tell(landscape, { message: "waiting", because: report.because });
        break;
      case "failed":
        this.#metrics.synced(landscape, "failed", 0);
        // A ready landscape stays ready, because the previous version is still served.
        if (this.#unready.has(landscape)) this.#unready.set(landscape, `${landscape}: ${report.fault.message}`);
        this.#tell(landscape, { message: "pass failed", because: report.fault.message });
        break;
      case "passed":
        this.#unready.delete(landscape);
        this.#passed(landscape, report, log);
        break;
    }
  }

  /** Reports a look at the clusters. An unready landscape is skipped: `report` logs its trouble. */
  seen(landscape: string, seen: FleetSeen): void {
    if (this.#unready.has(landscape)) return;
    const isBlind = seen.kind === "blind";
    this.#tell(`${landscape} clusters`, isBlind ? { message: "clusters not seen", because: seen.because } : undefined);
    if (isBlind) return;
    const { users, served, exposure, arrivals, atMs } = seen;
    this.#metrics.seen(landscape, atMs, () => ({
      clusters: clusterFigures(users, served, exposure),
      rollouts: rolloutFigures(users, served, atMs),
      uses: versionUses(exposure),
    }));
    for (const { entry, tookMs } of arrivals) this.#metrics.ready(landscape, entry, tookMs);
  }

  /** Reports the publication of a landscape's evidence. */
  published(landscape: string, result: PublishedObservations | Fault): void {
    const place = `${landscape} evidence`;
    if (result instanceof Fault) {
      this.#tell(place, { message: "evidence not published", because: result.message });
      return;
    }
    const { commit, paths, leftOut } = result;
    const unknown = leftOut.map(({ module, version }) => `${module} ${version}`).join(", ");
    const because = `the catalogue does not have that content: ${unknown}`;
    this.#tell(place, unknown === "" ? undefined : { message: "evidence left out", because });
    const log = this.#log.with({ landscape });
    if (paths.length > 0) log.info("evidence published", { commit: commit ?? "", files: paths.length });
  }

  #leads(landscape: string, isLeading: boolean, log: Log): void {
    this.#metrics.leads(landscape, isLeading);
    log.info(isLeading ? "lease acquired" : "lease given up");
    this.#standing.delete(landscape);
    if (isLeading) this.#synced.set(landscape, "");
  }

  #passed(landscape: string, { choice, pass }: Extract<ControllerReport, { kind: "passed" }>, log: Log): void {
    const { held, serves } = choice;
    this.#tell(
      landscape,
      held && { message: "commit held", commit: held.commit, because: held.reason, remedy: held.remedy },
    );
    const at = log.with({ revision: serves?.commit ?? "" });
    for (const outcome of pass.result.outcomes) tellObject(outcome, at);
    for (const { entry, result } of pass.result.entries) {
      const { module, channel, from = "", to = "" } = entry;
      if (result === "done") at.info("entry moved", { module, channel, from, to });
    }
    this.#tellHalts(landscape, pass, at);
    this.#count(landscape, pass);
  }

  #tellHalts(landscape: string, { records }: PassReport, log: Log): void {
    for (const [key, { current }] of records) {
      const halt = current?.wave?.halt;
      const { channel, module } = placeOfKey(key);
      const place = `${landscape} ${key}`;
      if (halt === undefined) {
        if (this.#halted.delete(place)) log.info("wave goes on", { module, channel });
        continue;
      }
      if (this.#halted.get(place) !== halt.sinceMs)
        log.warn("wave halted", { module, channel, version: current?.version ?? "", because: halt.reason });
      this.#halted.set(place, halt.sinceMs);
    }
  }

  #count(landscape: string, { prepared, result, records, tookMs }: PassReport): void {
    const entries = entriesOf(prepared.plan);
    const counts = { unchanged: 0, create: 0, raise: 0, lower: 0, remove: 0, refused: 0, waiting: 0 };
    for (const { kind } of entries) counts[kind satisfies EntryState] += 1;
    const refused = entries.filter((entry): entry is RefusedEntry => entry.kind === "refused");
    const refusals = Map.groupBy(refused, ({ refusal }): Refusal => refusal);
    this.#metrics.planned(landscape, counts, new Map([...refusals].map(([refusal, some]) => [refusal, some.length])));
    const isFailed = result.outcomes.some((outcome) => outcome.result === "failed");
    const isDone = result.outcomes.some((outcome) => outcome.result === "done");
    if (!isFailed) this.#synced.set(landscape, prepared.input.claim.revision);
    if (isFailed || isDone) this.#metrics.synced(landscape, isFailed ? "failed" : "done", tookMs);
    for (const { item } of result.outcomes)
      if (item.kind === "change" && item.cause === "drift")
        for (const manager of item.by) this.#metrics.drifted(landscape, manager);
    this.#metrics.inWaves(
      landscape,
      entries.map((entry) => {
        const { module, channel } = entry;
        return { module, channel, state: waveStateOf(entry, records.get(entryKey(entry))) };
      }),
    );
  }

  /** Logs a trouble when it begins, changes, and ends. */
  #tell(
    where: string,
    trouble: Readonly<Record<"message" | "because", string> & Record<string, string>> | undefined,
  ): void {
    const text = trouble === undefined ? "" : JSON.stringify(trouble);
    if (text === (this.#trouble.get(where) ?? "")) return;
    this.#trouble.set(where, text);
    const [landscape = ""] = where.split(" ");
    const log = landscape === "" ? this.#log : this.#log.with({ landscape });
    if (trouble === undefined) {
      log.info("trouble is over");
      return;
    }
    const { message, ...fields } = trouble;
    log.warn(message, fields);
  }
}

function waveStateOf(entry: EntryItem, record: EntryRecord | undefined): EntryInWave["state"] {
  if (record?.current?.wave?.halt !== undefined) return "halted";
  if (entry.kind !== "waiting") return "passed";
  return isUnknown(entry) ? "unknown" : "waiting";
}

type RefusedEntry = EntryItem & { readonly kind: "refused" };

function tellObject({ item, ...outcome }: ObjectOutcome, log: Log): void {
  const { kind, name } = item.object;
  const at = log.with({ object: `${kind}/${name}`, act: item.kind });
  if (outcome.result === "done") at.info("object written");
  else if (outcome.result === "failed") at.warn("object not written", { because: outcome.fault.message });
  else if (outcome.result === "contested") at.warn("object contested", { by: outcome.by.join(", ") });
}
