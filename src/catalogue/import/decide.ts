import type { ExistingTemplate, ExistingTemplates } from "./existing.ts";
import { isRefusal, leave, type ImportRefusal } from "./leftOut.ts";
import type { VersionContent, TemplatePlace } from "./place.ts";
import type { ReleaseClaim } from "./releaseMeta.ts";
import type { SkippedInput } from "./result.ts";
import { meet, settle, type PlaceClaim, type OpenClaim, type Settlement } from "./settle.ts";
import type { TemplateClaim } from "./template.ts";
import { compareText } from "../../document/order.ts";
import { versionTemplatePath } from "../paths.ts";

/** A place to write, with its content and all claims for it. */
export interface Winner {
  readonly place: TemplatePlace;
  readonly content: VersionContent;
  readonly claims: readonly PlaceClaim[];
  /** Whether the repository has other content there. */
  readonly replaces: boolean;
}

/** The decision about all claims. */
interface ImportDecision {
  readonly winners: readonly Winner[];
  readonly present: readonly { readonly path: string; readonly from: readonly string[] }[];
  readonly leftOut: readonly SkippedInput[];
}

/** Decides place by place. `withoutContradictions` compares places afterwards. */
export function decide(
  templates: readonly TemplateClaim[],
  releases: readonly ReleaseClaim[],
  existing: ExistingTemplates,
  preferNewest: boolean,
): ImportDecision {
  const claims = templates.map(({ place, content }): PlaceClaim => {
    const { source, changedMs } = content.incoming;
    return { source, place, content, changedMs, released: false };
  });
  const ofVersions = claims.filter(({ place }) => place.channel === undefined);
  const inChannels = claims.filter(({ place }) => place.channel !== undefined);
  const versions = settleAll(ofVersions, preferNewest);
  const known: ContentsByVersion = {
    settled: ofEachVersion(versions.taken),
    claimed: ofEachVersion(claims),
    present: ofEachVersion([...existing.values()].filter((template) => template !== undefined)),
    existing,
  };
  const released = releases.map((release) => resolve(release, known));
  const channels = settleAll([...inChannels, ...released], preferNewest);
  const taken = channels.taken.filter((claim) => claim.content !== undefined);
  const open = channels.taken.flatMap((claim) => ("leftOut" in claim ? [claim.leftOut] : []));
  const met = meetAll([...versions.taken, ...taken], existing, preferNewest);
  return {
    winners: met.winners,
    present: met.present,
    leftOut: [...versions.left, ...channels.left, ...open, ...met.leftOut],
  };
}

function byPlace<T extends PlaceClaim | OpenClaim>(claims: readonly T[]): readonly (readonly [string, readonly T[]])[] {
  return [...Map.groupBy(claims, ({ place }) => place.path)].sort(([a], [b]) => compareText(a, b));
}

function settleAll<T extends PlaceClaim | OpenClaim>(claims: readonly T[], preferNewest: boolean): Settlement<T> {
  const settlements = byPlace(claims).map(([path, same]) => settle(same, path, preferNewest));
  return { taken: settlements.flatMap(({ taken }) => taken), left: settlements.flatMap(({ left }) => left) };
}

/** The contents of all versions, by `placedVersion`. */
interface ContentsByVersion {
  /** The claims for the places of versions that are taken. */
  readonly settled: ReadonlyMap<string, readonly PlaceClaim[]>;
  readonly claimed: ReadonlyMap<string, readonly PlaceClaim[]>;
  readonly present: ReadonlyMap<string, readonly ExistingTemplate[]>;
  readonly existing: ExistingTemplates;
}

function placedVersion({ place }: { readonly place: TemplatePlace }): string {
  return `${place.module}@${place.version}`;
}

function ofEachVersion<T extends { readonly place: TemplatePlace }>(
  contents: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(contents, placedVersion);
}

/**
 * Finds the content that a ModuleReleaseMeta names: the template of the version, else what the input has at this place,
 * else the only content of this version.
 */
function resolve(release: ReleaseClaim, known: ContentsByVersion): PlaceClaim | OpenClaim {
  const { place, incoming } = release;
  const { module, version } = place;
  const key = placedVersion(release);
  const claimed = known.claimed.get(key) ?? [];
  const own = known.settled.get(key)?.[0] ?? known.existing.get(versionTemplatePath(module, version));
  const here = claimed.filter((claim) => claim.place.path === place.path);
  const everywhere = [...claimed, ...(known.present.get(key) ?? [])];
  const named = [own === undefined ? [] : [own], here].find((found) => found.length > 0) ?? everywhere;
  const contents: readonly VersionContent[] = named.map((template) => template.content);
  const [content] = contents;
  const assigned = `It assigns ${module} ${version} to ${place.path},`;
  const { source, changedMs } = incoming;
  if (content !== undefined && contents.every(({ specKey }) => specKey === content.specKey)) {
    return { source, place, content, changedMs, released: true };
  }
  const refusal: ImportRefusal =
    content === undefined
      ? { reason: "absent", message: `${assigned} but neither the input nor the repository has this template.` }
      : { reason: "conflict", message: `${assigned} but there are different contents of this version.` };
  const leftOut = leave(incoming, refusal, { path: place.path });
  return { source, place, content: undefined, changedMs, released: true, leftOut };
}

