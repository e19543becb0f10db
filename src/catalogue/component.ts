import type { Catalogue } from "./catalogue.ts";
import type { LandscapeName, ModuleName } from "./names.ts";
import { compareText } from "../document/order.ts";
import type { RegistrySettings } from "./settings.ts";
import { templateComponent, type ModuleTemplate, type Template } from "./template.ts";
import { readDescriptor, type DescriptorReading } from "../kubernetes/ocm/descriptor.ts";
import { oncePer } from "../document/once.ts";

/** The two sides of a change. */
export interface Sides {
  readonly head: Catalogue;
  readonly base: Catalogue | undefined;
}

/**
 * The OCM component that the `module.yaml` of a module declares. The base takes precedence, so that a change cannot
 * move the module.
 */
export function declaredComponent({ base, head }: Sides, module: ModuleName): string | undefined {
  return base?.modules.get(module)?.ocmComponentName ?? head.modules.get(module)?.ocmComponentName;
}

/** The OCM component of a version: the declared one, else that of the descriptor in its template. */
export function commonComponentName(sides: Sides, template: Template): string | undefined {
  const declared = declaredComponent(sides, template.module);
  if (declared !== undefined) return declared;
  const reading = embeddedDescriptor(template);
  // A descriptor without a name has an empty one.
  return (reading.kind === "read" && reading.descriptor.name) || undefined;
}

/**
 * The OCM component of a module on each landscape that serves it, as `compile` sets it: the declared one, else that of
 * the first template that embeds a descriptor.
 */
export function compiledComponents(
  { channels, modules }: Catalogue,
  module: ModuleName,
): ReadonlyMap<LandscapeName, string | undefined> {
  const declared = modules.get(module)?.ocmComponentName;
  const components = new Map<LandscapeName, string | undefined>();
  // The first channel by name counts, whatever the order of the files.
  const byName = [...channels.values()].toSorted((a, b) => compareText(a.name, b.name));
  for (const { landscapes, templates } of byName) {
    const template = templates.get(module);
    if (template === undefined) continue;
    const name = declared ?? templateComponent(template.object).name;
    for (const landscape of landscapes) components.set(landscape, components.get(landscape) ?? name);
  }
  return components;
}

/** The registry of the base, so that a change cannot choose its own; that of the head without a base. */
export function registryThatCounts({ base, head }: Sides): RegistrySettings | undefined {
  return (base ?? head).settings.registry;
}

// Cached: several rules look at each descriptor, and reading one takes longer than all of these rules.
const readingOf = oncePer(({ spec }: ModuleTemplate) => readDescriptor(spec.descriptor));

/** The descriptor that a template embeds. */
export function embeddedDescriptor({ object }: Template): DescriptorReading {
  return readingOf(object);
}
