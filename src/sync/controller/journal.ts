import { Fault, type ControllerMetrics, type Log } from "../../ports.ts";
import { clusterFigures, rolloutFigures, versionUses } from "../../fleet/figures.ts";
import { placeOfKey } from "../plan/records.ts";
import { withMandatory } from "../plan/waves.ts";
import type { ControllerReport } from "./controller.ts";
import type { FleetSeen } from "./observer.ts";
import type { PassReport } from "./pass.ts";
import { countPass } from "./passMetrics.ts";
import { withheldIn, type ServableCommit } from "./revisions.ts";
import { revisionTrouble, logDeeds, passRefusal, withheldTrouble, type LoggedTrouble } from "./passLog.ts";

/** What an attempt to publish evidence did. */
interface PublishAttempt {
  /** `undefined`: none was needed. */
  readonly commit: string | undefined;
  readonly paths: readonly string[];
  /** The evidence of contents that the catalogue does not have. */
  readonly leftOut: readonly { readonly module: string; readonly version: string }[];
}

/** Reports what a controller does, in logs and metrics. A lasting trouble is logged once. */
export class ControllerJournal {
  readonly #log: Log;
  readonly #metrics: ControllerMetrics;
  /** The trouble that was logged last, by landscape; and by `<landscape> clusters`, `… withheld` and `… evidence`. */
  readonly #trouble = new Map<string, string>();
  /** When each wave was halted, by landscape and entry, in Unix milliseconds. */
  readonly #halted = new Map<string, number>();
  /** The commit that each landscape serves. */
  readonly #serves = new Map<string, ServableCommit>();
  /** The landscapes that another process leads. */
  readonly #standing = new Set<string>();
  /** The current commit of the branch. */
  #tip: string | undefined;
  /**
   * For each landscape that this process leads or may lead: since when it has been without the commits that were
   * fetched, in Unix milliseconds; `undefined`: it has the newest one.
   */
  readonly #behindMs = new Map<string, number | undefined>();
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
    this.#logTrouble("", isFault ? { message: "fetch failed", because: result.message } : undefined);
    // After a failure, the commit that was fetched before is still served.
    if (!isFault) this.#unready.delete("");
    else if (this.#unready.has("")) this.#unready.set("", result.message);
  }