function meetAll(claims: readonly PlaceClaim[], existing: ExistingTemplates, preferNewest: boolean): ImportDecision {
  const winners: Winner[] = [];
  const present: ImportDecision["present"][number][] = [];
  const leftOut: SkippedInput[] = [];
  for (const [path, same] of byPlace(claims)) {
    const meeting = meet(same, existing.has(path), existing.get(path), preferNewest);
    if (isRefusal(meeting)) leftOut.push(...leaveAll(same, meeting));
    else if (meeting === "present") present.push({ path, from: same.map(({ source }) => source).sort(compareText) });
    else {
      const replaces = meeting === "replace";
      winners.push(...same.slice(0, 1).map(({ place, content }) => ({ place, content, claims: same, replaces })));
    }
  }
  return { winners, present, leftOut };
}

function leaveAll(claims: readonly PlaceClaim[], refusal: ImportRefusal): readonly SkippedInput[] {
  return claims.map((claim) => leave(claim, refusal, { path: claim.place.path }));
}

/** A template that the repository has after the import: an existing one, or a winner. */
interface KeptTemplate {
  readonly place: TemplatePlace;
  readonly content: VersionContent;
  readonly winner: Winner | undefined;
}

/**
 * Removes winners until the repository does not contradict itself: one version with two contents, or a module that is
 * both mandatory and not. Existing templates stay.
 */
export function withoutContradictions(
  decision: ImportDecision,
  existing: ExistingTemplates,
  preferNewest: boolean,
): ImportDecision {
  const standing = [
    ...staying(existing, decision.winners),
    ...decision.winners.map((winner) => ({ place: winner.place, content: winner.content, winner })),
  ];
  const refused = new Map([...mandatoryAndNot(standing), ...contradicting(standing, preferNewest)]);
  if (refused.size === 0) return decision;
  const winners = decision.winners.filter((winner) => !refused.has(winner));
  const leftOut = [...refused].flatMap(([{ claims }, refusal]) => leaveAll(claims, refusal));
  return withoutContradictions(
    { ...decision, winners, leftOut: [...decision.leftOut, ...leftOut] },
    existing,
    preferNewest,
  );
}

/** The templates of the repository that an import does not change, in the order of their paths. */
export function staying(
  existing: ExistingTemplates,
  winners: readonly Winner[],
): readonly (ExistingTemplate & { readonly winner: undefined })[] {
  const replaced = new Set(winners.map(({ place }) => place.path));
  return [...existing]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([path, template]) =>
      template === undefined || replaced.has(path) ? [] : [{ ...template, winner: undefined }],
    );
}

function mandatoryAndNot(standing: readonly KeptTemplate[]): readonly (readonly [Winner, ImportRefusal])[] {
  const served = Map.groupBy(
    standing.filter(({ place }) => place.channel !== undefined),
    ({ place }) => place.module,
  );
  return [...served].flatMap(([module, places]) => {
    if (places.length === 1 || !places.some(({ place }) => place.mandatory)) return [];
    const paths = places.map(({ place }) => place.path).join(" and ");
    const message = `A mandatory module must be in exactly one channel, a mandatory one, but ${module} would be in ${paths}.`;
    return refuseNew(places, { reason: "mandatory", message });
  });
}

function contradicting(
  standing: readonly KeptTemplate[],
  preferNewest: boolean,
): readonly (readonly [Winner, ImportRefusal])[] {
  const versions = Map.groupBy(standing, ({ place }) => `${place.module} ${place.version}`);
  return [...versions].flatMap(([name, same]) => {
    const old = same.filter(({ winner }) => winner === undefined);
    const fresh = same.flatMap(({ winner }) => (winner === undefined ? [] : [winner]));
    const known = new Set(old.map(({ content }) => content.specKey));
    if (known.size > 0) {
      const message = `${old.map(({ place }) => place.path).join(" and ")} has other content of ${name}, and a version never changes.`;
      return refuseNew(
        same.filter(({ content }) => !known.has(content.specKey)),
        { reason: "conflict", message },
      );
    }
    const claims = fresh.flatMap((winner) => winner.claims);
    const { left } = settle(claims, `the version ${name}`, preferNewest);
    return left.flatMap((one) =>
      refuseNew(
        same.filter(({ place }) => place.path === one.path),
        one,
      ),
    );
  });
}

function refuseNew(
  standing: readonly KeptTemplate[],
  { reason, message }: ImportRefusal,
): readonly (readonly [Winner, ImportRefusal])[] {
  return standing.flatMap(({ winner }) => (winner === undefined ? [] : [[winner, { reason, message }] as const]));
}
