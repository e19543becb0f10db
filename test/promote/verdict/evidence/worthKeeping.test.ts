import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../../src/catalogue/evidence/evidence.ts";
import type { LandscapeName, ModuleName } from "../../../../src/catalogue/names.ts";
import { lookUpAtHead } from "../../../../src/catalogue/lookup.ts";
import { specHash } from "../../../../src/catalogue/template.ts";
import type { ModuleVersion } from "../../../../src/catalogue/version.ts";
import { worthKeeping } from "../../../../src/promote/verdict/evidence/worthKeeping.ts";
import { catalogueOf, channelTemplate, SETTINGS } from "../../../catalogue/repository.ts";

const OPEN = "format: 1\nlandscapes: [dev, prod]\n";
const POLICY = `${OPEN}follows: fast
promotion:
  exposure: { clusters: 10, healthyHours: 48 }
  health: { notWorseBy: 5% }
`;
/** Regular serves 1.0.0, and fast 1.1.0. */
const STEP = {
  "kyma-modules.yaml": SETTINGS,
  "channels/fast.yaml": OPEN,
  "channels/regular.yaml": POLICY,
  "channels/fast/keda.yaml": channelTemplate("fast", "keda", "1.1.0"),
  "channels/regular/keda.yaml": channelTemplate("regular", "keda", "1.0.0"),
};
const NOW_MS = Date.parse("2026-11-21T12:00:00Z");
const HOUR_MS = 3_600_000;

interface Observed {
  readonly atMs?: number;
  readonly landscape?: string;
  readonly version?: string;
}

/** The observations of keda on a landscape: exposure, health and since when it is served. */
function seen(
  clusters: number,
  healthyHours: number,
  { atMs = NOW_MS, landscape = "dev", version = "1.1.0", healthy = clusters }: Observed & { healthy?: number } = {},
): readonly Evidence[] {
  const template = lookUpAtHead(catalogueOf(STEP), "keda" as ModuleName, version as ModuleVersion);
  const base = {
    ...{ module: "keda" as ModuleName, version: version as ModuleVersion, landscape: landscape as LandscapeName },
    specHash: template === undefined ? `sha256:${"0".repeat(64)}` : specHash(template.object),
    ...{ uid: `${landscape} ${version}`, generation: 1, source: landscape },
  };
  const observedAt = new Date(atMs).toISOString();
  return [
    { ...base, kind: "exposure", observedAt, clusters, healthyHours },
    { ...base, kind: "health", observedAt, clusters, healthy },
    { ...base, kind: "served", observedAt: new Date(NOW_MS - 100 * HOUR_MS).toISOString() },
  ];
}

function kindsWorth(
  observed: readonly Evidence[],
  kept: readonly Evidence[],
  files: Readonly<Record<string, string>> = STEP,
): readonly string[] {
  return worthKeeping(observed, { kept, catalogue: catalogueOf(files), nowMs: NOW_MS }).map(({ kind }) => kind);
}

const ALL = ["exposure", "health", "served"];
const before = (hours: number, more: Observed = {}): Observed => ({ ...more, atMs: NOW_MS - hours * HOUR_MS });

describe("the selected observations of a landscape", () => {
  it("are new facts", () => {
    expect(kindsWorth(seen(1, 1), [])).toEqual(ALL);
  });

  it("are none while the sums grow without an effect on a policy", () => {
    expect(kindsWorth(seen(9, 47), seen(8, 20, before(23)))).toEqual([]);
  });

  it("are all once the demanded exposure is reached, with that of other landscapes", () => {
    expect(kindsWorth(seen(10, 48), seen(9, 47, before(1)))).toEqual(ALL);
    const others = seen(4, 30, before(1, { landscape: "prod" }));
    expect(kindsWorth(seen(6, 18), [...seen(6, 17, before(1)), ...others])).toEqual(ALL);
  });

  it("are all once the health of the version becomes worse than before, or recovers", () => {
    const replaced = seen(20, 90, before(1, { version: "1.0.0" }));
    const well = seen(20, 90, before(1));
    const badly = seen(20, 90, { healthy: 15, ...before(1) });

    expect(kindsWorth(seen(20, 91, { healthy: 19 }), [...replaced, ...well])).toEqual([]);
    expect(kindsWorth(seen(20, 91, { healthy: 15 }), [...replaced, ...well])).toEqual(ALL);
    expect(kindsWorth(seen(20, 91), [...replaced, ...badly])).toEqual(ALL);
  });

  it("are figures that are a day old, but not the start of service again", () => {
    expect(kindsWorth(seen(9, 47), seen(8, 20, before(24)))).toEqual(["exposure", "health"]);
  });

  it("are the start of service again if only the new one names its commit", () => {
    const naming = (all: readonly Evidence[]): readonly Evidence[] =>
      all.map((one) => (one.kind === "served" ? { ...one, commit: "a".repeat(40) } : one));
    const [plain, named] = [seen(9, 47), naming(seen(9, 47))];

    expect(kindsWorth(named, plain)).toEqual(["served"]);
    expect([kindsWorth(named, named), kindsWorth(plain, named)]).toEqual([[], []]);
  });

  it("are not suppressed by an observation dated next year", () => {
    expect(kindsWorth(seen(9, 47), seen(8, 20, before(-9_000)))).toEqual(["exposure", "health"]);
  });

  it("are daily figures without a policy: no following channel, or a removed content", () => {
    const { "channels/fast.yaml": fast, "channels/fast/keda.yaml": keda, "kyma-modules.yaml": settings } = STEP;
    const alone = { "kyma-modules.yaml": settings, "channels/fast.yaml": fast, "channels/fast/keda.yaml": keda };

    expect(kindsWorth(seen(10, 48), seen(9, 47, before(1)), alone)).toEqual([]);
    const gone = { version: "1.2.0" };
    expect(kindsWorth(seen(10, 48, gone), seen(9, 47, before(1, gone)))).toEqual([]);
  });

  it("include the exposure of a first version if the channel does not serve the module", () => {
    const { "channels/regular/keda.yaml": _, ...first } = STEP;

    expect(kindsWorth(seen(10, 48), seen(9, 47, before(1)), first)).toEqual(ALL);
  });
});
