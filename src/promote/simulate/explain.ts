import { instantText, durationText } from "../verdict/text.ts";
import type { Change } from "./changes.ts";
import type { JudgedChange, Lead, ModuleReplay } from "./simulation.ts";
import type { Gap } from "./timeline.ts";

/** What is to be said of one change: full sentences. */
export function explainChange(change: JudgedChange, replay: ModuleReplay, gaps: readonly Gap[]): string {
  const { how, judgement } = change;
  switch (how.kind) {
    case "first":
      return `Nothing is known of before.${inGap(change, gaps)}`;
    case "removal":
      return `${replay.channel} served it no longer.${inGap(change, gaps)}`;
    case "promotion": {
      const lead = how.leadMs === 0 ? "in one commit with" : `${durationText(how.leadMs)} after`;
      return `It came ${lead} ${replay.follows}.${inGap(change, gaps)}${judgement === undefined ? "" : ` ${judged(change, judgement)}`}`;
    }
    case "hot-fix":
      return `${hotfix(change, replay)}${inGap(change, gaps)}`;
    case "unknown":
      return unknown(change, replay, gaps);
    case "downgrade":
      return `${downgrade(change, replay)}${inGap(change, gaps)}`;
  }
}

function unknown(change: Change, { follows }: ModuleReplay, gaps: readonly Gap[]): string {
  const gap = inGap(change, gaps);
  if (gap === "") return `Unknown: ${follows} was not seen to serve it before, and it is no hot-fix.`;
  return `Unknown: snapshot gap. Nobody saw ${follows} serve it before.${gap}`;
}

function inGap({ revision: { commit } }: Change, gaps: readonly Gap[]): string {
  const gap = gaps.find((one) => one.commit === commit);
  if (gap === undefined) return "";
  return ` It is dated to the end of a gap of ${durationText(gap.endMs - gap.startMs)}, in which nobody looked.`;
}

function judged({ revision: { atMs } }: Change, judgement: NonNullable<JudgedChange["judgement"]>): string {
  const { kind, allowedAtMs = atMs, reasons } = judgement;
  const apart = durationText(Math.abs(allowedAtMs - atMs));
  const at = instantText(allowedAtMs);
  switch (kind) {
    case "allowed":
      return allowedAtMs === atMs ? "The policy allows it." : `The policy allows it from ${at} on, ${apart} before.`;
    case "closed":
      return `The policy allowed it ${apart} before, at ${at}, but not then: ${reasons.join(" ")}`;
    case "early":
      return `The policy allows it ${apart} later, at ${at}: ${reasons.join(" ")}`;
    case "never":
      return `The policy never came to allow it: ${reasons.join(" ")}`;
  }
}

function hotfix({ to, from, followed, how }: Change, { channel, follows }: ModuleReplay): string {
  if (how.kind === "hot-fix" && how.declared !== undefined) {
    const { incident, by } = how.declared.entry;
    return `A hot-fix that ${by} declared: ${incident}. ${follows} served ${followed ?? "nothing"} then.`;
  }
  return (
    `A hot-fix: ${follows}, which served ${followed ?? "nothing"} then, never had ${to ?? "it"}, ` +
    `and it is a patch of ${from ?? "what"}${from === undefined ? ` ${channel} had` : `, which ${channel} served`}.`
  );
}

function downgrade({ from, to, revision, followed }: Change, { channel, follows, changes }: ModuleReplay): string {
  const before = changes.findLast((one) => one.revision.index < revision.index && one.to === from);
  const after = changes.find((one) => one.revision.index > revision.index && one.to === from);
  const was = before === undefined ? "" : ` after ${durationText(revision.atMs - before.revision.atMs)}`;
  const back = after === undefined ? "it never came back" : `it came back at ${instantText(after.revision.atMs)}`;
  return (
    `A downgrade: ${channel} went from ${from ?? "nothing"} back to ${to ?? "nothing"}${was}, while ${follows} served ` +
    `${followed ?? "nothing"}; ${back}. What is above ${to ?? ""} counts as held from then on.`
  );
}

/** The median, and between which quartiles it lies. */
export function leadText({ quartilesMs }: Lead): string {
  if (quartilesMs === undefined) return "–";
  const [first, median, third] = quartilesMs;
  return `${durationText(median)} (${durationText(first)} to ${durationText(third)})`;
}
