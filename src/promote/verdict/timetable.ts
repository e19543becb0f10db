import { locate, type YamlFile } from "../../catalogue/yaml.ts";
import { openingFrom, type Closing, type StatedBy, type WindowSet } from "./calendar.ts";
import type { Policy } from "./policy.ts";
import type { Subject } from "./subject.ts";
import { instantText } from "./text.ts";
import type { Reason, ReasonSource } from "./verdict.ts";

/** What windows and freezes say of one instant. */
export interface Timetable {
  /** One for each entry that moves the instant on; where none does, one for each set of windows. */
  readonly reasons: readonly Reason[];
  /** The first opening from that instant on, Unix milliseconds; `undefined`: never. */
  readonly openMs: number | undefined;
}

/** What windows and freezes say of `readyMs`, when everything else has been met; seen from `nowMs`. Unix milliseconds. */
export function judgeCalendar(subject: Subject, { calendar }: Policy, readyMs: number, nowMs: number): Timetable {
  const { openMs, closings } = openingFrom(calendar, readyMs);
  const [first] = closings;
  if (first === undefined) {
    const when = whenText(readyMs, nowMs);
    return { openMs, reasons: calendar.windowSets.map((set) => openReason(subject, set, when)) };
  }
  const next = openMs === undefined ? "nothing opens again" : `the next opening is ${instantText(openMs)}`;
  const about =
    openMs === undefined
      ? { outcome: "blocking" as const, remedy: "Correct the windows and freezes: together they leave no time." }
      : { outcome: "waiting" as const, metAtMs: openMs };
  const reasons = closings.map((closing) => {
    const said = closingSaid(subject, closing);
    const text = `${whenText(closing.atMs, nowMs)}${said.message}: ${next}.`;
    return { ...about, ...said, message: text.charAt(0).toUpperCase() + text.slice(1) };
  });
  return { openMs, reasons };
}

/** Begins a sentence about another instant than now. */
function whenText(atMs: number, nowMs: number): string {
  return atMs === nowMs ? "" : `At ${instantText(atMs)} `;
}

function openReason(subject: Subject, { statedBy }: WindowSet, when: string): Reason {
  const source = sourceOf(subject, statedBy, ["windows"]);
  const message = `${when === "" ? "A" : `${when}a`} window of the ${statedBy} is open.`;
  return { topic: "window", outcome: "met", message, source };
}

/** Without a capital, and without its end. */
function closingSaid(subject: Subject, closing: Closing): Pick<Reason, "topic" | "message" | "source"> {
  switch (closing.kind) {
    case "freeze": {
      const { reason, untilMs, statedBy, index } = closing.freeze;
      const message = `nothing moves until ${instantText(untilMs)} (${reason})`;
      return { topic: "freeze", message, source: sourceOf(subject, statedBy, ["freezes", index]) };
    }
    case "windows": {
      const { statedBy } = closing.windowSet;
      const message = `no window of the ${statedBy} is open`;
      return { topic: "window", message, source: sourceOf(subject, statedBy, ["windows"]) };
    }
  }
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
