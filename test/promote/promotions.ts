import type { BranchContent, Forge, ForgeView, Proposal, ProposalDraft } from "../../src/ports.ts";
import type { Promotion } from "../../src/promote/promotion.ts";
import { promotionPolicy } from "../../src/promote/verdict/policy.ts";
import type { Verdict } from "../../src/promote/verdict/verdict.ts";
import { channelTemplate } from "../catalogue/repository.ts";
import { day, decideOn, SOAK, subjectOf, type Merge, type World } from "./verdict/timeline.ts";

/** Fast gets 1.2.0 on day 10, and regular, which serves 1.1.0, may have it on day 17. */
export const MERGES: readonly Merge[] = [
  { at: 0, fast: "1.1.0", regular: "1.1.0" },
  { at: 10, fast: "1.2.0" },
];

/** Everything to carry out the promotion of istio 1.2.0 to regular. */
export function promotionOf(more: Partial<Promotion> = {}, world: World = {}): Promotion {
  const verdict = decideOn(20, MERGES, world);
  if (verdict.chosen === undefined) throw new Error("there is no candidate");
  const content = ["# of the team's own pipeline", channelTemplate("fast", "istio", "1.2.0")].join("\n");
  return {
    verdict,
    chosen: verdict.chosen,
    subject: subjectOf(world),
    policy: promotionPolicy(world.promotion ?? { soak: SOAK }, world.override),
    origin: { name: "channels/fast/istio.yaml", content: Buffer.from(content) },
    declaration: undefined,
    files: new Map(),
    mayReplace: () => true,
    base: "4f0c2f9d5b0e4f6c8f5d1d2c3b4a59687f6e5d4c",
    decidedAtMs: day(20),
    evidenceDigests: [],
    ...more,
  };
}

/** The content of a branch that this program made. */
export function holding(files: Readonly<Record<string, string>>): BranchContent {
  const author = "Train <train@example.com>";
  return { files: new Map(Object.entries(files)), others: [], isCurrent: true, author, isMarked: true };
}

/** The content of a branch that brings istio `version` to regular; as a hot-fix if `isHotfix`. */
export function contentOf(version: string, isHotfix = false): BranchContent {
  const declared = isHotfix ? { "modules/istio/hotfixes.yaml": "format: 1\nhotfixes: []\n" } : {};
  return holding({ "channels/regular/istio.yaml": channelTemplate("regular", "istio", version), ...declared });
}

/** The proposal on the branch of the promotion, on GitHub. */
export function proposal(content: BranchContent, isOpen = true): Proposal {
  return {
    branch: "promote/regular/istio",
    tip: "a".repeat(40),
    content,
    digest: "digest",
    pull: { number: 7, url: "https://github.com/org/name/pull/7", isOpen },
  };
}

/** The state of a forge with pull requests. */
export function viewOf(...proposals: readonly Proposal[]): ForgeView {
  return { base: "b".repeat(40), hasPulls: true, proposals };
}

/** A draft whose content does not matter. */
export const DRAFT: ProposalDraft = {
  branch: "promote/regular/istio",
  base: "b".repeat(40),
  files: new Map(),
  message: "",
  title: "",
  body: "",
  digest: "promotion:1.2.0:sha256:1",
  mayReplace: () => true,
  reviewers: [],
  isUrgent: false,
  isAsked: false,
};

/** The verdict of day `at`; everything is open unless `world` says otherwise. */
export function verdictOn(at: number, merges: readonly Merge[] = MERGES, world: World = {}): Verdict {
  return decideOn(at, merges, world);
}

/** A forge that has only the methods of `acts`. */
export function forgeWith(acts: Partial<Forge>): Forge {
  const refuse = (): Promise<never> => Promise.reject(new Error("unexpected request"));
  return { look: refuse, propose: refuse, close: refuse, merge: refuse, mergeTimes: refuse, ...acts };
}
