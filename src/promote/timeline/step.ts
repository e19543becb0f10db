import type { ChannelName } from "../../catalogue/names.ts";
import type { Hotfix } from "../../catalogue/policy.ts";
import { isDecrease, isWithdrawal } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import { NOTHING_SERVED, standingAfter, type ChannelStanding } from "../verdict/candidates.ts";
import type { ModuleHistory, Revision } from "../../catalogue/history/history.ts";
import { subjectStates } from "../verdict/subject.ts";
import type { Claim } from "./trailers.ts";

/**
 * How a channel came to its current state.
 *
 * - `import`: one commit brought the module into several channels, none of which ever had it;
 * - `submission`: the channel follows none, or no longer exists;
 * - `promotion`: the commit names what it was decided on;
 * - `hot-fix`: it was declared by then, for this channel and version;
 * - `withdrawal`: down to the newest version that was not held, with a hold on every higher one;
 * - `decrease`: down without these holds;
 * - `removal`: nothing is served any more;
 * - `rewrite`: the same version with another content;
 * - `manual`: anything else in a channel that follows another.
 */
export type StepKind =
  "import" | "submission" | "promotion" | "hot-fix" | "withdrawal" | "decrease" | "removal" | "rewrite" | "manual";

/** One state of a channel as a step from the one before. */
export interface BareStep {
  readonly channel: ChannelName;
  readonly revision: Revision;
  readonly from: ModuleVersion | undefined;
  readonly to: ModuleVersion | undefined;
  /** The standing of the channel before the step. */
  readonly standing: ChannelStanding;
}

/** The steps of a channel, oldest first. */
export function stepsIn(history: ModuleHistory, channel: ChannelName): readonly BareStep[] {
  let standing = NOTHING_SERVED;
  return subjectStates(history, channel).map(({ revision, version: to }): BareStep => {
    const before = standing;
    standing = standingAfter(before, to);
    return { channel, revision, from: before.current, to, standing: before };
  });
}

/** The kind of a step. `then`: the history right after it. */
export function stepKind(
  step: BareStep,
  then: ModuleHistory,
  {
    follows,
    hotfix,
    claim,
  }: { readonly follows: boolean; readonly hotfix: Hotfix | undefined; readonly claim: Claim | undefined },
): StepKind {
  const { from, to, standing } = step;
  if (to === undefined) return "removal";
  if (from === to) return "rewrite";
  if (isDecrease(before(standing), to)) return isWithdrawn(to, step, then) ? "withdrawal" : "decrease";
  if (isImport(step, then)) return "import";
  if (hotfix !== undefined) return "hot-fix";
  if (!follows) return "submission";
  return claim?.version === to ? "promotion" : "manual";
}

/** After a removal, the highest version ever served counts. */
function before({ current, highest }: ChannelStanding): ModuleVersion | undefined {
  return current ?? highest;
}

function isWithdrawn(to: ModuleVersion, { channel, revision }: BareStep, then: ModuleHistory): boolean {
  const versions = new Set(subjectStates(then, channel).flatMap(({ version }) => version ?? []));
  const ever = [...versions].sort((a, b) => compareVersions(b, a));
  const holds = then.holds.filter((hold) => hold.to === undefined).map(({ entry }) => entry);
  return isWithdrawal(to, ever, holds, channel, revision.atMs);
}

function isImport({ standing, revision }: BareStep, { served }: ModuleHistory): boolean {
  const together = [...served.values()].filter(([first]) => first?.revision.index === revision.index);
  return standing.highest === undefined && together.length > 1;
}