  /** Reports that the branch moved. */
  moved(commit: string, nowMs: number): void {
    // One that is behind already stays so since then, however often the branch moves.
    for (const [landscape, sinceMs] of this.#behindMs) this.#behindMs.set(landscape, sinceMs ?? nowMs);
    if (commit !== this.#tip) this.#log.info("commit fetched", { revision: commit });
    this.#tip = commit;
  }

  /** The longest time that a landscape has been without a fetched commit, in milliseconds; 0 if all have the newest. */
  lagMs(nowMs: number): number {
    return Math.max(0, ...[...this.#behindMs.values()].map((sinceMs) => nowMs - (sinceMs ?? nowMs)));
  }

  /** Reports a new landscape, which is not ready yet. */
  begins(landscape: string, nowMs: number): void {
    this.#metrics.leads(landscape, false);
    this.#behindMs.set(landscape, nowMs);
    this.#unready.set(landscape, `${landscape}: not read yet`);
  }

  /** Reports that a landscape is not kept any more. */
  ends(landscape: string): void {
    this.#unready.delete(landscape);
    for (const where of this.#trouble.keys()) if (journalLandscape(where) === landscape) this.#trouble.delete(where);
    this.#standing.delete(landscape);
    this.#behindMs.delete(landscape);
    this.#serves.delete(landscape);
    this.#metrics.forget(landscape);
  }

  /** Reports the landscapes that the controller was started for and the settings do not have. */
  unknown(landscapes: ReadonlyMap<string, Fault>): void {
    for (const [landscape, { message: because }] of landscapes)
      this.#logTrouble(landscape, { message: "landscape not followed", because });
  }

  /** Reports the state of a landscape. */
  report(landscape: string, report: ControllerReport, nowMs: number): void {
    const log = this.#log.with({ landscape });
    switch (report.kind) {
      case "leads":
        this.#leads(landscape, report.isLeading, nowMs, log);
        break;
      case "stands by":
        if (!this.#standing.has(landscape)) log.info("standing by");
        this.#standing.add(landscape);
        this.#behindMs.delete(landscape);
        // The loss of the Lease was reported as a failure, which the new leader does not have.
        this.#metrics.leads(landscape, false);
        // It is ready to take over.
        this.#unready.delete(landscape);
        this.#logTrouble(landscape, undefined);
        break;
      case "reading":
        this.#unready.set(landscape, `${landscape}: ${report.because}`);
        break;
      case "missing":
        this.#stays(landscape, report.because);
        this.#logTrouble(landscape, { message: "waiting", because: report.because });
        break;
      case "failed":
        this.#metrics.synced(landscape, "failed", undefined);
        this.#metrics.retries(landscape, 1);
        this.#stays(landscape, report.fault.message);
        this.#logTrouble(landscape, { message: "pass failed", because: report.fault.message });
        break;
      case "passed":
        this.#passed(landscape, report, log);
        break;
    }
  }

  /** Reports a look at the clusters. An unready landscape is skipped: `report` logs its trouble. */
  seen(landscape: string, seen: FleetSeen): void {
    if (this.#unready.has(landscape)) return;
    const isBlind = seen.kind === "blind";
    this.#logTrouble(
      `${landscape} clusters`,
      isBlind ? { message: "clusters not seen", because: seen.because } : undefined,
    );
    if (isBlind) return;
    const { served, exposure, arrivals, atMs } = seen;
    const catalogue = this.#serves.get(landscape)?.catalogue;
    this.#metrics.seen(landscape, atMs, () => {
      const users = catalogue === undefined ? seen.users : withMandatory(seen.users, served, catalogue);
      return {
        clusters: clusterFigures(users, served, exposure, atMs),
        rollouts: rolloutFigures(users, served, atMs),
        uses: versionUses(exposure),
      };
    });
    for (const { entry, tookMs } of arrivals) this.#metrics.ready(landscape, entry, tookMs);
  }

  /** Reports the publication of a landscape's evidence. */
  published(landscape: string, result: PublishAttempt | Fault): void {
    const place = `${landscape} evidence`;
    if (result instanceof Fault) {
      this.#logTrouble(place, { message: "evidence not published", because: result.message });
      return;
    }
    const { commit, paths, leftOut } = result;
    const unknown = leftOut.map(({ module, version }) => `${module} ${version}`).join(", ");
    const because = `the catalogue does not have that content: ${unknown}`;
    this.#logTrouble(place, unknown === "" ? undefined : { message: "evidence left out", because });
    const log = this.#log.with({ landscape });
    if (paths.length > 0) log.info("evidence published", { commit: commit ?? "", files: paths.length });
  }

  /** A ready landscape stays ready, because the previous version is still served: other landscapes go on. */
  #stays(landscape: string, because: string): void {
    if (this.#unready.has(landscape)) this.#unready.set(landscape, `${landscape}: ${because}`);
  }

  #leads(landscape: string, isLeading: boolean, nowMs: number, log: Log): void {
    this.#metrics.leads(landscape, isLeading);
    log.info(isLeading ? "lease acquired" : "lease given up");
    if (!isLeading) return;
    // Only its first pass shows that it can write.
    if (this.#standing.delete(landscape)) this.#unready.set(landscape, `${landscape}: no pass has succeeded yet`);
    this.#behindMs.set(landscape, this.#behindMs.get(landscape) ?? nowMs);
  }

  #passed(landscape: string, { choice, pass }: Extract<ControllerReport, { kind: "passed" }>, log: Log): void {
    const { serves } = choice;
    const revision = serves?.commit ?? "";
    if (serves !== undefined) this.#serves.set(landscape, serves);
    const refusal = passRefusal(pass.prepared);
    // Nothing is written then, as after a failure.
    if (refusal === undefined) this.#unready.delete(landscape);
    else this.#stays(landscape, refusal.because);
    this.#logTrouble(landscape, refusal ?? revisionTrouble(choice));
    const withheld = withheldIn(serves);
    this.#logTrouble(`${landscape} withheld`, withheldTrouble(withheld));
    this.#metrics.withheld(landscape, withheld.length);
    const at = log.with({ revision });
    logDeeds(pass, at);
    this.#logHalts(landscape, pass, at);
    // What failed before, and waits for its next attempt, is missing as well.
    const isWhole =
      refusal === undefined &&
      pass.failures.size + withheld.length === 0 &&
      pass.prepared.input.claim.revision === this.#tip;
    if (isWhole) this.#behindMs.set(landscape, undefined);
    countPass(landscape, pass, this.#metrics);
  }

  #logHalts(landscape: string, { records }: PassReport, log: Log): void {
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

  /** Logs a trouble when it begins, changes, and ends. */
  #logTrouble(where: string, trouble: LoggedTrouble | undefined): void {
    const text = trouble === undefined ? "" : JSON.stringify(trouble);
    if (text === (this.#trouble.get(where) ?? "")) return;
    this.#trouble.set(where, text);
    const landscape = journalLandscape(where);
    const revision = this.#serves.get(landscape)?.commit;
    const of = landscape === "" ? this.#log : this.#log.with({ landscape });
    const log = revision === undefined ? of : of.with({ revision });
    if (trouble === undefined) {
      log.info("trouble is over");
      return;
    }
    const { message, ...fields } = trouble;
    log.warn(message, fields);
  }
}

/** The landscape of a trouble; empty for the branch. */
function journalLandscape(where: string): string {
  return where.split(" ")[0] ?? "";
}
