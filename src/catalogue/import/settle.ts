import type { ExistingTemplate } from "./existing.ts";
import { leave, type ImportRefusal } from "./leftOut.ts";
import type { VersionContent, TemplatePlace } from "./place.ts";
import type { SkippedInput } from "./result.ts";

/** A claim of one input: this content at this place. */
export interface PlaceClaim {
  readonly source: string;
  readonly place: TemplatePlace;
  readonly content: VersionContent;
  readonly changedMs: number | undefined;
  /** Whether it is from a ModuleReleaseMeta; its content is then that of another claim, or of the repository. */
  readonly released: boolean;
}

/** A claim of a ModuleReleaseMeta for a version whose content is unknown. */
export interface OpenClaim extends Omit<PlaceClaim, "content"> {
  readonly content: undefined;
  /** Why the content is unknown. */
  readonly leftOut: SkippedInput;
}

/** The accepted and the refused ones of several claims. */
export interface Settlement<T> {
  /** All have the same content. */
  readonly taken: readonly T[];
  readonly left: readonly SkippedInput[];
}

/**
 * Settles claims for one place or version. Claims with equal contents are all taken. Of different contents, none is
 * taken; with `preferNewest`, the newest is, if it is certain which one that is.
 */
export function settle<T extends PlaceClaim | OpenClaim>(
  claims: readonly T[],
  subject: string,
  preferNewest: boolean,
): Settlement<T> {
  const groups = [
    ...Map.groupBy(claims, ({ place, content }) => `${place.version} ${content?.specKey ?? ""}`).values(),
  ];
  if (groups.length < 2) return { taken: claims, left: [] };
  const newest = preferNewest ? newestGroup(groups) : undefined;
  const left = claims
    .filter((claim) => newest?.includes(claim) !== true)
    .map((claim) => {
      const refusal =
        newest === undefined ? conflict(claim, groups.length, subject, preferNewest) : older(claim, newest, subject);
      return leave(claim, refusal, { path: claim.place.path });
    });
  return { taken: newest ?? [], left };
}

/** The group with the newest claim; `undefined` if it is uncertain which one that is. */
export function newestGroup<T extends Pick<PlaceClaim, "changedMs">>(
  groups: readonly (readonly T[])[],
): readonly T[] | undefined {
  const times = groups.map(newestMs);
  const [newest, ...others] = groups.filter((_, index) => times[index] === Math.max(...times));
  return others.length === 0 ? newest : undefined;
}

/** The latest change of `claims`; NaN, which is neither more nor less than any number, when one is unknown. */
function newestMs(claims: readonly Pick<PlaceClaim, "changedMs">[]): number {
  return Math.max(...claims.map(({ changedMs = Number.NaN }) => changedMs));
}

function conflict(
  { place }: Pick<PlaceClaim, "place">,
  count: number,
  subject: string,
  preferNewest: boolean,
): ImportRefusal {
  return {
    reason: "conflict",
    message: `${place.module} ${place.version} is one of ${count} different contents for ${subject}. ${conflictRemedy(preferNewest)}`,
  };
}

/** What to do about different contents for one place. */
export function conflictRemedy(preferNewest: boolean): string {
  return preferNewest
    ? "Which one is the newest is unknown."
    : "Take the newest with --prefer newest, or import the right one alone.";
}

function older(
  { place }: Pick<PlaceClaim, "place">,
  newest: readonly Pick<PlaceClaim, "source">[],
  subject: string,
): ImportRefusal {
  const names = newest.map(({ source }) => source).join(" and ");
  return {
    reason: "older",
    message: `${place.module} ${place.version} is older than ${names}, which is taken for ${subject}.`,
  };
}

/** The state of a claim's place in the repository, or the refusal of the claim. */
type Meeting = "free" | "present" | "replace" | ImportRefusal;

/**
 * Compares `claims`, which have the same content, with their place in the repository. `occupied`: whether the repository
 * has a file there; `there`: the template in it, if it is readable.
 */
export function meet(
  claims: readonly PlaceClaim[],
  occupied: boolean,
  there: ExistingTemplate | undefined,
  preferNewest: boolean,
): Meeting {
  if (!occupied) return "free";
  if (there === undefined) {
    return {
      reason: "conflict",
      message:
        "The repository has an unreadable file there. Correct or remove it: kyma-modules plan shows the problems.",
    };
  }
  const { place, content } = there;
  if (claims.every((claim) => claim.content.specKey === content.specKey && claim.place.version === place.version))
    return "present";
  // A ModuleReleaseMeta that names the same version says nothing about the age of its content.
  const decisive = claims.map((claim) => (claim.place.version === place.version ? claim.content.incoming : claim));
  if (preferNewest && newestMs(decisive) > newestMs([content.incoming])) return "replace";
  if (preferNewest)
    return {
      reason: "older",
      message: `The repository has ${place.module} ${place.version} there, which is not known to be older.`,
    };
  return {
    reason: "conflict",
    message: `The repository has ${place.module} ${place.version} there with different content. Replace it with --prefer newest, or keep it.`,
  };
}
