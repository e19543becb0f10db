import { describe, expect, it } from "vitest";
import { readEvidence } from "../../src/catalogue/evidence/file.ts";
import { MAX_FILE_BYTES } from "../../src/document/snapshot.ts";

const HASH = `sha256:${"ab".repeat(32)}`;
const HEAD = "# yaml-language-server: $schema=../schemas/evidence.schema.json\nformat: 1\nevidence:\n";

type Fields = Readonly<Record<string, unknown>>;

const COMMON: Fields = {
  module: "object-store",
  version: "0.9.1",
  specHash: HASH,
  observedAt: "2026-11-19T06:00:00Z",
  source: "fleet of prod",
};
const INSTALL = { pods: true, passed: ["manifests"], failed: [], notChecked: [] };
const UPGRADE = { ...INSTALL, from: "0.9.0", fromSpecHash: HASH };
const ran = (...paths: readonly Fields[]): Fields => ({ kind: "smoke", ...COMMON, kubernetes: "1.36.3", paths });
const SMOKE: Fields = ran(INSTALL, UPGRADE);
const SERVED: Fields = { kind: "served", ...COMMON, landscape: "prod" };
const HEALTH: Fields = { kind: "health", ...COMMON, landscape: "prod", clusters: 10, healthy: 9 };

/** A file of these observations, each property on a line of its own. */
function yaml(...observations: readonly Fields[]): string {
  const items = observations.map((one) =>
    Object.entries(one)
      .map(([key, value], index) => `${index === 0 ? "  - " : "    "}${key}: ${JSON.stringify(value)}\n`)
      .join(""),
  );
  return HEAD + items.join("");
}

const read = (text: string): ReturnType<typeof readEvidence> =>
  readEvidence("evidence.yaml", { kind: "bytes", bytes: Buffer.from(text) });

/** Findings as a person reads them. */
function said(text: string): readonly string[] {
  const { evidence, findings } = read(text);
  expect(evidence).toEqual([]);
  return findings.map(({ file, line, column, severity, rule, message, remedy }) => {
    expect([file, severity]).toEqual(["evidence.yaml", "error"]);
    return `${String(line)}:${String(column)} ${rule}: ${message} ${remedy}`;
  });
}

describe("a file of evidence", () => {
  it("gives its observations in the order of the file", () => {
    expect(read(yaml(HEALTH, SMOKE))).toEqual({ evidence: [HEALTH, SMOKE], findings: [] });
  });

  it("may be JSON", () => {
    const text = JSON.stringify({ format: 1, evidence: [SMOKE] }, undefined, 2);

    expect(readEvidence("evidence.json", { kind: "bytes", bytes: Buffer.from(text) })).toEqual({
      evidence: [SMOKE],
      findings: [],
    });
  });

  it("may be empty", () => {
    expect(read("format: 1\nevidence: []\n")).toEqual({ evidence: [], findings: [] });
  });

  it("accepts every kind", () => {
    const uid = { landscape: "prod", uid: "6e1c", generation: 3 };
    const all = [
      SMOKE,
      { kind: "served", ...COMMON, ...uid },
      { kind: "exposure", ...COMMON, ...uid, clusters: 0, healthyHours: 612.5 },
      HEALTH,
      { kind: "approval", ...COMMON, approved: false, by: "octocat" },
    ];

    expect(read(yaml(...all))).toEqual({ evidence: all, findings: [] });
  });
});

