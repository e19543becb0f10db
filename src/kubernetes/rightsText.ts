import { AS } from "./defaultRoles.ts";
import { isUnknown, type Grant } from "./rbac.ts";

/**
 * Rights for display, grouped by holder and resource:
 * `get, list on secrets; bind on rbac.authorization.k8s.io/roles; for Group a, Group b: get on pods`.
 */
export function rightsText(rights: readonly Grant[]): string {
  const byHolder = Map.groupBy(rights, ({ holder }) => holder);
  const own = byHolder.get(undefined);
  const others = [...byHolder].flatMap(([holder, held]) => (holder === undefined ? [] : [[holder, heldText(held)]]));
  return [
    ...(own === undefined ? [] : [heldText(own)]),
    ...[...Map.groupBy(others, ([, text]) => text)].map(
      ([text, some]) => `for ${some.map(([holder]) => holder).join(", ")}: ${String(text)}`,
    ),
  ].join("; ");
}

/** The rights of one holder. */
function heldText(rights: readonly Grant[]): string {
  const [ofRoles, listed] = [rights.filter(({ verb }) => verb === AS), rights.filter(({ verb }) => verb !== AS)];
  const verbs = new Map<string, Set<string>>();
  for (const right of listed) {
    const { verb, group, resource } = right;
    const target = `${group === "" ? resource : `${group}/${resource}`}${objectsText(right)}`;
    verbs.set(target, (verbs.get(target) ?? new Set()).add(verb));
  }
  return [
    ...[...verbs].map(([target, names]) => `${[...names].join(", ")} on ${target}`),
    ...ofRoles.map((right) => {
      const role = `all rights of ${right.resource}${objectsText(right)}`;
      return isUnknown(right) ? `${role}, which are unknown, since the manifest does not contain it` : role;
    }),
  ].join("; ");
}

function objectsText({ name, namespace }: Grant): string {
  return `${name === undefined ? "" : ` ${name}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
}
