import type { ChannelName } from "../../../catalogue/names.ts";
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
export type Way = "free" | "hot-fix" | "declared" | "withdrawal" | "followed" | "unproven";

/** By which way a version comes into a channel. */
export function wayInto(context: Context, arrival: Arrival): Way {
  const { base, channel, module, to, ever } = arrival;
  const { follows, name } = channel;
  if (follows === undefined || !base.channels.has(name)) return "free";
  if (isDeclared(context, arrival)) return isHotfix(context, arrival) ? "hot-fix" : "declared";
  const isBack = !isUp(arrival) && isWithdrawal(to.version, ever, holdsAsCount(context, module), name, context.nowMs);
  if (isBack) return "withdrawal";
  return isServedBy(follows, arrival) ? "followed" : "unproven";
}

/** Whether a channel serves what arrives in the base, or once did. */
function isServedBy(name: ChannelName, { base, module, to: { version }, served }: Arrival): boolean {
  if (base.channels.get(name)?.templates.get(module)?.version === version) return true;
  return served.some((entry) => entry.channel === name && entry.version === version);
}

/** Whether a step is what promotion does, and is to be done only when promotion would do it, or a release manager agrees. */
export function mustBeEarned(context: Context, arrival: Arrival): boolean {
  const isMore = arrival.from === undefined || isUp(arrival);
  return isMore && wayInto(context, arrival) === "followed" && releaseManagersApproved(context) !== true;
}

/** Anybody may hold what is above: a step up does not become a withdrawal by that. */
function isUp({ from, to }: Arrival): boolean {
  return from !== undefined && compareVersions(to.version, from.version) > 0;
}