describe("a file of evidence is refused as a whole", () => {
  it("when it is too large", () => {
    expect(said(`${HEAD}#${"x".repeat(MAX_FILE_BYTES)}\n`)).toEqual([
      `1:1 file-size: The file has ${String(MAX_FILE_BYTES + HEAD.length + 2)} bytes, more than ${String(MAX_FILE_BYTES)}. ` +
        "Split it, and name each part with --evidence; leave out what newer observations replace.",
    ]);
  });

  it("when it is not YAML, at the place", () => {
    expect(said(`${HEAD}  - kind: [smoke\n`)).toEqual([expect.stringMatching(/^\d+:\d+ yaml-syntax: /)]);
    expect(said("")).toEqual([expect.stringMatching(/^1:1 yaml-documents: /)]);
  });

  it("when it is not a file of evidence", () => {
    expect(said("- 1\n")).toEqual([
      "1:1 schema: The file must be a map of properties, but is a list. Correct the value.",
    ]);
  });

  it.each<[string, Fields, string]>([
    [
      "an unknown kind",
      { ...SMOKE, kind: "smok" },
      '4:11 schema: evidence.0.kind must be one of smoke, served, exposure, health, approval, but is "smok". Write smoke.',
    ],
    ["no kind", COMMON, "4:5 schema: evidence.0 must have the property kind, but has none. Add kind."],
    [
      "a field of another kind",
      { ...SMOKE, healthy: 1 },
      '12:14 schema: evidence.0.healthy must be one of the properties kind, module, version, specHash, observedAt, source, kubernetes, paths, but is "healthy". Use one of these.',
    ],
    [
      "no result",
      { kind: "smoke", ...COMMON, kubernetes: "1.36.3" },
      "4:5 schema: evidence.0 must have the property paths, but has none. Add paths.",
    ],
    [
      "no landscape that serves",
      { kind: "served", ...COMMON },
      "4:5 schema: evidence.0 must have the property landscape, but has none. Add landscape.",
    ],
    [
      "a bad hash",
      { ...SMOKE, specHash: "sha256:AB" },
      '7:15 schema: evidence.0.specHash must be sha256: and 64 hexadecimal digits, but is "sha256:AB". Correct the value.',
    ],
    [
      "an instant without zone",
      { ...SMOKE, observedAt: "2026-11-19T06:00:00" },
      '8:17 schema: evidence.0.observedAt must be an instant with seconds and zone, such as 2026-12-18T08:30:00Z, but is "2026-11-19T06:00:00". Correct the value.',
    ],
    [
      "a day that does not exist",
      { ...SMOKE, observedAt: "2026-02-30T06:00:00Z" },
      '8:17 schema: evidence.0.observedAt must be an instant with seconds and zone, such as 2026-12-18T08:30:00Z, but is "2026-02-30T06:00:00Z". Correct the value.',
    ],
    [
      "negative clusters",
      { ...HEALTH, clusters: -1, healthy: 0 },
      "11:15 schema: evidence.0.clusters must be at least 0, but is -1. Correct the value.",
    ],
    [
      "half a cluster",
      { ...HEALTH, clusters: 1.5, healthy: 0 },
      "11:15 schema: evidence.0.clusters must be a whole number, but is 1.5. Correct the value.",
    ],
    [
      "more healthy clusters than there are",
      { ...HEALTH, healthy: 11 },
      "12:14 evidence-health: evidence.0 says that 11 of 10 clusters are healthy. Count again: healthy is at most clusters.",
    ],
    [
      "a generation of nothing",
      { ...SERVED, generation: 3 },
      "11:17 evidence-object: evidence.0 has a generation, but no uid of an object. Add its uid, or remove generation.",
    ],
    ["no path", ran(), "11:5 schema: evidence.0.paths must have at least 1 item, but has 0 items. Correct the value."],
    [
      "half a version of Kubernetes",
      { ...SMOKE, kubernetes: "1.36" },
      '10:17 schema: evidence.0.kubernetes must be a version such as 1.36.3, but is "1.36". Correct the value.',
    ],
    [
      "an unknown step",
      ran({ ...INSTALL, failed: ["instal"] }),
      '11:59 schema: evidence.0.paths.0.failed.0 must be one of manifests, install, use, upgrade, served, again, dependencies, uninstall, footprint, but is "instal". Write install.',
    ],
    [
      "half of what was upgraded from",
      ran({ ...INSTALL, from: "0.9.0" }),
      "11:13 evidence-paths: evidence.0.paths.0 has only one of from and fromSpecHash. Write both, or neither for a new installation.",
    ],
    [
      "a step in two lists",
      ran({ ...INSTALL, failed: ["manifests"] }),
      "11:13 evidence-paths: evidence.0.paths.0 has two results of the step manifests. Leave it in one of passed, failed and notChecked.",
    ],
    [
      "a path that it names twice",
      ran(INSTALL, UPGRADE, { ...INSTALL, pods: false }, { ...INSTALL, passed: [] }),
      "11:313 evidence-paths: evidence.0.paths.3 is the same path as evidence.0.paths.0. Remove the one that is wrong.",
    ],
    [
      "a smoke test of before there were paths",
      { kind: "smoke", ...COMMON, passed: true },
      "10:13 evidence-paths: evidence.0 says whether a smoke test passed, but not on which paths, so it does not count anymore. Test the version again, and use the new evidence.json: kyma-modules smoke MODULE --report DIR.",
    ],
  ])("for %s", (_, observation, expected) => {
    expect(said(yaml(observation))).toEqual([expected]);
  });

  it("for healthy hours below zero", () => {
    const exposure = { kind: "exposure", ...COMMON, clusters: 1, healthyHours: -0.5 };

    expect(said(yaml(exposure))).toEqual([
      "11:19 schema: evidence.0.healthyHours must be at least 0, but is -0.5. Correct the value.",
    ]);
  });

  it("for a duplicate observation, also when the instants are written differently", () => {
    const again = { ...SMOKE, observedAt: "2026-11-19T07:00:00+01:00" };

    expect(said(yaml(SMOKE, HEALTH, again))).toEqual([
      "21:5 evidence-duplicate: evidence.2 is the same observation as evidence.0. Remove one of the two.",
    ]);
  });

  it("for two results of one observation", () => {
    expect(said(yaml(SMOKE, ran(INSTALL, { ...UPGRADE, passed: [], failed: ["use"] })))).toEqual([
      "12:5 evidence-duplicate: evidence.1 is the same observation as evidence.0, with another result. Remove the one that is wrong.",
    ]);
  });

  it("with all its problems, in the order of the file", () => {
    const found = said(yaml({ ...HEALTH, healthy: 11 }, SMOKE, SMOKE, { ...HEALTH, source: "b", generation: 1 }));

    expect(found.map((text) => text.split(" ")[1])).toEqual([
      "evidence-health:",
      "evidence-duplicate:",
      "evidence-object:",
    ]);
  });
});

it("distinguishes observations by object, path, person and source", () => {
  const approval = { kind: "approval", ...COMMON, approved: true, by: "octocat" };
  const all = [
    HEALTH,
    { ...HEALTH, uid: "a" },
    { ...HEALTH, uid: "a", generation: 2 },
    { ...HEALTH, source: "another run" },
    ran(INSTALL),
    ran(UPGRADE),
    { ...ran(INSTALL), kubernetes: "1.34.1" },
    approval,
    { ...approval, by: "hubot" },
  ];

  expect(read(yaml(...all))).toEqual({ evidence: all, findings: [] });
});
