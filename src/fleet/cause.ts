import { pool } from "../document/pool.ts";

/** Replaces the parts of a message that differ between clusters. */
const VARIES = "…";

/** Applied in this order, because a quoted value may contain all the others. API versions such as v1beta2 are kept. */
const VARYING: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/g, `"${VARIES}"`],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, VARIES],
  [/\b(?!v\d+(?:(?:alpha|beta)\d+)?\b)[a-z0-9]*\d[a-z0-9]*/gi, VARIES],
  // The last part of a pod's name may have no digit.
  [/(?<=…-)[bcdfghjklmnpqrstvwxz]{5}\b/g, VARIES],
  [/…(?:[.:/_+-]+…)+/g, VARIES],
];

/** A shorter name may be part of other words. Characters. */
const LEAST_NAME = 4;
/** The maximum length of a cause, in characters. A message may have 32,768. */
const MOST_CHARACTERS = 300;

/** Source: lifecycle-manager, pkg/templatelookup; from 0.x on, with the channels. */
const REFUSED_DOWNGRADE = /ignore channel skew(?: \(from \S+ to ([a-z]+)\))?/;

/**
 * Removes from a message what differs between clusters: the `names` of the cluster, ids, hashes, numbers and quoted
 * values. Clusters that fail for the same reason get the same string. Returns `undefined` for an empty message.
 */
export function messageCause(message: string | undefined, names: readonly string[]): string | undefined {
  const line = (message ?? "").replace(/\s+/g, " ").trim();
  if (line === "") return undefined;
  const [refused] = REFUSED_DOWNGRADE.exec(line) ?? [];
  if (refused !== undefined) return share(refused);
  const unnamed = names
    .filter(({ length }) => length >= LEAST_NAME)
    .reduce((text, name) => text.replaceAll(name, VARIES), line);
  const cause = VARYING.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), unnamed);
  return share(cause.length > MOST_CHARACTERS ? `${cause.slice(0, MOST_CHARACTERS)}${VARIES}` : cause);
}

const share = pool((cause) => cause);

/**
 * The downgrade that lifecycle-manager refused, with the channel that the cluster asks for: the status does not name that
 * channel. Returns `undefined` if it refused none.
 */
export function refusedDowngrade(cause: string | undefined): { readonly channel: string | undefined } | undefined {
  const found = REFUSED_DOWNGRADE.exec(cause ?? "");
  return found === null ? undefined : { channel: found[1] };
}
