import {
  type EvidenceOf,
  type ObservedPath,
  SMOKE_STEPS,
  type SmokeStep,
} from "../../../catalogue/evidence/evidence.ts";
import type { ModuleVersion } from "../../../catalogue/version.ts";
import { instantText } from "../../../document/times.ts";
import type { Reason } from "../verdict.ts";
import { type EvidenceQuestion, type Observation, pastOf, shortHashes } from "./known.ts";

/** What would be replaced: a version, and exactly its content. */
export interface ReplacedContent {
  readonly version: ModuleVersion;
  /** May be worked out when it is asked for. */
  readonly specHash: string;
}

/**
 * What smoke tests say for and against promoting a content, path by path: its install, and its upgrade from what the
 * following channel serves at this moment; where that serves nothing, the install alone. No other path opens anything.
 *
 * A path is open once a run with pods passed all of it (`isComplete`). A run that fails closes it, whoever asks for smoke
 * tests or not, until a newer run on the same minor version of Kubernetes lifts it (`lifts`): a pass on 1.36 says nothing
 * of a failure on 1.34. A run without pods opens nothing and is only told of; one that fails closes all the same.
 */
export function judgeSmoke(
  isDemanded: boolean,
  replaced: ReplacedContent | undefined,
  question: EvidenceQuestion,
): readonly Reason[] {
  const { past, passedOver } = pastOf("smoke", question);
  const runs = past.flatMap(runsOf);
  const wanted = [INSTALL, ...(replaced === undefined ? [] : [replaced])];
  const reasons = wanted.flatMap((from) => {
    const own = runs.filter(({ path }) => isOf(path, from));
    return judgePath({ what: pathText(question, from), own, isDemanded }, () => [
      passedOver + otherContent(runs, from),
      remedyFor(question),
    ]);
  });
  const others = runs.filter(({ path }) => !wanted.some((from) => isOf(path, from)));
  return [...reasons, ...othersFailed(others, question)];
}

/** Stands for no version: the path onto a cluster without the module. */
const INSTALL = undefined;

/** One run of one path. */
interface EvidenceRun {
  readonly one: EvidenceOf<"smoke">;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly path: ObservedPath;
}

function runsOf({ one, atMs }: Observation<"smoke">): readonly EvidenceRun[] {
  return one.paths.map((path) => ({ one, atMs, path }));
}

/** The hash is asked for only where the version is the same: it may have to be worked out. */
function isOf(path: ObservedPath, from: ReplacedContent | undefined): boolean {
  return path.from === from?.version && (from === undefined || path.fromSpecHash === from.specHash);
}

interface JudgedPath {
  /** Such as `the install of certificates 1.5.0`. */
  readonly what: string;
  /** The newest first. */
  readonly own: readonly EvidenceRun[];
  readonly isDemanded: boolean;
}

/** `missing` gives what else to say of a path that is not known, and what to do. */
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
  const message = `No smoke test of ${what} with pods is known${gapOf(own)}.${details}`;
  return [{ topic: "smoke", outcome: "waiting", message, remedy, source: undefined }, ...told];
}

function isFailed({ path }: EvidenceRun): boolean {
  return path.failed.length > 0;
}

/**
 * Whether all steps of a path passed. What is not checked has not passed. A step may be absent only where the path has
 * none of its kind: an install upgrades nothing, and an upgrade leaves `dependencies` to the install, which passes that
 * of a module without any; `footprint` measures, and judges nothing.
 */
function isComplete({ from, passed, failed: bad, notChecked }: ObservedPath): boolean {
  const absent: readonly SmokeStep[] = from === undefined ? ["upgrade", "served"] : ["dependencies"];
  const demanded = SMOKE_STEPS.filter((step) => step !== "footprint" && !absent.includes(step));
  return bad.length === 0 && notChecked.length === 0 && demanded.every((step) => passed.includes(step));
}

/** Whether a newer run shows that a failure is over: with pods by all of the path, without by the steps that failed. */
function lifts(newer: EvidenceRun, failure: EvidenceRun): boolean {
  if (newer.atMs <= failure.atMs || minorOf(newer) !== minorOf(failure)) return false;
  if (failure.path.pods) return newer.path.pods && isComplete(newer.path);
  return failure.path.failed.every((step) => newer.path.passed.includes(step));
}

/** `1.36` of `1.36.3`. */
function minorOf({ one: { kubernetes } }: EvidenceRun): string {
  return kubernetes.split(".", 2).join(".");
}

function failed(what: string, { one, atMs, path }: EvidenceRun): Reason {
  const { kubernetes, source } = one;
  const place = `on Kubernetes ${kubernetes}${path.pods ? "" : " without pods"}`;
  const message = `The newest smoke test of ${what} ${place} failed at ${instantText(atMs)}: ${path.failed.join(", ")} (${source}).`;
  const remedy = `See ${source}: repair the module and release a newer version; or, if the module was not to blame, test it again ${place}.`;
  return { topic: "smoke", outcome: "blocking", message, remedy, source: { kind: "evidence", source } };
}

function met(what: string, { one: { source }, atMs }: EvidenceRun): Reason {
  const message = `The smoke test of ${what} with pods passed at ${instantText(atMs)}.`;
  return { topic: "smoke", outcome: "met", message, source: { kind: "evidence", source } };
}

function shown(what: string, { one: { source }, atMs }: EvidenceRun): Reason {
  const message = `Without pods, nothing failed in the smoke test of ${what} at ${instantText(atMs)}; that opens nothing.`;
  return { topic: "smoke", outcome: "note", message, source: { kind: "evidence", source } };
}

/** What the newest run with pods did not check; half a sentence. */
function gapOf(own: readonly EvidenceRun[]): string {
  const incomplete = own.find(({ path }) => path.pods);
  if (incomplete === undefined) return "";
  const unchecked = SMOKE_STEPS.filter((step) => incomplete.path.notChecked.includes(step));
  const which = unchecked.length === 0 ? "every step" : unchecked.join(", ");
  return ` that passed as a whole: ${incomplete.one.source} did not check ${which}`;
}

/** Says where a path was tried from another content of the same version; begins with a blank unless it is empty. */
function otherContent(runs: readonly EvidenceRun[], from: ReplacedContent | undefined): string {
  const foreign = runs.find(({ path }) => from !== undefined && path.from === from.version && !isOf(path, from));
  if (from === undefined || foreign === undefined) return "";
  const [theirs, ours] = shortHashes(String(foreign.path.fromSpecHash), from.specHash);
  return ` There is one from another content of ${from.version} (${theirs}, from ${foreign.one.source}), but only one from ${ours} counts.`;
}

/** Paths that nobody asks for here, of which the newest run failed: worth a word, for clusters that lag behind. */
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

function remedyFor({ content: { module } }: EvidenceQuestion): string {
  return `Run it where pods run, and publish what it finds: kyma-modules smoke ${module} --cluster kind --report smoke, then kyma-modules evidence publish smoke/evidence.json.`;
}
