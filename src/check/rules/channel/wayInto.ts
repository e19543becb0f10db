import { isWithdrawal } from "../../../catalogue/steps.ts";
import { compareVersions } from "../../../catalogue/version.ts";
import { releaseManagersApproved } from "../../authority.ts";
import type { Context } from "../../context.ts";
import { holdsAsCount } from "../../holds.ts";
import { hotfixOf } from "../../hotfix.ts";
import type { Arrival } from "../steps.ts";

/**
 * - `free`: the channel follows none, or is founded by the change;
 * - `followed`: the followed channel serves it in the base, or once did;
 * - `unproven`: by none of the ways that there are.
 */
export type Way = "free" | "hot-fix" | "withdrawal" | "followed" | "unproven";

/** By which way a version comes into a channel. */
export function wayInto(context: Context, arrival: Arrival): Way {
  const { base, channel, module, to, served, ever } = arrival;
  const { follows, name } = channel;
  if (follows === undefined || !base.channels.has(name)) return "free";
  if (hotfixOf(context, arrival) !== undefined) return "hot-fix";
  const isBack = !isUp(arrival) && isWithdrawal(to.version, ever, holdsAsCount(context, module), name, context.nowMs);
  if (isBack) return "withdrawal";
  const inFollowed = base.channels.get(follows)?.templates.get(module)?.version === to.version;
  const once = served.some((entry) => entry.channel === follows && entry.version === to.version);
  return inFollowed || once ? "followed" : "unproven";
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
