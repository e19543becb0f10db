import type { BumpOrigin } from "../catalogue/bump.ts";
import type { Hotfix } from "../catalogue/policy.ts";
import type { Policy } from "./verdict/policy.ts";
import type { Subject } from "./verdict/subject.ts";
import type { Assessment, Verdict } from "./verdict/verdict.ts";

/** A verdict that says `promote`, and what it is carried out with. */
export interface Promotion {
  readonly verdict: Verdict;
  readonly chosen: Assessment;
  readonly subject: Subject;
  readonly policy: Policy;
  /** The template of the version, as some file of the repository has it. */
  readonly origin: BumpOrigin;
  /** What a hot-fix declares. */
  readonly declaration: Hotfix | undefined;
  /** Files beside the channel's, such as the one with the declaration. Path to text. */
  readonly files: ReadonlyMap<string, string>;
  /** The texts that these and the channel's file take the place of. */
  readonly replaced: readonly (string | null)[];
  /** The commit that it was decided on. */
  readonly base: string;
  /** Unix milliseconds. */
  readonly decidedAtMs: number;
  /** `hashOf` each file of evidence that was read. */
  readonly evidenceDigests: readonly string[];
}
