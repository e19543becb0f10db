import { describe, expect, it } from "vitest";
import { readEvidence } from "../../src/catalogue/evidence/file.ts";
import type { LandscapeName } from "../../src/catalogue/names.ts";
import { fleetEvidence } from "../../src/fleet/fleetEvidence.ts";
import { exposureKey, type ExposureSum, type LiveContent } from "../../src/fleet/exposure.ts";
import { NO_OBSERVATIONS, parseObservations, printObservations } from "../../src/fleet/observations.ts";

const SINCE = Date.parse("2026-11-01T00:00:00Z");
const HASH = `sha256:${"a1".repeat(32)}`;
const SUM: ExposureSum = {
  ...{ module: "certs", version: "1.1.0", specHash: HASH, uid: "u", generation: 3 },
  ...{ clusters: 5, healthy: 4, healthyMs: 3_635_999, sinceMs: SINCE, observedMs: SINCE + 60_000 },
};
const TIMES = { version: "1.1.0", appliedMs: SINCE, counts: [1, 0, 2] };
const KNOWN = {
  exposure: new Map([[exposureKey(SUM), SUM]]),
  times: new Map([
    ["fast/certs", { current: TIMES, replaced: { ...TIMES, version: "1.0.0" } }],
    ["regular/certs", { current: TIMES, replaced: undefined }],
  ]),
};

describe("observations in a ConfigMap", () => {
  it("are unchanged after writing and reading", () => {
    expect(parseObservations(printObservations(KNOWN))).toEqual(KNOWN);
    expect(parseObservations(printObservations(NO_OBSERVATIONS))).toEqual(NO_OBSERVATIONS);
  });

  const printed = printObservations(KNOWN);
  it.each<[string, unknown]>([
    ["are none", undefined],
    ["are no JSON", { ...printed, exposure: "[" }],
    ["are no list of sums", { ...printed, exposure: "{}" }],
    ["are no entries", { ...printed, ready: "[]" }],
    ["lack half", { exposure: printed.exposure }],
    ["hold a sum that is none", { ...printed, exposure: "[1]" }],
    ["lack a uid", { ...printed, exposure: printed.exposure.replace('"u"', '""') }],
    ["count half a cluster", { ...printed, exposure: printed.exposure.replace('"clusters":5', '"clusters":5.5') }],
    ["count backwards", { ...printed, exposure: printed.exposure.replace('"healthy":4', '"healthy":-4') }],
    ["name no instant", { ...printed, exposure: printed.exposure.replace("2026-11-01T00:01", "soon") }],
    ["hold times that are none", { ...printed, ready: '{"fast/certs":1}' }],
    ["hold times of no version", { ...printed, ready: printed.ready.replace('"version":"1.1.0",', "") }],
    ["hold times of no apply", { ...printed, ready: printed.ready.replace("2026-11-01", "soon") }],
    ["hold counts that are none", { ...printed, ready: printed.ready.replace("[1,", '["1",') }],
    [
      "say nothing of what was replaced",
      { ...printed, ready: printed.ready.replace(/"replaced":\{[^}]*\}/, '"replaced":1') },
    ],
  ])("that %s are not trusted", (_, data) => {
    expect(parseObservations(data)).toBeUndefined();
  });
});

describe("observations as evidence", () => {
  const landscape = "dev" as LandscapeName;
  const served: LiveContent = {
    ...{
      module: "certs",
      version: "1.1.0",
      specHash: HASH,
      uid: "u",
      generation: 3,
      mandatory: false,
      deadlineMs: 600_000,
    },
    channels: [
      { channel: "regular", appliedMs: SINCE + 1, commit: "b".repeat(40) },
      { channel: "fast", appliedMs: SINCE, commit: "a".repeat(40) },
      { channel: "experimental", appliedMs: SINCE + 2 },
    ],
  };
  const evidence = fleetEvidence({ landscape, source: "x", served: [served], exposure: KNOWN.exposure });
  const about = {
    ...{ module: "certs", version: "1.1.0", specHash: HASH, landscape: "dev", uid: "u", generation: 3, source: "x" },
    observedAt: "2026-11-01T00:01:00.000Z",
  };

  it("contain since when a version is served, its exposure, rounded down, and the health of its clusters", () => {
    expect(evidence).toEqual([
      { ...about, kind: "exposure", clusters: 5, healthyHours: 1 },
      { ...about, kind: "health", clusters: 5, healthy: 4 },
      { ...about, kind: "served", observedAt: "2026-11-01T00:00:00.000Z", commit: "a".repeat(40) },
    ]);
  });

  it.each([undefined, "", "main", `${"a".repeat(40)}+dirty`])("name no commit if the record says %j", (commit) => {
    const channels = [{ channel: "fast", appliedMs: SINCE, commit }];
    const found = fleetEvidence({ landscape, source: "x", served: [{ ...served, channels }], exposure: new Map() });

    expect(found).toEqual([{ ...about, kind: "served", observedAt: "2026-11-01T00:00:00.000Z" }]);
  });

  it("count from the start of their second, as decisions do", () => {
    const late = { ...SUM, observedMs: SUM.observedMs + 999 };
    const found = fleetEvidence({ landscape, source: "x", served: [], exposure: new Map([["late", late]]) });

    expect(found.map(({ observedAt }) => observedAt)).toEqual([about.observedAt, about.observedAt]);
  });

  it("are valid in a file of evidence", () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ format: 1, evidence }));

    expect(readEvidence("evidence.json", { kind: "bytes", bytes })).toEqual({ evidence, findings: [] });
  });

  it("omit names that are not valid in the catalogue", () => {
    const odd = new Map([["odd", { ...SUM, module: "C3" }]]);

    expect(fleetEvidence({ landscape, source: "x", served: [{ ...served, version: "v1" }], exposure: odd })).toEqual(
      [],
    );
  });
});
