import { compareText } from "../../document/order.ts";
import { clustersOf, type ClusterRow, type FleetInput } from "./clusters.ts";

/** One cluster, with all modules that it uses. */
export interface ClusterView {
  readonly name: string;
  readonly region: string | undefined;
  /** By name. */
  readonly modules: readonly ClusterModule[];
}

/** A module on one cluster. */
export interface ClusterModule extends ClusterRow {
  readonly module: string;
  readonly mandatory: boolean;
}

/** What a cluster has of every module; `undefined`: no Kyma or Manifest of that name uses any. */
export function clusterView(name: string, input: FleetInput): ClusterView | undefined {
  const { modules, regions } = input.users;
  const uses = [...modules].flatMap(([module, users]) => {
    const own = users.filter((user) => (user.kyma ?? user.name) === name);
    const only = { ...input, users: { ...input.users, modules: new Map([[module, own]]) } };
    return clustersOf(module, only).map((row) => ({ ...row, module, mandatory: isMandatory(module, input) }));
  });
  if (uses.length === 0) return undefined;
  return { name, region: regions.get(name), modules: uses.toSorted((a, b) => compareText(a.module, b.module)) };
}

function isMandatory(module: string, { entries }: FleetInput): boolean {
  return entries.some((entry) => entry.module === module && entry.mandatory);
}
