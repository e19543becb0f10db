import { pool } from "./pool.ts";

/** Stands for what differs from cluster to cluster. */
const VARIES = "…";

/** In this order: what is quoted may hold anything. An API version, such as v1beta2, is none of them. */
const VARYING: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/g, `"${VARIES}"`],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, VARIES],
  [/\b(?!v\d+(?:(?:alpha|beta)\d+)?\b)[a-z0-9]*\d[a-z0-9]*/gi, VARIES],
  // The end of a pod's name may hold no digit.
  [/(?<=…-)[bcdfghjklmnpqrstvwxz]{5}\b/g, VARIES],
  [/…(?:[.:/_+-]+…)+/g, VARIES],
];

/** A name shorter than that may stand in other words. */
const LEAST_NAME = 4;
/** The longest cause that is kept, in characters. A message may have 32,768. */
const MOST_CHARACTERS = 300;

/** Source: lifecycle-manager, pkg/templatelookup; from 0.x on, with the channels. */
const REFUSED_DOWNGRADE = /ignore channel skew(?: \(from \S+ to ([a-z]+)\))?/;

/**
 * What a message says without what differs from cluster to cluster: `names` of the cluster, ids, hashes, numbers and
 * quoted values. Clusters that fail for one reason have the same cause, and share its text. `undefined`: it says nothing.
 */
export function causeOf(message: string | undefined, names: readonly string[]): string | undefined {
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
 * What lifecycle-manager wanted to lower, and did not: the channel that the cluster asks for, which the status does not
 * name. `undefined`: it refused no downgrade.
 */
export function refusedDowngrade(cause: string | undefined): { readonly channel: string | undefined } | undefined {
  const found = REFUSED_DOWNGRADE.exec(cause ?? "");
  return found === null ? undefined : { channel: found[1] };
}
