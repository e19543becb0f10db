import { AS, isUnknown, type Grant } from "./rbac.ts";

/** Rights for display, grouped by resource: `get, list on secrets; bind on rbac.authorization.k8s.io/roles`. */
export function rightsText(rights: readonly Grant[]): string {
  const [ofRoles, listed] = [rights.filter(({ verb }) => verb === AS), rights.filter(({ verb }) => verb !== AS)];
  const verbs = new Map<string, Set<string>>();
  for (const right of listed) {
    const { verb, group, resource } = right;
    const target = `${group === "" ? resource : `${group}/${resource}`}${objectsText(right)}${holderText(right)}`;
    verbs.set(target, (verbs.get(target) ?? new Set()).add(verb));
  }
  return [
    ...[...verbs].map(([target, names]) => `${[...names].join(", ")} on ${target}`),
    ...ofRoles.map((right) => {
      const role = `all rights of ${right.resource}${objectsText(right)}${holderText(right)}`;
      return isUnknown(right) ? `${role}, which are unknown, since the manifest does not contain it` : role;
    }),
  ].join("; ");
}

function objectsText({ name, namespace }: Grant): string {
  return `${name === undefined ? "" : ` ${name}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
}

function holderText({ holder }: Grant): string {
  return holder === undefined ? "" : ` for ${holder}`;
}
