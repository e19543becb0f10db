import { locate, type YamlFile } from "../../catalogue/yaml.ts";
import { nextOpening, standAt, type Freeze, type StatedBy, type WindowSet } from "./calendar.ts";
import type { Policy } from "./policy.ts";
import type { Subject } from "./subject.ts";
import { instantText } from "./text.ts";
import type { Reason, ReasonSource } from "./verdict.ts";

/** What windows and freezes say at `nowMs`; one reason for each that keeps everything closed. */
export function judgeCalendar(subject: Subject, { calendar }: Policy, nowMs: number): readonly Reason[] {
  const stand = standAt(calendar, nowMs);
  if (stand.kind === "open") return calendar.windowSets.flatMap((set) => openReason(subject, set));
  const metAtMs = nextOpening(calendar, nowMs);
  const next = metAtMs === undefined ? "nothing opens again" : `the next opening is ${instantText(metAtMs)}`;
  const about =
    metAtMs === undefined
      ? { outcome: "blocking" as const, remedy: "Correct the windows and freezes: together they leave no time." }
      : { outcome: "waiting" as const, metAtMs };
  const { freeze, windowSets } = stand;
  return [
    ...(freeze === undefined ? [] : [{ ...about, ...freezeReason(subject, freeze, next) }]),
    ...windowSets.map((set) => ({
      ...about,
      topic: "window" as const,
      message: `No window of the ${set.statedBy} is open: ${next}.`,
      source: sourceOf(subject, set.statedBy, ["windows"]),
    })),
  ];
}

function openReason(subject: Subject, { statedBy }: WindowSet): Reason {
  const source = sourceOf(subject, statedBy, ["windows"]);
  return { topic: "window", outcome: "met", message: `A window of the ${statedBy} is open.`, source };
}

function freezeReason(
  subject: Subject,
  { reason, untilMs, statedBy, index }: Freeze,
  next: string,
): Pick<Reason, "topic" | "message" | "source"> {
  return {
    topic: "freeze",
    message: `Nothing moves until ${instantText(untilMs)} (${reason}): ${next}.`,
    source: sourceOf(subject, statedBy, ["freezes", index]),
  };
}

/** Where the channel or the module says it. */
function sourceOf(
  { channel, said }: Subject,
  statedBy: StatedBy,
  path: readonly (string | number)[],
): ReasonSource | undefined {
  if (statedBy === "channel") return at(channel.file, ["promotion", ...path]);
  return said?.files.module && at(said.files.module, ["policy", channel.name, ...path]);
}

function at(file: YamlFile, path: readonly (string | number)[]): ReasonSource {
  return { kind: "file", file: file.path, line: locate(file, path).line };
}
