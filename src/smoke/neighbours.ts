import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ModuleName } from "../catalogue/names.ts";
import { specHash, type Template } from "../catalogue/template.ts";
import { textAt } from "../document/fields.ts";
import { isDefinition } from "./apply.ts";
import type { ModuleContent, NoContent } from "./content.ts";
import type { SmokeVersion } from "./path.ts";
import type { Neighbour } from "./step.ts";

/** Another version that the tried one may need, or may be needed by. */
export interface PossibleNeighbour {
  readonly role: Neighbour["role"];
  readonly version: SmokeVersion;
}

/**
 * The versions that channels offer beside a module: of every module if it requires APIs, since any may provide them,
 * and of those modules that require APIs themselves. What a manifest defines decides then.
 */
export function possibleNeighbours(module: ModuleName, { channels, modules }: Catalogue): readonly PossibleNeighbour[] {
  const requires = (name: ModuleName): boolean => (modules.get(name)?.says.requires ?? []).length > 0;
  const others = [...channels.values()].flatMap(({ templates }) =>
    [...templates.values()].filter((template) => template.module !== module),
  );
  const providers = requires(module) ? others.map(asRole("provider")) : [];
  const consumers = others.filter((template) => requires(template.module)).map(asRole("consumer"));
  const all = [...providers, ...consumers];
  return [
    ...new Map(
      all.map((one) => [
        JSON.stringify([one.role, one.version.template.module, one.version.version, one.version.specHash]),
        one,
      ]),
    ).values(),
  ];
}

function asRole(role: Neighbour["role"]): (template: Template) => PossibleNeighbour {
  return (template) => ({
    role,
    version: { version: template.version, specHash: specHash(template.object), template },
  });
}

/** The neighbours among `possible`: a provider defines a kind that the module requires, a consumer requires one of its own. */
export function neighboursOf(
  own: ModuleContent,
  possible: readonly { readonly role: Neighbour["role"]; readonly content: ModuleContent | NoContent }[],
  { modules }: Catalogue,
): readonly Neighbour[] {
  const needs = (consumer: ModuleContent, provider: ModuleContent): boolean => {
    const required = modules.get(consumer.version.template.module)?.says.requires ?? [];
    const defined = new Set(provider.objects.filter(isDefinition).map(definedKind));
    return required.some(({ group, kind }) => defined.has(`${group}/${kind}`));
  };
  return possible.flatMap(({ role, content }) => {
    if ("said" in content) return [];
    const isOne = role === "provider" ? needs(own, content) : needs(content, own);
    return isOne ? [{ role, content }] : [];
  });
}

function definedKind(definition: object): string {
  return `${textAt(definition, ["spec", "group"]) ?? ""}/${textAt(definition, ["spec", "names", "kind"]) ?? ""}`;
}
