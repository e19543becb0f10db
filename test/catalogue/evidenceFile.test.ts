import { describe, expect, it } from "vitest";
import { readEvidence } from "../../src/catalogue/evidence/file.ts";
import { MAX_FILE_BYTES } from "../../src/document/snapshot.ts";
import { mentions } from "../support/mentions.ts";

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
      mentions("1:1 file-size", String(MAX_FILE_BYTES + HEAD.length + 2), String(MAX_FILE_BYTES), "--evidence"),
    ]);
  });

  it("when it is not YAML, at the place", () => {
    expect(said(`${HEAD}  - kind: [smoke\n`)).toEqual([expect.stringMatching(/^\d+:\d+ yaml-syntax: /)]);
    expect(said("")).toEqual([expect.stringMatching(/^1:1 yaml-documents: /)]);
  });

  it("when it is not a file of evidence", () => {
    expect(said("- 1\n")).toEqual([mentions("1:1 schema", "a map", "a list", "Correct")]);
  });

  it.each<[string, Fields, unknown]>([
    [
      "an unknown kind",
      { ...SMOKE, kind: "smok" },
      mentions("4:11 schema", "evidence.0.kind", "smoke, served, exposure, health, approval", '"smok"', "Write smoke"),
    ],
    ["no kind", COMMON, mentions("4:5 schema", "evidence.0", "property kind", "Add kind")],
    [
      "a field of another kind",
      { ...SMOKE, healthy: 1 },
      mentions(
        "12:14 schema",
        "evidence.0.healthy",
        "kind, module, version, specHash, observedAt, source, kubernetes, paths",
        '"healthy"',
      ),
    ],
    [
      "no result",
      { kind: "smoke", ...COMMON, kubernetes: "1.36.3" },
      mentions("4:5 schema", "evidence.0", "property paths", "Add paths"),
    ],
    [
      "no landscape that serves",
      { kind: "served", ...COMMON },
      mentions("4:5 schema", "evidence.0", "property landscape", "Add landscape"),
    ],
    [
      "a bad hash",
      { ...SMOKE, specHash: "sha256:AB" },
      mentions("7:15 schema", "evidence.0.specHash", "64 hexadecimal digits", '"sha256:AB"', "Correct"),
    ],
    [
      "an instant without zone",
      { ...SMOKE, observedAt: "2026-11-19T06:00:00" },
      mentions("8:17 schema", "evidence.0.observedAt", "zone", "2026-12-18T08:30:00Z", '"2026-11-19T06:00:00"'),
    ],
    [
      "a day that does not exist",
      { ...SMOKE, observedAt: "2026-02-30T06:00:00Z" },
      mentions("8:17 schema", "evidence.0.observedAt", "instant", "2026-12-18T08:30:00Z", '"2026-02-30T06:00:00Z"'),
    ],
    [
      "negative clusters",
      { ...HEALTH, clusters: -1, healthy: 0 },
      mentions("11:15 schema", "evidence.0.clusters", "at least 0", "-1"),
    ],
    [
      "half a cluster",
      { ...HEALTH, clusters: 1.5, healthy: 0 },
      mentions("11:15 schema", "evidence.0.clusters", "whole number", "1.5"),
    ],
    [
      "more healthy clusters than there are",
      { ...HEALTH, healthy: 11 },
      mentions("12:14 evidence-health", "evidence.0", "11 of 10", "Count"),
    ],
    [
      "a generation of nothing",
      { ...SERVED, generation: 3 },
      mentions("11:17 evidence-object", "evidence.0", "generation", "uid", "Add its uid"),
    ],
    ["no path", ran(), mentions("11:5 schema", "evidence.0.paths", "at least 1 item", "0 items")],
    [
      "half a version of Kubernetes",
      { ...SMOKE, kubernetes: "1.36" },
      mentions("10:17 schema", "evidence.0.kubernetes", "1.36.3", '"1.36"'),
    ],
    [
      "an unknown step",
      ran({ ...INSTALL, failed: ["instal"] }),
      mentions(
        "11:59 schema",
        "evidence.0.paths.0.failed.0",
        "manifests, install, use, upgrade, served, again, dependencies, uninstall, footprint",
        '"instal"',
        "Write install",
      ),
    ],
    [
      "half of what was upgraded from",
      ran({ ...INSTALL, from: "0.9.0" }),
      mentions("11:13 evidence-paths", "evidence.0.paths.0", "only one", "from and fromSpecHash", "both"),
    ],
    [
      "a step in two lists",
      ran({ ...INSTALL, failed: ["manifests"] }),
      mentions("11:13 evidence-paths", "evidence.0.paths.0", "two results", "manifests", "notChecked"),
    ],
    [
      "a path that it names twice",
      ran(INSTALL, UPGRADE, { ...INSTALL, pods: false }, { ...INSTALL, passed: [] }),
      mentions("11:313 evidence-paths", "evidence.0.paths.3", "evidence.0.paths.0", "Remove"),
    ],
    [
      "a smoke test of before there were paths",
      { kind: "smoke", ...COMMON, passed: true },
      mentions("10:13 evidence-paths", "evidence.0", "smoke test", "paths", "kyma-modules smoke MODULE --report DIR"),
    ],
  ])("for %s", (_, observation, expected) => {
    expect(said(yaml(observation))).toEqual([expected]);
  });

  it("for healthy hours below zero", () => {
    const exposure = { kind: "exposure", ...COMMON, clusters: 1, healthyHours: -0.5 };

    expect(said(yaml(exposure))).toEqual([mentions("11:19 schema", "evidence.0.healthyHours", "at least 0", "-0.5")]);
  });

  it("for a duplicate observation, also when the instants are written differently", () => {
    const again = { ...SMOKE, observedAt: "2026-11-19T07:00:00+01:00" };

    expect(said(yaml(SMOKE, HEALTH, again))).toEqual([
      mentions("21:5 evidence-duplicate", "evidence.2", "evidence.0", "Remove one"),
    ]);
  });

  it("for two results of one observation", () => {
    expect(said(yaml(SMOKE, ran(INSTALL, { ...UPGRADE, passed: [], failed: ["use"] })))).toEqual([
      mentions("12:5 evidence-duplicate", "evidence.1", "evidence.0", "another result", "Remove"),
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
