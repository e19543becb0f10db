import {
  type EvidenceOf,
  type ObservedPath,
  SMOKE_STEPS,
  type SmokeStep,
} from "../../../catalogue/evidence/evidence.ts";
import { pathName } from "../../../catalogue/commands.ts";
import type { ModuleVersion } from "../../../catalogue/version.ts";
import { secondText } from "../../../document/times.ts";
import type { Reason } from "../verdict.ts";
import { type EvidenceQuestion, pastEvidence, shortHashes } from "./known.ts";

/** The content that would be replaced: a version with its exact hash. */
export interface ReplacedContent {
  readonly version: ModuleVersion;
  /** May be computed on access. */
  readonly specHash: string;
}

/**
 * Judges smoke tests for and against promoting a content, path by path: its install, and its upgrade from what the
 * following channel serves now; only the install if that channel serves nothing. No other path can meet the demand.
 *
 * A path is met once a run with pods passed all of it (`isComplete`). A failed run blocks it, whether the policy
 * demands smoke tests or not, until a newer run on the same minor version of Kubernetes clears the failure (`lifts`): a
 * pass on 1.36 says nothing about a failure on 1.34. A run without pods never meets a path and is only noted, but a
 * failure without pods blocks as well.
 */
export function judgeSmoke(
  isDemanded: boolean,
  replaced: ReplacedContent | undefined,
  question: EvidenceQuestion,
): readonly Reason[] {
  const { past, passedOver } = pastEvidence("smoke", question);
  const runs = past.flatMap(({ one, atMs }) => one.paths.map((path): EvidenceRun => ({ one, atMs, path })));
  const wanted = [INSTALL, ...(replaced === undefined ? [] : [replaced])];
  const reasons = wanted.flatMap((from) => {
    const own = runs.filter(({ path }) => isPathFrom(path, from));
    return judgePath({ what: pathText(question, from), own, isDemanded }, () => [
      passedOver + otherContent(runs, from),
      testText(question, from),
    ]);
  });
  const others = runs.filter(({ path }) => !wanted.some((from) => isPathFrom(path, from)));
  return [...reasons, ...othersFailed(others, question)];
}

/** How to run a path, also to a version that no channel serves any more. */
function testText({ content: { module, version } }: EvidenceQuestion, from: ReplacedContent | undefined): string {
  const path = pathName({ module, from, to: { version } });
  return `Run it on a cluster with pods, and publish the result: kyma-modules smoke ${module} --only ${path} --cluster kind --report smoke, then kyma-modules evidence publish smoke/evidence.json.`;
}

/** No version: the path onto a cluster without the module. */
const INSTALL = undefined;

/** One run of one path. */
interface EvidenceRun {
  readonly one: EvidenceOf<"smoke">;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly path: ObservedPath;
}

/** Reads the hash only if the version is the same: it may have to be computed. */
function isPathFrom(path: ObservedPath, from: ReplacedContent | undefined): boolean {
  return path.from === from?.version && (from === undefined || path.fromSpecHash === from.specHash);
}

interface JudgedPath {
  /** Such as `the install of certificates 1.5.0`. */
  readonly what: string;
  /** The newest first. */
  readonly own: readonly EvidenceRun[];
  readonly isDemanded: boolean;
}

/** `missing` gives details and a remedy for a path without a passed run. */
function judgePath(
  { what, own, isDemanded }: JudgedPath,
  missing: () => readonly [details: string, remedy: string],
): readonly Reason[] {
  const failure = own.find((run) => isFailed(run) && !own.some((newer) => lifts(newer, run)));
  if (failure !== undefined) return [failed(what, failure)];
  const pass = own.find(({ path }) => path.pods && isComplete(path));
  if (pass !== undefined) return isDemanded ? [met(what, pass)] : [];
  const withoutPods = own.find((run) => !run.path.pods && !isFailed(run));
  const told = withoutPods === undefined ? [] : [shown(what, withoutPods)];
  if (!isDemanded) return told;
  const [details, remedy] = missing();
  const message = `No smoke test of ${what} with pods is known${smokeGap(own)}.${details}`;
  return [{ topic: "smoke", outcome: "waiting", message, remedy, source: undefined }, ...told];
}

function isFailed({ path }: EvidenceRun): boolean {
  return path.failed.length > 0;
}

