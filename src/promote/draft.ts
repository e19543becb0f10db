import { bumpFile, type BumpedFile, type BumpOrigin } from "../catalogue/bump.ts";
import { hashOf } from "../catalogue/canonical.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import { Fault, type Proposal, type ProposalDraft } from "../ports.ts";
import { oneLine, promotionBody } from "./body.ts";
import type { Promotion } from "./promotion.ts";
import { instantText } from "./verdict/text.ts";
import type { Verdict } from "./verdict/verdict.ts";

/** The branch on which the promotions of one module into one channel stand: its ref is the lock. */
export function branchOf({ channel, module }: Pick<Verdict, "channel" | "module">): string {
  return `promote/${channel}/${module}`;
}

/** The channel file that serves a version. Throws CONFIGURATION for a template that cannot be served. */
export function servedFile(
  { module, channel }: Pick<Verdict, "module" | "channel">,
  version: ModuleVersion,
  origin: BumpOrigin,
): BumpedFile {
  const file = bumpFile({ module, version, channel }, origin);
  if (file.kind === "refused") throw new Fault("CONFIGURATION", `${origin.name} cannot be served: ${file.why}`);
  return file;
}

/**
 * What the pull request of a promotion is to say: the version's template with name and channel set, and why. Throws
 * CONFIGURATION for a template that cannot be served.
 */
export function draftOf(promotion: Promotion): ProposalDraft {
  const { verdict, chosen, origin, base } = promotion;
  const { module, channel } = verdict;
  const file = servedFile(verdict, chosen.version, origin);
  const files = new Map([[file.path, file.text], ...promotion.files]);
  const title = `${chosen.isHotfix ? "Hot-fix" : "Promote"} ${module} ${chosen.version} to ${channel}`;
  return {
    branch: branchOf(verdict),
    base,
    files,
    title,
    message: `${title}\n\n${trailersOf(promotion).join("\n")}\n`,
    body: promotionBody(promotion),
    digest: `${chosen.isHotfix ? "hotfix" : "promotion"}:${chosen.version}:${hashOf(saidBy(promotion, title, file))}`,
    reviewers: reviewersOf(promotion),
    isUrgent: chosen.isHotfix,
    isAsked: chosen.isHotfix,
  };
}

/** Neither the time nor the base as a whole: a proposal that stays right is not touched by every run. */
function saidBy({ verdict, declaration, replaced }: Promotion, title: string, { path, text }: BumpedFile): object {
  return { title, from: verdict.current, path, text, declared: declaration && { ...declaration, at: null }, replaced };
}

/** What a proposal is to bring, or was to before somebody else changed it, as its digest says. */
export function proposedStep({
  digest,
  former,
}: Proposal): { readonly lane: string; readonly version: string } | undefined {
  const [lane, version, hash] = (digest ?? former)?.split(":") ?? [];
  return lane === undefined || version === undefined || hash === undefined ? undefined : { lane, version };
}

/** Whose approval the gate asks for: a hot-fix counts only with that of a release manager. */
function reviewersOf({ chosen, policy, subject: { said, releaseManagers } }: Promotion): readonly string[] {
  if (chosen.isHotfix) return releaseManagers;
  return policy.merge === "review" ? (said?.owners ?? []) : [];
}

/** What `history --verify` decides again. */
function trailersOf({
  verdict,
  chosen,
  declaration,
  base,
  decidedAtMs,
  evidenceDigests,
}: Promotion): readonly string[] {
  return [
    `Promotes: ${verdict.module}@${chosen.version}`,
    // The followed channel may never have had a hot-fix.
    ...(declaration === undefined
      ? [`From-Channel: ${verdict.follows}`]
      : [`Incident: ${oneLine(declaration.incident)}`, `By: ${oneLine(declaration.by)}`]),
    `To-Channel: ${verdict.channel}`,
    `Decided-On: ${base}`,
    `Decided-At: ${instantText(decidedAtMs)}`,
    `Verdict: ${verdictDigest(verdict)}`,
    ...evidenceDigests.map((digest) => `Evidence: ${digest}`),
  ];
}

/**
 * SHA-256 of what was decided. Not of the prose: times of merges are known better with the forge than without, and the
 * decision is the same.
 */
export function verdictDigest({ kind, module, channel, follows, current, chosen }: Verdict): string {
  const { version, level, isHotfix, reasons } = chosen ?? {};
  return hashOf({
    kind,
    module,
    channel,
    follows,
    from: current ?? null,
    to: version ?? null,
    level: level ?? null,
    lane: isHotfix === true ? "hot-fix" : "promotion",
    reasons: (reasons ?? []).map(({ topic, outcome }) => `${topic} ${outcome}`),
  });
}
