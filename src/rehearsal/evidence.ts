import type { Catalogue } from "../catalogue/catalogue.ts";
import { SMOKE_STEPS, type Evidence, type ObservedPath } from "../catalogue/evidence/evidence.ts";
import type { LandscapeName } from "../catalogue/names.ts";
import { specHash, type Template } from "../catalogue/template.ts";
import { compareVersions } from "../catalogue/version.ts";

/** The clusters with a version, and how many of them are healthy. */
export interface RehearsedHealth {
  readonly clusters: number;
  readonly healthy: number;
}

const KUBERNETES = "1.36.0";

/** A passed smoke test for each served version: its install, and its upgrade from each lower version. */
export function rehearsedSmoke(catalogue: Catalogue, nowMs: number): readonly Evidence[] {
  const served = catalogueContents(catalogue);
  return served.map((template) => {
    const { module, version } = template;
    const lower = served.filter((one) => one.module === module && compareVersions(one.version, version) < 0);
    return {
      ...{ kind: "smoke", module, version, specHash: specHash(template.object), kubernetes: KUBERNETES },
      paths: [
        INSTALL,
        ...lower.map((from) => ({ ...UPGRADE, from: from.version, fromSpecHash: specHash(from.object) })),
      ],
      ...{ observedAt: new Date(nowMs).toISOString(), source: "a rehearsed smoke test" },
    };
  });
}

const checked = { pods: true, failed: [], notChecked: [] } as const;
const INSTALL: ObservedPath = {
  ...checked,
  passed: SMOKE_STEPS.filter((step) => step !== "upgrade" && step !== "served"),
};
const UPGRADE: ObservedPath = { ...checked, passed: SMOKE_STEPS.filter((step) => step !== "dependencies") };

/** Health evidence of a landscape for each served version. `healthOf` returns the health of a version of a module. */
export function rehearsedHealth(
  catalogue: Catalogue,
  landscape: LandscapeName,
  healthOf: (module: string, version: string) => RehearsedHealth,
  nowMs: number,
): readonly Evidence[] {
  return catalogueContents(catalogue).map(({ module, version, object }) => ({
    ...{ kind: "health", module, version, landscape, specHash: specHash(object), ...healthOf(module, version) },
    ...{ observedAt: new Date(nowMs).toISOString(), source: `the rehearsed clusters of ${landscape}` },
  }));
}

/** Each version once: if channels serve it with different contents, the first one counts. */
function catalogueContents({ channels }: Catalogue): readonly Template[] {
  const templates = [...channels.values()].flatMap((channel) =>
    channel.kind === "release" ? [...channel.templates.values()] : [],
  );
  return [...new Map(templates.toReversed().map((one) => [`${one.module}@${one.version}`, one])).values()];
}
