import { compareText } from "../document/order.ts";
import { MODULE_LABEL } from "../catalogue/template.ts";
import { compareVersions, parseVersion } from "../catalogue/version.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";

/** One cluster's use of one module, as Kyma and Manifest say: a compact row, since a fleet has fifty thousand. */
export interface ModuleUser {
  /** `Kyma a`, or `Manifest m` where no Kyma says anything of the module. */
  readonly name: string;
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
}

/** Who uses what, or why that is not known. */
export type Users =
  | {
      readonly kind: "known";
      /** By module. */
      readonly modules: ReadonlyMap<string, readonly ModuleUser[]>;
      /** Who refers to a template, by its name. */
      readonly templates: ReadonlyMap<string, Named>;
    }
  | { readonly kind: "unknown"; readonly because: string };

/** Some users: how many, and the first few by name. */
export interface Named {
  readonly count: number;
  readonly examples: readonly string[];
}

const CHANNEL_LABEL = "operator.kyma-project.io/channel";
const KYMA_LABEL = "operator.kyma-project.io/kyma-name";
const EXAMPLES = 3;
/** The states in which the status names the channel that the Kyma wants. */
const SETTLED = new Set<unknown>(["Ready", "Processing"]);

/** Nobody: what a control plane has that does not know lifecycle-manager's kinds. */
export const NO_USERS: Users = { kind: "known", modules: new Map(), templates: new Map() };

/** A row that is being collected. */
type Collected = { -readonly [Key in keyof ModuleUser]: ModuleUser[Key] };

/**
 * Collects users page by page, so that no page has to be kept: a fleet's Kymas are a hundred megabytes. All Kymas come
 * before all Manifests.
 */
export class UserCollector {
  readonly #modules = new Map<string, Collected[]>();
  readonly #byKyma = new Map<string, Collected>();
  readonly #templates = new Map<string, Named>();

  /** What a Kyma chose, and what its status says that it runs. */
  addKyma(kyma: KubernetesObject): void {
    const name = `Kyma ${kyma.metadata.name}`;
    const chosen = chosenChannels(kyma);
    const modules = recordsAt(kyma["status"], "modules");
    const states = new Map(modules.map((state) => [text(state["name"]), state]));
    for (const template of new Set(modules.map(templateIn))) if (template !== undefined) this.#refer(template, name);
    for (const module of new Set([...chosen.keys(), ...states.keys()])) {
      if (module === undefined) continue;
      const row = rowOf(name, chosen.get(module), states.get(module));
      this.#add(module, row);
      this.#byKyma.set(`${kyma.metadata.name}/${module}`, row);
    }
  }

  /** A Manifest names no template, but its module and version; up to lifecycle-manager 1.7 the channel does. */
  addManifest(manifest: KubernetesObject): void {
    const { name, labels } = manifest.metadata;
    const module = labels?.[MODULE_LABEL];
    if (module === undefined) return;
    const version = text(at(manifest["spec"], "version"));
    const row = this.#byKyma.get(`${labels?.[KYMA_LABEL] ?? ""}/${module}`) ?? this.#add(module, strayRow(name));
    row.installed = higher(row.installed, version);
    for (const suffix of [version, labels?.[CHANNEL_LABEL]])
      if (suffix !== undefined) this.#refer(`${module}-${suffix}`, `Manifest ${name}`);
  }

  /** All that was collected. */
  collected(): Users {
    return { kind: "known", modules: this.#modules, templates: this.#templates };
  }

  #add(module: string, row: Collected): Collected {
    const rows = this.#modules.get(module);
    if (rows === undefined) this.#modules.set(module, [row]);
    else rows.push(row);
    return row;
  }

  #refer(template: string, user: string): void {
    const { count, examples } = this.#templates.get(template) ?? { count: 0, examples: [] };
    this.#templates.set(template, {
      count: count + 1,
      examples: examples.length < EXAMPLES ? [...examples, user] : examples,
    });
  }
}

/** Some users by count and first names; names in order, so that two runs say the same. */
export function named(users: readonly ModuleUser[]): Named {
  const examples = users
    .map(({ name }) => name)
    .sort(compareText)
    .slice(0, EXAMPLES);
  return { count: users.length, examples };
}

/** Users in a sentence: `3 users (Kyma a, Kyma b, Manifest c)`. */
export function describeUsers({ count, examples }: Named): string {
  const more = count > examples.length ? ", …" : "";
  return `${count} ${count === 1 ? "user" : "users"} (${examples.join(", ")}${more})`;
}

/** Module to channel, as far as the Kyma's spec says; on most control planes modules are enabled elsewhere. */
function chosenChannels(kyma: KubernetesObject): ReadonlyMap<string, string | undefined> {
  const fallback = text(at(kyma["spec"], "channel"));
  return new Map(
    recordsAt(kyma["spec"], "modules").flatMap((module) => {
      const name = text(module["name"]);
      return name === undefined ? [] : [[name, text(module["channel"]) ?? fallback]];
    }),
  );
}

type KymaFields = Readonly<Record<string, unknown>>;

function rowOf(name: string, chosen: string | undefined, state: KymaFields | undefined): Collected {
  const channels = [...new Set([chosen, text(state?.["channel"])])].filter((channel) => channel !== undefined);
  const isClear = channels.length > 0 && (state === undefined || SETTLED.has(state["state"]));
  return {
    name,
    channels: isClear ? channels : "every",
    version: text(state?.["version"]),
    template: state && templateIn(state),
    installed: undefined,
  };
}

function templateIn(state: KymaFields): string | undefined {
  return text(at(at(state["template"], "metadata"), "name"));
}

/** What is installed although no Kyma says anything of it. */
function strayRow(manifest: string): Collected {
  return {
    name: `Manifest ${manifest}`,
    channels: "every",
    version: undefined,
    template: undefined,
    installed: undefined,
  };
}

/** What is not a version counts as the higher one: it is not known to be low. */
function higher(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left === undefined || right === undefined) return left === undefined ? a : b;
  return compareVersions(left, right) < 0 ? b : a;
}

function recordsAt(value: unknown, key: string): readonly KymaFields[] {
  const found = at(value, key);
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function isRecord(value: unknown): value is KymaFields {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
