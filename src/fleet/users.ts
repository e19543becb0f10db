import { oncePerWith } from "../document/once.ts";
import { compareText } from "../document/order.ts";

/** One cluster's use of one module, from its Kyma and Manifest. The row is compact: a fleet has fifty thousand. */
export interface ModuleUser {
  /** `Kyma a`, or `Manifest m` if no Kyma mentions the module. */
  readonly name: string;
  /** The Kyma of the cluster; `undefined` for a Manifest that names none, or a deleted one: it is no cluster. */
  readonly kyma: string | undefined;
  /**
   * The channels that the Kyma chose the module from, by spec and status. `every` if that is unknown: a module that is
   * neither Ready nor Processing may have moved to another channel, which its status does not name.
   */
  readonly channels: readonly string[] | "every";
  /** The version in the status; `undefined`: lifecycle-manager would install any version, also a lower one. */
  readonly version: string | undefined;
  /** The highest version that a Manifest installs, or `UNKNOWN_VERSION`; `undefined` if nothing is installed. */
  readonly installed: string | undefined;
  readonly condition: ModuleCondition;
}

/** Stands for an installed version that is unknown. It cannot be compared, so it counts as higher than any other. */
export const UNKNOWN_VERSION = "an unknown version";

/** The condition of a module on one cluster. */
export interface ModuleCondition {
  /** The channels that the Kyma names; empty for a Manifest without a Kyma. */
  readonly channels: readonly string[];
  /** The state of the module, as lifecycle-manager reports it. */
  readonly state: string | undefined;
  /** When it entered that state with that version, if observed; otherwise as its condition says. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** Why lifecycle-manager does not reconcile it; `undefined` if it does. */
  readonly leftOut: LeftOut | undefined;
  /** Whether another version waits for a maintenance window. */
  readonly isWaiting: boolean;
  /** Why it is not Ready, as `causeOf` returns it. */
  readonly cause: string | undefined;
}

/** Why lifecycle-manager does not reconcile a module: the state Unmanaged, a deletion, or the label skip-reconciliation. */
export type LeftOut = "unmanaged" | "deleting" | "skipped";

/** The users of modules and templates, or why they are unknown. */
export type Users =
  | {
      readonly kind: "known";
      /** By module. */
      readonly modules: ReadonlyMap<string, readonly ModuleUser[]>;
      /** The users of a template, by its name. */
      readonly templates: ReadonlyMap<string, Named>;
      /** The Manifests that name no module: each may be of any module. */
      readonly unnamed: readonly ModuleUser[];
      /** The names of all Kymas. */
      readonly kymas: ReadonlySet<string>;
      /** The Kymas that lifecycle-manager does not reconcile, by name. */
      readonly leftOut: ReadonlySet<string>;
      /** The region in the label of a Kyma, by the Kyma's name. */
      readonly regions: ReadonlyMap<string, string>;
    }
  | { readonly kind: "unknown"; readonly because: string };

/** Known users. */
export type KnownUsers = Extract<Users, { readonly kind: "known" }>;

/** The number of some users, and the names of the first few. */
export interface Named {
  readonly count: number;
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/** No users: the value for a control plane without the kinds of lifecycle-manager. */
export const NO_USERS: KnownUsers = {
  kind: "known",
  modules: new Map(),
  templates: new Map(),
  unnamed: [],
  kymas: new Set(),
  leftOut: new Set(),
  regions: new Map(),
};

/** The users of a module that is for every cluster: also the reconciled Kymas that have no Manifest of it. Cached. */
export const usersEverywhere: (users: KnownUsers, module: string) => readonly ModuleUser[] = oncePerWith(
  withAbsent,
  (module) => module,
);

function withAbsent({ modules, kymas, leftOut }: KnownUsers, module: string): readonly ModuleUser[] {
  const rows = modules.get(module) ?? [];
  const having = new Set(rows.map(({ kyma }) => kyma));
  const others = [...kymas].filter((name) => !having.has(name) && !leftOut.has(name));
  return [...rows, ...others.map(absentRow)];
}

function absentRow(kyma: string): ModuleUser {
  const nothing = { channels: [], version: undefined, installed: undefined };
  return { name: `Kyma ${kyma}`, kyma, ...nothing, condition: ABSENT };
}

const ABSENT: ModuleCondition = {
  ...{ channels: [], state: undefined, sinceMs: undefined },
  ...{ leftOut: undefined, isWaiting: false, cause: undefined },
};

/** Counts users, and names the first few. Names are sorted, so that two runs print the same. */
export function named(users: readonly Pick<ModuleUser, "name">[]): Named {
  return nameSome(users.map(({ name }) => name));
}

/** The same as `named`, for names. */
export function nameSome(names: readonly string[]): Named {
  return { count: names.length, examples: names.toSorted(compareText).slice(0, EXAMPLES) };
}

/** Users as text: `3 users (Kyma a, Kyma b, Manifest c)`. */
export function describeUsers({ count, examples }: Named): string {
  const more = count > examples.length ? ", …" : "";
  return `${count} ${count === 1 ? "user" : "users"} (${examples.join(", ")}${more})`;
}

/** Whether and how a template of a module is in use, as text; `undefined` if it is not. */
export function templateUse(template: string, module: string, users: KnownUsers): string | undefined {
  const found = users.templates.get(template);
  if (found !== undefined) return `still in use: ${describeUsers(found)}`;
  const unsure = (users.modules.get(module) ?? []).filter(({ installed }) => installed === UNKNOWN_VERSION);
  const possible = named([...users.unnamed, ...unsure]);
  return possible.count === 0 ? undefined : `may be in use, since Manifests do not say: ${describeUsers(possible)}`;
}

/** Whether no Kyma mentions the module: the user is a Manifest alone. */
export function isStray({ name }: Pick<ModuleUser, "name">): boolean {
  return name.startsWith("Manifest ");
}

/** How a module is enabled: a mandatory one is in no status, so that only Manifests name its version. */
interface Enabling {
  readonly mandatory: boolean;
}

/** The version that a cluster runs: the one in the status, or the one in the Manifest if the status has none. */
export function versionOn({ installed, version }: ModuleUser, { mandatory }: Enabling): string | undefined {
  return mandatory ? installed : (version ?? installed);
}

/** Whether the status no longer has the version that is installed: lifecycle-manager would install any other one. */
export function isForgotten({ installed, version }: ModuleUser, { mandatory }: Enabling): boolean {
  return !mandatory && version === undefined && installed !== undefined;
}
