import { manualDecreases } from "../../promote/verdict/holding.ts";
import { isLift, holdEndMs } from "../../catalogue/holdStrength.ts";
import type { Status } from "../../promote/status.ts";
import { firstUnmet, type Reason, type Verdict } from "../../promote/verdict/verdict.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { lastChannel, type ModuleFacts } from "./facts.ts";
import { furthest, type PlacedRollout, type SeenRollout } from "./rollouts.ts";

/** What the page of a module says first. */
export interface ModuleSummary {
  /** The channel that a version reaches last; `undefined`: none has it, and none may get it. */
  readonly status: Status | undefined;
  /** What that channel serves on the furthest landscape; `undefined`: none was seen to serve it. */
  readonly placed: PlacedRollout | undefined;
  /** What comes next into it. */
  readonly next: NextVersion | undefined;
  /** Versions that are held now, each once. */
  readonly held: readonly ModuleVersion[];
}

/** The next candidate, and what it waits for. */
export interface NextVersion {
  readonly version: ModuleVersion;
  readonly channel: string;
  readonly kind: Exclude<Verdict["kind"], "nothing">;
  /** When it comes, if only clocks stand between. Unix milliseconds. */
  readonly atMs: number | undefined;
  /** What it waits for beside clocks; half a sentence each. */
  readonly awaiting: readonly string[];
  /** What keeps it first of all. */
  readonly reason: Reason | undefined;
}

/** Sums a module up. */
export function summaryOf(facts: ModuleFacts, rollouts: readonly SeenRollout[], nowMs: number): ModuleSummary {
  const status = lastChannel(facts);
  return {
    status,
    placed: status && furthest(rollouts, status.channel),
    next: status && nextIn(status),
    held: heldNow(facts, nowMs),
  };
}

/** What comes next into a channel; `undefined`: nothing does. */
export function nextIn({ verdict, channel }: Pick<Status, "verdict" | "channel">): NextVersion | undefined {
  if (verdict?.chosen === undefined || verdict.kind === "nothing") return undefined;
  const { kind, chosen } = verdict;
  const earliest = kind === "wait" ? chosen.earliest : undefined;
  return {
    version: chosen.version,
    channel,
    kind,
    atMs: earliest?.kind === "at" ? earliest.atMs : undefined,
    awaiting: earliest?.kind === "not-before" ? earliest.awaiting : [],
    reason: firstUnmet(chosen),
  };
}

/** What entries hold, and what channels went down from by hand. */
function heldNow({ history }: ModuleFacts, nowMs: number): readonly ModuleVersion[] {
  const entries = history.holds.filter(
    ({ entry, to }) => to === undefined && !isLift(entry) && holdEndMs(entry) > nowMs,
  );
  const versions = [
    ...entries.map(({ entry }) => entry.version),
    ...manualDecreases(history, nowMs).map(({ version }) => version),
  ];
  return [...new Set(versions)];
}
