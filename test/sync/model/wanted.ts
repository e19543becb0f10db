import type { Catalogue } from "../../../src/catalogue/catalogue.ts";
import type { Generation } from "../../../src/catalogue/settings.ts";
import { catalogueOf, type Sample, type TemplateSpec } from "../catalogueFiles.ts";
import { BETA_VERSION, MODULES, SELECTOR, VERSIONS, type DescriptorOf, type Wanted } from "./actions.ts";

/** The soak in the earlier landscape. Milliseconds. */
export const SOAK_MS = 3_600_000;

/** The catalogue for a wanted state. */
export function catalogueOfWanted(wanted: Wanted, generation: Generation, descriptorOf: DescriptorOf): Catalogue {
  return catalogueOf(sampleOf(wanted, generation, descriptorOf));
}

function sampleOf(wanted: Wanted, lifecycleManager: Generation, descriptorOf: DescriptorOf): Sample {
  const { fast, regular, mandatory, isFlipped, isSelective, component, held } = wanted;
  const specOf = (module: string, version: string): TemplateSpec => ({
    // No default CR, because its definition is not installed.
    data: undefined,
    descriptor: descriptorOf(module, version),
    ...(module === "istio" && version === BETA_VERSION && { labels: { "operator.kyma-project.io/beta": "true" } }),
  });
  const serve = (module: string, version: string | undefined): Record<string, TemplateSpec> =>
    version === undefined ? {} : { [module]: { version, ...specOf(module, version) } };
  const all = MODULES.flatMap((module) =>
    VERSIONS.map((version) => [`${module}/${version}`, specOf(module, version)] as const),
  );
  const after = { landscape: "elsewhere", soak: `${SOAK_MS / 3_600_000}h` };
  const landscape = { namespace: "kcp-system", lifecycleManager };
  return {
    channels: {
      fast: isFlipped ? {} : serve("istio", fast),
      regular: isFlipped ? {} : serve("istio", regular),
      must: { ...serve("audit", mandatory), ...(isFlipped && serve("istio", fast ?? "1.0.0")) },
    },
    mandatory: ["must"],
    everywhere: ["fast", "regular"],
    versions: Object.fromEntries(all),
    modules: { istio: { ocmComponentName: component, ...(isSelective && { kymaSelector: SELECTOR }) } },
    holds: held === undefined ? {} : { istio: [holdOn(held)] },
    settings: {
      landscapes: [
        { name: "elsewhere", controlPlane: { context: "elsewhere" }, ...landscape },
        { name: "dev", controlPlane: { context: "dev" }, ...landscape, after },
      ],
    },
  };
}

function holdOn(version: string): object {
  return { version, reason: "it leaks", by: "someone", since: "2026-05-01T00:00:00Z" };
}