/**
 * Whether all steps of a path passed. An unchecked step has not passed. A step may be absent only if the path has none
 * of its kind: an install has no upgrade, and an upgrade leaves `dependencies` to the install, where a module without
 * dependencies passes that step. `footprint` measures, and judges nothing.
 */
function isComplete({ from, passed, failed: bad, notChecked }: ObservedPath): boolean {
  const absent: readonly SmokeStep[] = from === undefined ? ["upgrade", "served"] : ["dependencies"];
  const demanded = SMOKE_STEPS.filter((step) => step !== "footprint" && !absent.includes(step));
  return bad.length === 0 && notChecked.length === 0 && demanded.every((step) => passed.includes(step));
}

/**
 * Whether a newer run clears a failure: with pods, if it passed all of the path; without, if it passed the failed
 * steps.
 */
function lifts(newer: EvidenceRun, failure: EvidenceRun): boolean {
  if (newer.atMs <= failure.atMs || runMinor(newer) !== runMinor(failure)) return false;
  if (failure.path.pods) return newer.path.pods && isComplete(newer.path);
  return failure.path.failed.every((step) => newer.path.passed.includes(step));
}

/** `1.36` of `1.36.3`. */
function runMinor({ one: { kubernetes } }: EvidenceRun): string {
  return kubernetes.split(".", 2).join(".");
}

function failed(what: string, { one, atMs, path }: EvidenceRun): Reason {
  const { kubernetes, source } = one;
  const place = `on Kubernetes ${kubernetes}${path.pods ? "" : " without pods"}`;
  const message = `The newest smoke test of ${what} ${place} failed at ${secondText(atMs)}: ${path.failed.join(", ")} (${source}).`;
  const remedy = `See ${source}: repair the module and release a newer version; or, if the module was not to blame, test it again ${place}.`;
  return { topic: "smoke", outcome: "blocking", message, remedy, source: { kind: "evidence", source } };
}

function met(what: string, { one: { source }, atMs }: EvidenceRun): Reason {
  const message = `The smoke test of ${what} with pods passed at ${secondText(atMs)}.`;
  return { topic: "smoke", outcome: "met", message, source: { kind: "evidence", source } };
}

function shown(what: string, { one: { source }, atMs }: EvidenceRun): Reason {
  const message = `Without pods, nothing failed in the smoke test of ${what} at ${secondText(atMs)}; that does not count as passed.`;
  return { topic: "smoke", outcome: "note", message, source: { kind: "evidence", source } };
}

/** The steps that the newest run with pods did not check; half a sentence. */
function smokeGap(own: readonly EvidenceRun[]): string {
  const incomplete = own.find(({ path }) => path.pods);
  if (incomplete === undefined) return "";
  const unchecked = SMOKE_STEPS.filter((step) => incomplete.path.notChecked.includes(step));
  const which = unchecked.length === 0 ? "every step" : unchecked.join(", ");
  return ` that passed as a whole: ${incomplete.one.source} did not check ${which}`;
}

/** A sentence about a run from another content of the same version; begins with a blank unless it is empty. */
function otherContent(runs: readonly EvidenceRun[], from: ReplacedContent | undefined): string {
  const foreign = runs.find(({ path }) => from !== undefined && path.from === from.version && !isPathFrom(path, from));
  if (from === undefined || foreign === undefined) return "";
  const [theirs, ours] = shortHashes(String(foreign.path.fromSpecHash), from.specHash);
  return ` There is one from another content of ${from.version} (${theirs}, from ${foreign.one.source}), but only one from ${ours} counts.`;
}

/** Notes on other paths whose newest run failed: they matter for clusters that lag behind. */
function othersFailed(others: readonly EvidenceRun[], question: EvidenceQuestion): readonly Reason[] {
  const paths = Map.groupBy(others, ({ path: { from, fromSpecHash } }) => JSON.stringify([from, fromSpecHash]));
  return [...paths.values()].flatMap(([newest]) => {
    if (newest === undefined || !isFailed(newest)) return [];
    const { topic, message, source } = failed(pathText(question, { version: newest.path.from }), newest);
    return [{ topic, outcome: "note", message, source }];
  });
}

function pathText(
  { content: { module, version } }: EvidenceQuestion,
  from: { readonly version: ModuleVersion | undefined } | undefined,
): string {
  if (from?.version === undefined) return `the install of ${module} ${version}`;
  return `the upgrade from ${module} ${from.version} to ${version}`;
}
