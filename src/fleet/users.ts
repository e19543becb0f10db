import { compareText } from "../document/order.ts";

/** One cluster's use of one module, as Kyma and Manifest say: a compact row, since a fleet has fifty thousand. */
export interface ModuleUser {
  /** `Kyma a`, or `Manifest m` where no Kyma says anything of the module. */
  readonly name: string;
  /** The Kyma that it is of; `undefined`: the Manifest names none. */
  readonly kyma: string | undefined;
  /**
   * The channels that the Kyma chose the module from, by spec and status. `every` where that is unknown: a module that is
   * neither Ready nor Processing may have been moved to another channel, which its status does not say.
   */
  readonly channels: readonly string[] | "every";
  /** The version that the status says; `undefined`: lifecycle-manager would install any, also a lower one. */
  readonly version: string | undefined;
  /** The template that the status names. */
  readonly template: string | undefined;
  /** The highest version that a Manifest installs; `undefined`: nothing is installed. */
  readonly installed: string | undefined;
  readonly condition: ModuleCondition;
}

/** How a module fares on one cluster. */
export interface ModuleCondition {
  /** The channels that the Kyma names; none for a Manifest by itself. */
  readonly channels: readonly string[];
  /** The state of the module, as lifecycle-manager says it. */
  readonly state: string | undefined;
  /** Since when it is in that state with that version, where someone watched; else by its condition. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** What keeps lifecycle-manager from looking after it; `undefined`: nothing. */
  readonly leftOut: LeftOut | undefined;
  /** Whether another version waits for a maintenance window. */
  readonly isWaiting: boolean;
  /** Why it is not Ready, as `causeOf` gives it. */
  readonly cause: string | undefined;
}

/** What lifecycle-manager does not look after: by the state Unmanaged, by a deletion, by the label skip-reconciliation. */
export type LeftOut = "unmanaged" | "deleting" | "skipped";

/** Who uses what, or why that is not known. */
export type Users =
  | {
      readonly kind: "known";
      /** By module. */
      readonly modules: ReadonlyMap<string, readonly ModuleUser[]>;
      /** Who refers to a template, by its name. */
      readonly templates: ReadonlyMap<string, Named>;
      /** How many Kymas there are. */
      readonly kymas: number;
      /** The region that the label of a Kyma names, by the Kyma's name. */
      readonly regions: ReadonlyMap<string, string>;
    }
  | { readonly kind: "unknown"; readonly because: string };

/** Users that are known. */
export type KnownUsers = Extract<Users, { readonly kind: "known" }>;

/** Some users: how many, and the first few by name. */
export interface Named {
  readonly count: number;
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/** Nobody: what a control plane has that does not know lifecycle-manager's kinds. */
export const NO_USERS: KnownUsers = {
  kind: "known",
  modules: new Map(),
  templates: new Map(),
  kymas: 0,
  regions: new Map(),
};

/** Some users by count and first names; names in order, so that two runs say the same. */
export function named(users: readonly Pick<ModuleUser, "name">[]): Named {
  return nameSome(users.map(({ name }) => name));
}

/** The same, of names. */
export function nameSome(names: readonly string[]): Named {
  return { count: names.length, examples: names.toSorted(compareText).slice(0, EXAMPLES) };
}

/** Users in a sentence: `3 users (Kyma a, Kyma b, Manifest c)`. */
export function describeUsers({ count, examples }: Named): string {
  const more = count > examples.length ? ", …" : "";
  return `${count} ${count === 1 ? "user" : "users"} (${examples.join(", ")}${more})`;
}
