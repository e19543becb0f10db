import { durationText, instantText } from "../../document/times.ts";
import { sentence } from "../verdict/verdict.ts";
import type { PromotionChange } from "./changes.ts";
import type { JudgedChange, PolicyJudgement, ModuleReplay, Quartiles } from "./simulation.ts";
import type { Gap } from "./replayInput.ts";

/** Explains one change in full sentences. */
export function explainChange(change: JudgedChange, replay: ModuleReplay): string {
  const { undated, how } = change;
  // The text of an undated promotion mentions the gap already.
  if (undated === undefined || how.kind === "promotion") return told(change, replay);
  const gap = `It is dated to the end of a gap of ${gapLength(undated.gap)}, in which nothing was observed.`;
  return `${told(change, replay)} ${gap}`;
}

function promotion(change: JudgedChange, leadMs: number | undefined, { channel, follows }: ModuleReplay): string {
  const { undated, judgement, revision } = change;
  if (undated !== undefined)
    return `${undatedText(undated, channel, follows)}, so it does not count against the policy.`;
  const lead = leadMs === undefined || leadMs === 0 ? "in one commit with" : `${durationText(leadMs)} after`;
  return [`It came ${lead} ${follows}.`, ...(judgement ? [judged(revision.atMs, judgement)] : [])].join(" ");
}

function undatedText(
  { channel: seen, gap }: NonNullable<PromotionChange["undated"]>,
  channel: string,
  follows: string,
): string {
  const when = `some time in a gap of ${gapLength(gap)}, in which nothing was observed`;
  return seen === channel
    ? `It came ${when}: how long after ${follows} is not known`
    : `It came after ${follows}, which got it ${when}: how long after is not known`;
}

function told(change: JudgedChange, replay: ModuleReplay): string {
  const { how, undated } = change;
  switch (how.kind) {
    case "first":
      return "Nothing earlier is known.";
    case "removal":
      return `${replay.channel} served it no longer.`;
    case "promotion":
      return promotion(change, how.leadMs, replay);
    case "hot-fix":
      return hotfix(change, replay);
    case "unknown":
      return undated === undefined
        ? `Unknown: ${replay.follows} was not seen to serve it before, and it is not a hot-fix.`
        : `Unknown: snapshot gap. ${replay.follows} was not seen to serve it before.`;
    case "withdrawal": {
      const { by, reason } = how.hold;
      return `A withdrawal: ${wentDown(change, replay)}. ${by} holds the higher versions: ${sentence(reason)}`;
    }
    case "downgrade":
      return `A downgrade: ${wentDown(change, replay)}. Versions above ${change.to ?? ""} count as held from then on.`;
  }
}

function gapLength({ startMs, endMs }: Gap): string {
  return durationText(endMs - startMs);
}

function judged(atMs: number, { kind, allowedAtMs = atMs, reasons }: PolicyJudgement): string {
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
      return `The policy never allowed it: ${reasons.join(" ")}`;
  }
}

function hotfix({ to, from, followed, how }: PromotionChange, { channel, follows }: ModuleReplay): string {
  if (how.kind === "hot-fix" && how.declared !== undefined) {
    const { incident, by } = how.declared.entry;
    return `A hot-fix that ${by} declared: ${incident}. ${follows} served ${followed ?? "nothing"} then.`;
  }
  return (
    `A hot-fix: ${follows}, which served ${followed ?? "nothing"} then, never had ${to ?? "it"}, ` +
    `and it is a patch of ${from ?? "what"}${from === undefined ? ` ${channel} had` : `, which ${channel} served`}.`
  );
}

/** Half a sentence. */
function wentDown(
  { from, to, revision, followed }: PromotionChange,
  { channel, follows, changes }: ModuleReplay,
): string {
  const before = changes.findLast((one) => one.revision.index < revision.index && one.to === from);
  const after = changes.find((one) => one.revision.index > revision.index && one.to === from);
  const was = before === undefined ? "" : ` after ${durationText(revision.atMs - before.revision.atMs)}`;
  const back = after === undefined ? "it never came back" : `it came back at ${instantText(after.revision.atMs)}`;
  return `${channel} went from ${from ?? "nothing"} back to ${to ?? "nothing"}${was}, while ${follows} served ${followed ?? "nothing"}; ${back}`;
}

/** The median, with the quartiles around it. */
export function quartilesText(quartilesMs: Quartiles | undefined): string {
  if (quartilesMs === undefined) return "–";
  const [first, median, third] = quartilesMs;
  return `${durationText(median)} (${durationText(first)} to ${durationText(third)})`;
}
