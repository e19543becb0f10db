import type { ChannelName } from "../../../catalogue/names.ts";
import { newestFirst } from "../../../catalogue/lookup.ts";
import { isWithdrawal } from "../../../catalogue/steps.ts";
import { compareVersions } from "../../../catalogue/version.ts";
import { releaseManagersApproved } from "../../authority.ts";
import type { Context } from "../../context.ts";
import { holdsAsCount } from "../../holds.ts";
import { isDeclared, isHotfix } from "../../hotfix.ts";
import type { Arrival } from "../steps.ts";

/**
 * - `free`: the channel follows none, or the change creates it;
 * - `declared`: as a hot-fix that no release manager approved; hotfix-approval refuses it;
 * - `followed`: the followed channel serves it in the base, or served it before;
 * - `unproven`: in none of the other ways.
 */
type WayInto = "free" | "hot-fix" | "declared" | "withdrawal" | "followed" | "unproven";

/** The way in which a version enters a channel. */
export function wayInto(context: Context, arrival: Arrival): WayInto {
  const { base, channel } = arrival;
  const { follows, name } = channel;
  if (follows === undefined || !base.channels.has(name)) return "free";
  if (isDeclared(context, arrival)) return isHotfix(context, arrival) ? "hot-fix" : "declared";
  if (isBack(context, arrival)) return "withdrawal";
  return isServedBy(follows, arrival) ? "followed" : "unproven";
}

/** Whether a channel serves the arriving version in the base, or served it before. */
function isServedBy(name: ChannelName, { base, module, to: { version }, served }: Arrival): boolean {
  if (base.channels.get(name)?.templates.get(module)?.version === version) return true;
  return (served.get(name) ?? []).some((state) => state.version === version);
}

/**
 * A question to promotion about a step that no release manager approved:
 * - `verdict`: whether promotion would make the step;
 * - `holds`: whether a person holds the version. This is asked if the version goes back, comes as a hot-fix, or returns
 *   to a channel that follows none, since no file records a decrease by hand.
 */
export type StepQuestion = "verdict" | "holds";

/** The question to promotion about a step, if any. */
export function questionAbout(context: Context, arrival: Arrival): StepQuestion | undefined {
  if (releaseManagersApproved(context) === true) return undefined;
  const way = wayInto(context, arrival);
  if (way === "hot-fix" || isBack(context, arrival) || isReturn(way, arrival)) return "holds";
  const isMore = arrival.from === undefined || isUp(arrival);
  return way === "followed" && isMore ? "verdict" : undefined;
}

/**
 * Whether a channel that follows none gets a version that was served before, and that a person may have taken back by
 * hand. Most changes bring a version that was never served, and need no history.
 */
function isReturn(way: WayInto, { base, channel, to, served }: Arrival): boolean {
  const isKnown = newestFirst(served).some(({ version }) => version === to.version);
  return way === "free" && base.channels.has(channel.name) && isKnown;
}

/** Whether a step is a withdrawal. A step up never is one, although anyone can hold the versions above it. */
function isBack(context: Context, arrival: Arrival): boolean {
  const { channel, module, to, ever } = arrival;
  const holds = holdsAsCount(context, module);
  return !isUp(arrival) && isWithdrawal(to.version, ever, holds, channel.name, context.nowMs);
}

function isUp({ from, to }: Arrival): boolean {
  return from !== undefined && compareVersions(to.version, from.version) > 0;
}
