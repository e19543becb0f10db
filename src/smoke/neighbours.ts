import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { RequiredApi } from "../catalogue/policy.ts";
import { specHash } from "../catalogue/template.ts";
import { textAt } from "../document/fields.ts";
import { isDefinition } from "./apply.ts";
import type { ModuleContent, NoContent } from "./content.ts";
import type { SmokePath, SmokeVersion } from "./path.ts";
import type { Neighbour } from "./step.ts";

/** A version of another module that the tried one may need, or that may need the tried one. */
type PossibleNeighbour = Pick<Neighbour, "role" | "version" | "isInSameChannel" | "requires">;

/**
 * The versions of other modules that channels offer: of every module if this one requires APIs, since any may provide
 * them, and of modules that themselves require APIs. Their manifests decide later.
 */
export function possibleNeighbours(
  { module, channels: own }: Pick<SmokePath, "module" | "channels">,
  { channels, modules }: Catalogue,
): readonly PossibleNeighbour[] {
  const requiredBy = (name: ModuleName): readonly RequiredApi[] => modules.get(name)?.says.requires ?? [];
  const offers = [...channels.values()].flatMap(({ name, templates }) =>
    [...templates.values()].map((template) => ({
      version: { version: template.version, specHash: specHash(template.object), template },
      isInSameChannel: own.includes(name),
      requires: requiredBy(template.module),
    })),
  );
  const others = offers.filter(({ version: { template } }) => template.module !== module);
  return [
    ...others.filter(() => requiredBy(module).length > 0).map((offer) => ({ role: "provider" as const, ...offer })),
    ...others.filter(({ requires }) => requires.length > 0).map((offer) => ({ role: "consumer" as const, ...offer })),
  ];
}

/** Every version of a module that channels serve. */
export function servedVersions(module: ModuleName, catalogues: readonly Catalogue[]): readonly SmokeVersion[] {
  const templates = catalogues
    .flatMap(({ channels }) => [...channels.values()])
    .flatMap((channel) => channel.templates.get(module) ?? []);
  return templates.map((template) => ({ version: template.version, specHash: specHash(template.object), template }));
}

/**
 * A version that is tried: the APIs that it requires, and the contents that define what it, or an earlier version,
 * serves.
 */
interface TriedVersion {
  readonly requires: readonly RequiredApi[];
  /** Its content, and those of the versions in service: clusters have consumers of what they define. */
  readonly contents: readonly (ModuleContent | NoContent)[];
}

/**
 * The neighbours among `possible`, each content once: a provider defines a kind that the module requires, a consumer
 * requires one that the module defines or defined. A version without content stays as long as it may be a neighbour.
 */
export function versionNeighbours(
  { requires, contents }: TriedVersion,
  possible: readonly (PossibleNeighbour & Pick<Neighbour, "content">)[],
): readonly Neighbour[] {
  const all = possible.map((one) => {
    const [consumer, provider] = one.role === "provider" ? [requires, [one.content]] : [one.requires, contents];
    const defined = new Set(provider.flatMap(definedKinds));
    return { ...one, needs: consumer.filter(({ group, kind }) => defined.has(`${group}/${kind}`)) };
  });
  const provided = all.filter(({ role }) => role === "provider").flatMap(({ needs }) => needs);
  const isUnmet = requires.some((api) => !provided.includes(api));
  const neighbours = all.filter(
    ({ role, content, needs }) => needs.length > 0 || (isUnmet && role === "provider" && "said" in content),
  );
  // The channel of the tried version comes last, so that it wins over another one with the same content.
  const sorted = neighbours.toSorted((a, b) => Number(a.isInSameChannel) - Number(b.isInSameChannel));
  return [...new Map(sorted.map((one) => [neighbourKey(one), one])).values()];
}

function neighbourKey({ role, version: { version, template }, content }: Neighbour): string {
  return JSON.stringify([role, template.module, version, "said" in content ? content.said : content.digest]);
}

function definedKinds(content: ModuleContent | NoContent): readonly string[] {
  if ("said" in content) return [];
  return content.objects.filter(isDefinition).map((definition) => {
    const [group, kind] = [textAt(definition, ["spec", "group"]), textAt(definition, ["spec", "names", "kind"])];
    return `${group ?? ""}/${kind ?? ""}`;
  });
}
