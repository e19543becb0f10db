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
 * - `free`: the channel follows none, or is founded by the change;
 * - `declared`: as a hot-fix that no release manager approved; hotfix-approval refuses it;
 * - `followed`: the followed channel serves it in the base, or once did;
 * - `unproven`: by none of the ways that there are.
 */
export type WayInto = "free" | "hot-fix" | "declared" | "withdrawal" | "followed" | "unproven";

/** By which way a version comes into a channel. */
export function wayInto(context: Context, arrival: Arrival): WayInto {
  const { base, channel } = arrival;
  const { follows, name } = channel;
  if (follows === undefined || !base.channels.has(name)) return "free";
  if (isDeclared(context, arrival)) return isHotfix(context, arrival) ? "hot-fix" : "declared";
  if (isBack(context, arrival)) return "withdrawal";
  return isServedBy(follows, arrival) ? "followed" : "unproven";
}

/** Whether a channel serves what arrives in the base, or once did. */
function isServedBy(name: ChannelName, { base, module, to: { version }, served }: Arrival): boolean {
  if (base.channels.get(name)?.templates.get(module)?.version === version) return true;
  return (served.get(name) ?? []).some((state) => state.version === version);
}

/**
 * What promotion has to say about a step, unless a release manager agrees to it all the same: the whole `verdict` where it
 * is what promotion does; whether a person `holds` the version where it goes back, comes by the hot-fix lane, or comes
 * again into a channel that follows none, for a decrease by hand stands in no file.
 */
export type StepQuestion = "verdict" | "holds";

/** What promotion is asked about a step, if anything. */
export function questionAbout(context: Context, arrival: Arrival): StepQuestion | undefined {
  if (releaseManagersApproved(context) === true) return undefined;
  const way = wayInto(context, arrival);
  if (way === "hot-fix" || isBack(context, arrival) || isReturn(way, arrival)) return "holds";
  const isMore = arrival.from === undefined || isUp(arrival);
  return way === "followed" && isMore ? "verdict" : undefined;
}

/**
 * Whether a channel that follows none gets what was served before, and may have been taken back by hand. What never was
 * served nobody took back, and most changes bring such a version: they ask for no history.
 */
function isReturn(way: WayInto, { base, channel, to, served }: Arrival): boolean {
  const isKnown = newestFirst(served).some(({ version }) => version === to.version);
  return way === "free" && base.channels.has(channel.name) && isKnown;
}

/** Anybody may hold what is above: a step up does not become a withdrawal by that. */
function isBack(context: Context, arrival: Arrival): boolean {
  const { channel, module, to, ever } = arrival;
  const holds = holdsAsCount(context, module);
  return !isUp(arrival) && isWithdrawal(to.version, ever, holds, channel.name, context.nowMs);
}

function isUp({ from, to }: Arrival): boolean {
  return from !== undefined && compareVersions(to.version, from.version) > 0;
}
