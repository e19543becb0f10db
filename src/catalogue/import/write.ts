import { staying, type Winner } from "./decide.ts";
import type { ExistingTemplates } from "./existing.ts";
import { reportEdit } from "./fields.ts";
import { differences, stampCount, write, type Content } from "./place.ts";
import type { ImportedTemplate } from "./result.ts";
import type { Claim } from "./settle.ts";
import { compareText } from "../order.ts";

/**
 * The files of the winners.
 *
 * Equal specs are one, but their labels and annotations may differ, and of one version the repository may hold one set
 * only. So each version takes those of one input (of the repository, where it has the version already), in all places.
 */
export function writeWinners(
  winners: readonly Winner[],
  existing: ExistingTemplates,
  preferNewest: boolean,
): readonly ImportedTemplate[] {
  const standing = Map.groupBy(staying(existing, winners), ({ place }) => `${place.module} ${place.version}`);
  const versions = Map.groupBy(winners, ({ place }) => `${place.module} ${place.version}`);
  return [...versions].flatMap(([version, same]) => {
    const isFirst = byWeight(preferNewest);
    const best = same.flatMap(({ claims }) => claims).reduce((a, b) => (isFirst(a, b) < 0 ? a : b));
    const { content } = standing.get(version)?.[0] ?? best;
    return same.map((winner) => writeWinner(winner, content));
  });
}

/** The newest, where that is asked for; then the one with most labels and annotations, so that least is lost. */
function byWeight(preferNewest: boolean): (a: Claim, b: Claim) => number {
  return (a, b) =>
    (preferNewest ? (b.changedMs ?? 0) - (a.changedMs ?? 0) : 0) ||
    stampCount(b.content) - stampCount(a.content) ||
    compareText(a.source, b.source);
}

function writeWinner({ place, claims, replaces }: Winner, chosen: Content): ImportedTemplate {
  const ordered = claims.toSorted((a, b) => compareText(a.source, b.source));
  const own = ordered.find(({ content, released }) => !released && content.contentHash === chosen.contentHash);
  const content = own?.content ?? chosen;
  const { text, edits } = write(content, place);
  const { incoming } = content;
  return {
    kind: "template",
    path: place.path,
    text,
    module: place.module,
    version: place.version,
    channel: place.channel,
    from: incoming.source,
    releasedBy: ordered.filter(({ released }) => released).map(({ source }) => source),
    merged: ordered
      .filter(({ source, released }) => !released && source !== incoming.source)
      .map((other) => ({ source: other.source, differs: differences(content, other.content) })),
    edits: edits.map((edit) => reportEdit(incoming.value, edit)),
    replaces,
  };
}
