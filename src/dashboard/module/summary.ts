import { manualDecreases } from "../../promote/verdict/holding.ts";
import { isLift, holdEndMs } from "../../catalogue/holdStrength.ts";
import type { Status } from "../../promote/status.ts";
import { firstUnmet, type Reason, type Verdict } from "../../promote/verdict/verdict.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { lastChannel, type ModuleFacts } from "./facts.ts";
import { furthest, type PlacedRollout, type SeenRollout } from "./rollouts.ts";

/** The content of the first sentences on the page of a module. */
export interface ModuleSummary {
  /** The last channel that a version reaches; `undefined` if no channel has it or may get it. */
  readonly status: Status | undefined;
  /**
   * The version of that channel on the last landscape; `undefined` if no landscape was seen to serve it. Landscapes may
   * still serve a module that no channel has any more.
   */
  readonly placed: PlacedRollout | undefined;
  /** The next version for that channel. */
  readonly next: NextVersion | undefined;
  /** The versions that are held now, each once. */
  readonly held: readonly ModuleVersion[];
}

/** The next candidate of a channel, and what it waits for. */
export interface NextVersion {
  readonly version: ModuleVersion;
  readonly channel: string;
  readonly kind: Exclude<Verdict["kind"], "nothing">;
  /** When it may enter, if it only waits for time. Unix milliseconds. */
  readonly atMs: number | undefined;
  /** What it waits for apart from time, each as part of a sentence. */
  readonly awaiting: readonly string[];
  /** The first unmet reason. */
  readonly reason: Reason | undefined;
}

/** Summarizes a module. */
export function moduleSummary(facts: ModuleFacts, rollouts: readonly SeenRollout[], nowMs: number): ModuleSummary {
  const status = lastChannel(facts);
  return {
    status,
    placed: furthest(rollouts, status?.channel),
    next: status && nextIn(status),
    held: heldNow(facts, nowMs),
  };
}

/** The next version for a channel; `undefined` if there is none. */
function nextIn({ verdict, channel }: Pick<Status, "verdict" | "channel">): NextVersion | undefined {
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

/** The versions that hold entries keep out, and those that a manual decrease left. */
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
