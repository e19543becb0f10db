import { bumpFile, type BumpedFile, type BumpOrigin } from "../catalogue/bump.ts";
import { canonicalHash } from "../document/canonical.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import { Fault, type ProposalDraft } from "../ports.ts";
import { oneLine } from "../document/printable.ts";
import { promotionBody } from "./body.ts";
import type { Promotion } from "./promotion.ts";
import { instantText } from "../document/times.ts";
import type { Verdict } from "./verdict/verdict.ts";

/** The branch for promotions of one module into one channel. Its ref serves as the lock. */
export function promotionBranch({ channel, module }: Pick<Verdict, "channel" | "module">): string {
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
 * Drafts one pull request for promotions that move together: each version's template with name and channel set, and the
 * reasons. It uses the branch of the first. Throws CONFIGURATION for a template that cannot be served.
 */
export function promotionDraft(...promotions: readonly [Promotion, ...Promotion[]]): ProposalDraft {
  const [{ verdict, chosen, base, mayReplace }, ...others] = promotions;
  const parts = promotions.map((promotion): BodyPart => {
    const file = servedFile(promotion.verdict, promotion.chosen.version, promotion.origin);
    return { promotion, file };
  });
  // Without the time and the base, so that a run does not touch a proposal that stays right.
  const said = parts.map(({ promotion: { verdict: decided, declaration }, file: { path, text } }) => {
    return { from: decided.current, path, text, declared: declaration && { ...declaration, at: null } };
  });
  const names = parts.map(({ promotion: one }) => `${one.verdict.module} ${one.chosen.version}`);
  const title = `${chosen.isHotfix ? "Hot-fix" : "Promote"} ${names.join(" and ")} to ${verdict.channel}`;
  const digest = canonicalHash(said.length === 1 ? { title, ...said[0] } : { title, together: said });
  const moved = others.map((one) => `${one.verdict.module}@${one.chosen.version}`);
  // The gate asks for their approval. A hot-fix needs that of a release manager.
  const reviewers = promotions.flatMap(({ chosen: { isHotfix }, policy, subject: { said: told, releaseManagers } }) => {
    if (isHotfix) return releaseManagers;
    return policy.merge === "review" ? (told?.owners ?? []) : [];
  });
  return {
    branch: promotionBranch(verdict),
    base,
    files: new Map(parts.flatMap(({ file, promotion: { files } }) => [[file.path, file.text] as const, ...files])),
    title,
    message: `${title}\n\n${promotions.map((one) => `${promotionTrailers(one).join("\n")}\n`).join("\n")}`,
    body: promotions.map(promotionBody).join("\n"),
    digest: `${chosen.isHotfix ? "hotfix" : "promotion"}:${[chosen.version, ...moved].join("+")}:${digest}`,
    mayReplace,
    reviewers: [...new Set(reviewers)],
    isUrgent: chosen.isHotfix,
    isAsked: chosen.isHotfix,
  };
}

interface BodyPart {
  readonly promotion: Promotion;
  readonly file: BumpedFile;
}

/** The trailers from which `history --verify` repeats the decision. */
function promotionTrailers({
  verdict,
  chosen,
  declaration,
  base,
  decidedAtMs,
  evidenceDigests,
}: Promotion): readonly string[] {
  return [
    `Promotes: ${verdict.module}@${chosen.version}`,
    // The followed channel may never have served a hot-fix.
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
 * SHA-256 of the decision, without its prose: merge times are more exact with the forge than without, and the decision
 * is the same.
 */
export function verdictDigest({ kind, module, channel, follows, current, chosen }: Verdict): string {
  const { version, level, isHotfix, reasons } = chosen ?? {};
  return canonicalHash({
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
