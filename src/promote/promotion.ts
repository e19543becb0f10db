import type { BumpOrigin } from "../catalogue/bump.ts";
import type { Hotfix } from "../catalogue/policy.ts";
import type { ProposalDraft } from "../ports.ts";
import type { Policy } from "./verdict/policy.ts";
import type { Subject } from "./verdict/subject.ts";
import type { Assessment, Verdict } from "./verdict/verdict.ts";

/** A verdict `promote`, with everything to carry it out. */
export interface Promotion {
  readonly verdict: Verdict;
  readonly chosen: Assessment;
  readonly subject: Subject;
  readonly policy: Policy;
  /** The template of the version, and where it comes from. */
  readonly origin: BumpOrigin;
  /** The declaration of a hot-fix. */
  readonly declaration: Hotfix | undefined;
  /** Files to write beside the channel's, such as the one with the declaration. Path to text. */
  readonly files: ReadonlyMap<string, string>;
  /** See `ProposalDraft`. */
  readonly mayReplace: ProposalDraft["mayReplace"];
  /** The commit that it was decided on. */
  readonly base: string;
  /** Unix milliseconds. */
  readonly decidedAtMs: number;
  /** The `hashOf` of each evidence file that was read. */
  readonly evidenceDigests: readonly string[];
}
