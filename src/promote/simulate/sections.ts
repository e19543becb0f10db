import { durationText } from "../../document/times.ts";
import { explainChange } from "./explain.ts";
import type { JudgedChange, ModuleReplay, Simulation } from "./simulation.ts";

/** One kind of entries that deserve a look. */
export interface AccountSection {
  readonly title: string;
  /** In order of time. */
  readonly entries: readonly SectionEntry[];
}

/** An entry of a section. */
interface SectionEntry {
  readonly atMs: number;
  /** `regular/istio`. */
  readonly subject: string;
  /** The step that was made or possible: `1.0.0 → 1.1.0`. */
  readonly step: string;
  /** Full sentences. */
  readonly text: string;
}

/** Where history and policy differ, and steps that no policy explains. Empty sections are left out. */
export function simulationSections({ replays }: Simulation): readonly AccountSection[] {
  const changes = (title: string, isMeant: (change: JudgedChange) => boolean): AccountSection =>
    replaySection(title, replays, (replay) =>
      replay.changes.filter(isMeant).map((change) => ({
        ...about(replay, change.revision.atMs),
        step: stepText(change.from, change.to),
        text: explainChange(change, replay),
      })),
    );
  return [
    changes("Sooner than the policy allows", ({ judgement }) => judgement?.kind === "early"),
    changes("Never allowed by the policy", ({ judgement }) => judgement?.kind === "never"),
    changes(
      "At a closed moment: the policy allowed it before, but not then",
      ({ judgement }) => judgement?.kind === "closed",
    ),
    replaySection("Only by the policy", replays, onlyByPolicy),
    replaySection("Blocked by the policy until a person decides", replays, blocked),
    changes("Hot-fixes", ({ how }) => how.kind === "hot-fix"),
    changes("Withdrawals", ({ how }) => how.kind === "withdrawal"),
    changes("Downgrades", ({ how }) => how.kind === "downgrade"),
    changes("Removals", ({ how }) => how.kind === "removal"),
    changes("Not seen in the followed channel before", ({ how }) => how.kind === "unknown"),
    changes(
      "In a gap: the time since the followed channel is unknown",
      ({ how, undated }) => how.kind === "promotion" && undated !== undefined,
    ),
  ].filter(({ entries }) => entries.length > 0);
}

function replaySection(
  title: string,
  replays: readonly ModuleReplay[],
  entriesOf: (replay: ModuleReplay) => readonly SectionEntry[],
): AccountSection {
  return { title, entries: replays.flatMap(entriesOf).sort((a, b) => a.atMs - b.atMs) };
}

/** A step as text: `1.0.0 → 1.1.0`. */
export function stepText(from: string | undefined, to: string | undefined): string {
  return `${from ?? "nothing"} → ${to ?? "nothing"}`;
}

function onlyByPolicy(replay: ModuleReplay): readonly SectionEntry[] {
  return replay.promotions
    .filter(({ reallyAtMs }) => reallyAtMs === undefined)
    .map(({ from, to, level, atMs, leadMs }) => ({
      ...about(replay, atMs),
      step: stepText(from, to),
      text: `A promotion of level ${level}, ${durationText(leadMs)} after ${replay.follows}.`,
    }));
}

function blocked(replay: ModuleReplay): readonly SectionEntry[] {
  return replay.passedOver.flatMap(({ version, blockedSinceMs, reasons }) =>
    blockedSinceMs === undefined ? [] : [{ ...about(replay, blockedSinceMs), step: version, text: reasons.join(" ") }],
  );
}

function about({ channel, module }: ModuleReplay, atMs: number): Pick<SectionEntry, "atMs" | "subject"> {
  return { atMs, subject: `${channel}/${module}` };
}
