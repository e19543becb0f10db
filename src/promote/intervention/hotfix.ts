import { hotfixesPath } from "../../catalogue/paths.ts";
import type { Hotfix } from "../../catalogue/policy.ts";
import { fitsVersions, stepLevel } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import { levelFrom, passedOver, channelStanding } from "../verdict/candidates.ts";
import { heldPeriods } from "../verdict/holding.ts";
import { judgeObserved } from "../verdict/observed.ts";
import { judgePeople } from "../verdict/people.ts";
import { judgeContents } from "../verdict/rewritten.ts";
import { subjectStates, type VerdictFacts, type Subject } from "../verdict/subject.ts";
import { instantText, startOfSecondMs } from "../../document/times.ts";
import type { Assessment, Reason, Verdict } from "../verdict/verdict.ts";

/** A request for a hot-fix. */
export interface HotfixRequest {
  readonly version: ModuleVersion;
  /** `specHash` of its content; `undefined` if there is no template of it, or not a valid one. */
  readonly specHash: string | undefined;
  /** The address of the incident. */
  readonly incident: string;
  /** Versions of newer lines that carry the same repair. */
  readonly alsoFixedIn: readonly ModuleVersion[];
  /** A login. */
  readonly by: string;
}

/** A verdict of the hot-fix lane, with the declaration. */
export interface HotfixVerdict extends Verdict {
  readonly chosen: Assessment;
  readonly declaration: Hotfix;
  /** The versions that the declaration blocks, highest first. */
  readonly passedOver: readonly ModuleVersion[];
}

/**
 * Decides whether `request` may use the hot-fix lane: its version must be a patch of what the channel serves, and not
 * held. If the channel went down, it may also be a patch of the highest version that it ever served: lifecycle-manager
 * refuses any lower version on clusters that have that one. A hot-fix skips soak, windows, freezes and the evidence that
 * the policy demands; what it skips becomes the debt of the declaration. A known failure of its content blocks it.
 */
export function decideHotfix(subject: Subject, request: HotfixRequest, facts: VerdictFacts): HotfixVerdict {
  const { module, channel, followed } = subject;
  const standing = channelStanding(subjectStates(facts.history, channel.name));
  const held = judgePeople(subject, request.version, heldPeriods(subject, facts.history), facts).filter(
    ({ topic }) => topic !== "hot-fix",
  );
  const rewritten = judgeContents(subject, request.version, facts.history);
  const reasons = [stepReason(subject, standing, request), ...held, ...rewritten, ...failures(subject, request, facts)];
  const isBlocked = reasons.some(({ outcome }) => outcome === "blocking");
  const chosen: Assessment = {
    kind: isBlocked ? "blocked" : "promote",
    version: request.version,
    level: levelFrom(standing, request.version),
    isHotfix: true,
    reasons,
    earliest: undefined,
  };
  const about = { module, channel: channel.name, follows: followed.name, current: standing.current };
  const declaration = declare(subject, request, facts);
  return {
    kind: chosen.kind,
    ...about,
    chosen,
    candidates: [chosen],
    declaration,
    passedOver: passedOver(subject, facts.history, declaration, facts.nowMs),
  };
}

/** The reasons of evidence against the content. */
function failures(subject: Subject, { version, specHash = "" }: HotfixRequest, facts: VerdictFacts): readonly Reason[] {
  const demand = { needs: [], exposure: undefined, health: undefined };
  const reasons = judgeObserved(subject, { version, hash: () => specHash }, demand, facts);
  return reasons.filter(({ outcome }) => outcome === "blocking");
}

function stepReason(
  { module, channel }: Subject,
  { current, highest }: ReturnType<typeof channelStanding>,
  { version, incident, alsoFixedIn }: HotfixRequest,
): Reason {
  const about = { topic: "hot-fix", source: { kind: "evidence", source: incident } } as const;
  const refuse = (message: string, remedy: string): Reason => ({ ...about, outcome: "blocking", message, remedy });
  if (current === undefined || highest === undefined) {
    const remedy = `Promote it, or submit it to a channel that follows none.`;
    return refuse(`${channel.name} does not serve ${module}: there is nothing that a hot-fix could repair.`, remedy);
  }
  if (version === current) {
    const listing = `List ${alsoFixedIn.join(", ")} in alsoFixedIn of its entry in ${hotfixesPath(module)}.`;
    const remedy = alsoFixedIn.length === 0 ? "There is nothing left to do." : listing;
    return refuse(`${channel.name} serves ${version} already.`, remedy);
  }
  const isUp = compareVersions(version, current) > 0;
  if (isUp && compareVersions(version, highest) < 0) {
    const message = `${channel.name} served ${highest} already: lifecycle-manager refuses ${version} on every cluster that has it.`;
    return refuse(message, `Release the repair as a patch of ${highest}.`);
  }
  const places = new Map([
    [highest, `${highest}, which ${channel.name} served before it went down`],
    [current, `${current}, which ${channel.name} serves`],
  ]);
  const repaired = [current, highest].find((served) => isUp && stepLevel(served, version) === "patch");
  if (repaired === undefined) {
    const message = `${version} is not a patch of ${[...places.values()].join(", nor of ")}.`;
    const usual = isUp ? `, or promote ${version} the usual way` : "";
    return refuse(message, `Release the repair as a patch of ${highest}${usual}.`);
  }
  if (!fitsVersions(channel.versions, version)) {
    const message = `${channel.name} takes versions of the kind ${channel.versions}, and ${version} is of another kind.`;
    return refuse(message, "Release the repair as a version that it takes.");
  }
  const message = `${version} is a patch of ${String(places.get(repaired))}: it skips soak, windows, freezes and needs.`;
  return { ...about, outcome: "met", message };
}

/**
 * Makes the declaration. Its debt is what the lane skipped: the followed channel is behind, and tests and a review are
 * missing.
 */
function declare(
  { channel, followed }: Subject,
  { version, incident, by, alsoFixedIn }: HotfixRequest,
  { history, nowMs }: VerdictFacts,
): Hotfix {
  const { current } = channelStanding(subjectStates(history, followed.name));
  const isBehind = current === undefined || compareVersions(current, version) < 0;
  return {
    version,
    channel: channel.name,
    incident,
    by,
    at: instantText(startOfSecondMs(nowMs)),
    ...(alsoFixedIn.length > 0 && { alsoFixedIn }),
    debt: [...(isBehind ? ["backfill" as const] : []), "smoke" as const, "review" as const].map((kind) => ({ kind })),
  };
}
