import { MODULE_LABEL } from "../catalogue/template.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";

/** Who refers to something: how many, and the first few by name. */
export interface Users {
  readonly count: number;
  readonly examples: readonly string[];
}

/** What Kymas and Manifests refer to, or why nobody can tell. */
export type References =
  | {
      readonly kind: "known";
      /** By the name of the template. */
      readonly templates: ReadonlyMap<string, Users>;
      /** By module, and by `<module>/<channel>`. */
      readonly modules: ReadonlyMap<string, Users>;
    }
  | { readonly kind: "unknown"; readonly because: string };

const CHANNEL_LABEL = "operator.kyma-project.io/channel";
const EXAMPLES = 3;

/** Collects references page by page, so that no page has to be kept: a fleet's Kymas are a hundred megabytes. */
export class ReferenceCollector {
  readonly #templates = new Map<string, Users>();
  readonly #modules = new Map<string, Users>();

  /** A Kyma refers to what its status says that it runs. */
  addKyma(kyma: KubernetesObject): void {
    const user = `Kyma ${kyma.metadata.name}`;
    for (const module of statusModules(kyma)) {
      const name = text(module["name"]);
      const template = text(at(at(module["template"], "metadata"), "name"));
      if (template !== undefined) count(this.#templates, template, user);
      if (name === undefined) continue;
      count(this.#modules, name, user);
      const channel = text(module["channel"]);
      if (channel !== undefined) count(this.#modules, `${name}/${channel}`, user);
    }
  }

  /** A Manifest names no template, but its module and version; up to lifecycle-manager 1.7 the channel does. */
  addManifest(manifest: KubernetesObject): void {
    const user = `Manifest ${manifest.metadata.name}`;
    const module = manifest.metadata.labels?.[MODULE_LABEL];
    if (module === undefined) return;
    count(this.#modules, module, user);
    for (const suffix of [text(at(manifest["spec"], "version")), manifest.metadata.labels?.[CHANNEL_LABEL]]) {
      if (suffix !== undefined) count(this.#templates, `${module}-${suffix}`, user);
    }
  }

  /** What all of them refer to. */
  collected(): References {
    return { kind: "known", templates: this.#templates, modules: this.#modules };
  }
}

/** No references at all: what a control plane without lifecycle-manager's kinds has. */
export const NO_REFERENCES: References = { kind: "known", templates: new Map(), modules: new Map() };

/** Users in a sentence: `3 users (Kyma a, Kyma b, Manifest c)`. */
export function describeUsers({ count: number, examples }: Users): string {
  const more = number > examples.length ? ", …" : "";
  return `${number} ${number === 1 ? "user" : "users"} (${examples.join(", ")}${more})`;
}

function count(map: Map<string, Users>, key: string, user: string): void {
  const before = map.get(key) ?? { count: 0, examples: [] };
  const examples = before.count < EXAMPLES ? [...before.examples, user] : before.examples;
  map.set(key, { count: before.count + 1, examples });
}

function statusModules(kyma: KubernetesObject): readonly Readonly<Record<string, unknown>>[] {
  const modules = at(kyma["status"], "modules");
  return Array.isArray(modules) ? modules.filter(isRecord) : [];
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
