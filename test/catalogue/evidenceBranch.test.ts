import { describe, expect, it } from "vitest";
import type { Evidence } from "../../src/catalogue/evidence/evidence.ts";
import {
  contentAt,
  evidencePath,
  isEvidencePath,
  keptFile,
  readKeptFile,
} from "../../src/catalogue/evidence/branch.ts";
import type { LandscapeName, ModuleName } from "../../src/catalogue/names.ts";
import type { SnapshotFile } from "../../src/document/snapshot.ts";
import type { ModuleVersion } from "../../src/catalogue/version.ts";
import { failing, install, upgrade } from "../promote/smokePaths.ts";
import { mentions } from "../support/mentions.ts";

const HASH = `sha256:${"a1".repeat(32)}`;
const FROM = { version: "0.9.0", specHash: `sha256:${"b2".repeat(32)}` };
const PATH = `modules/object-store/0.9.1/${HASH}.json`;

const smoke = (observedAt: string, paths = [install()]): Evidence => ({
  kind: "smoke",
  module: "object-store" as ModuleName,
  version: "0.9.1" as ModuleVersion,
  specHash: HASH,
  observedAt,
  source: "run 7",
  kubernetes: "1.36.3",
  paths,
});
const MONDAY = smoke("2026-11-16T10:00:00Z");
const TUESDAY = smoke("2026-11-17T10:00:00Z");

const file = (text: string): SnapshotFile => ({ kind: "bytes", bytes: Buffer.from(text) });
const said = (...evidence: readonly Evidence[]): SnapshotFile => file(JSON.stringify({ format: 1, evidence }));
const kept = (before: SnapshotFile | undefined, ...added: readonly Evidence[]): string => {
  const result = keptFile(PATH, before, added);
  return result.kind === "text" ? result.text : result.findings.map(({ rule }) => rule).join();
};

describe("a path of the branch", () => {
  it("names its content, or none", () => {
    expect(contentAt(PATH)).toEqual({ module: "object-store", version: "0.9.1" });
    expect(["modules", "modules/object-store", "modules/No/0.9.1/a.json"].map(contentAt)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("a file of the branch of evidence", () => {
  it("has the path of its module, version and content", () => {
    expect(evidencePath(MONDAY)).toBe(PATH);
    expect(["README.md", PATH, "modules/x"].map(isEvidencePath)).toEqual([false, true, true]);
  });

  it("is about that content", () => {
    expect(readKeptFile(PATH, said(MONDAY, TUESDAY))).toEqual({ evidence: [MONDAY, TUESDAY], findings: [] });
  });

  it.each([
    ["module", PATH.replace("object-store", "istio")],
    ["version", PATH.replace("0.9.1", "0.9.2")],
    ["content", PATH.replace("a1", "c3")],
    ["folder", PATH.replace("0.9.1/", "")],
  ])("does not count at the path of another %s", (_, path) => {
    const { evidence, findings } = readKeptFile(path, said(MONDAY));

    expect(evidence).toEqual([]);
    expect(findings).toMatchObject([
      {
        rule: "evidence-place",
        file: `evidence:${path}`,
        remedy: mentions("Remove", PATH),
      },
    ]);
  });

  it.each<[string, SnapshotFile, string]>([
    ["no JSON", file("{"), "yaml-syntax"],
    ["another format", file('{ "format": 2 }'), "format-newer"],
    ["a link", { kind: "bad-link", target: "/etc/passwd" }, "file-link"],
    ["a huge file", { kind: "too-large", size: 2 ** 30 }, "file-size"],
    ["a large file", { kind: "bytes", bytes: new Uint8Array(2 ** 21) }, "file-size"],
  ])("does not count when it is %s", (_, content, rule) => {
    expect(readKeptFile(PATH, content)).toMatchObject({ evidence: [], findings: [{ rule }] });
  });
});

describe("evidence added to the branch", () => {
  it("goes beside existing evidence, in the order of time", () => {
    const text = kept(undefined, TUESDAY);

    expect(JSON.parse(text)).toEqual({ format: 1, evidence: [TUESDAY] });
    expect(JSON.parse(kept(file(text), MONDAY))).toEqual({ format: 1, evidence: [MONDAY, TUESDAY] });
    expect(kept(said(MONDAY), TUESDAY)).toBe(kept(said(TUESDAY), MONDAY));
  });

  it("is stored once, however its instant is written", () => {
    const again = smoke("2026-11-16T11:00:00+01:00");

    expect(kept(said(MONDAY), MONDAY)).toBe(kept(undefined, MONDAY));
    expect(JSON.parse(kept(said(MONDAY), again))).toEqual({ format: 1, evidence: [MONDAY] });
  });

  it("may be another path of the same run", () => {
    const other = smoke(MONDAY.observedAt, [upgrade(FROM)]);

    expect((JSON.parse(kept(said(MONDAY), other)) as { evidence: unknown[] }).evidence).toHaveLength(2);
  });

  it("is refused when it contradicts existing evidence, or that is unreadable", () => {
    expect(kept(said(MONDAY), smoke(MONDAY.observedAt, [failing(install())]))).toBe("evidence-duplicate");
    expect(kept(file("{"), MONDAY)).toBe("yaml-syntax");
  });

  describe("repeated observations of an object by a landscape", () => {
    const { module, version, specHash, source } = MONDAY;
    const base = { module, version, specHash, source };
    const dev = "dev" as LandscapeName;
    const health = (observedAt: string, more: Partial<Evidence> = {}): Evidence =>
      ({ ...base, kind: "health", clusters: 2, healthy: 1, landscape: dev, uid: "u", ...more, observedAt }) as Evidence;
    const instants = (text: string): readonly string[] =>
      (JSON.parse(text) as { readonly evidence: readonly Evidence[] }).evidence.map(({ observedAt }) => observedAt);
    const MORNING = "2026-11-16T08:00:00Z";
    const NOON = "2026-11-16T12:00:00Z";
    const NEXT = "2026-11-17T00:00:00Z";

    it("keep the last one of each day", () => {
      expect(instants(kept(said(health(MORNING)), health(NOON), health(NEXT)))).toEqual([NOON, NEXT]);
    });

    it("leave out the oldest, but never the newest of an object, when years of them make the file too large", () => {
      const days = Array.from({ length: 600 }, (_, day) => {
        const morning = new Date(Date.parse(MORNING) + day * 86_400_000).toISOString();
        return health(morning, { source: "a very long name ".repeat(100) });
      });
      const gone = health(MORNING, { uid: "gone" });
      const text = kept(undefined, MONDAY, gone, ...days);
      const { evidence } = JSON.parse(text) as { readonly evidence: readonly Evidence[] };

      expect(text.length).toBeLessThan(2 ** 20);
      expect(evidence.slice(0, 2)).toEqual(expect.arrayContaining([MONDAY, gone]));
      expect(evidence.slice(2)).toEqual(days.slice(-evidence.length + 2));
      expect(kept(file(text), ...days.slice(-1))).toBe(text);
    });

    it("are added before one from a clock that was ahead, which goes once its time has come", () => {
      const [ahead, late] = ["2026-11-16T20:00:00Z", "2026-11-16T21:00:00Z"];
      const text = kept(said(health(MORNING), health(ahead)), health(NOON, { healthy: 0 }));

      expect(instants(text)).toEqual([NOON, ahead]);
      expect(instants(kept(file(text), health(late)))).toEqual([late]);
    });

    it("are not added within an hour, except for another generation of the object", () => {
      const soon = "2026-11-16T08:59:59Z";

      expect(instants(kept(said(health(MORNING)), health(soon)))).toEqual([MORNING]);
      expect(instants(kept(said(health(MORNING)), health(soon, { generation: 2 })))).toEqual([soon]);
      expect(instants(kept(said(health(MORNING)), health("2026-11-16T09:00:00Z")))).toEqual(["2026-11-16T09:00:00Z"]);
    });

    it("are added within an hour if the health is worse", () => {
      const soon = "2026-11-16T08:05:00Z";
      const exposure = (observedAt: string, clusters: number): Evidence => {
        return { ...base, kind: "exposure", clusters, healthyHours: 1, landscape: dev, uid: "u", observedAt };
      };

      expect(instants(kept(said(exposure(MORNING, 2)), exposure(soon, 1)))).toEqual([MORNING]);
      expect(instants(kept(said(health(MORNING)), health(soon, { healthy: 0 })))).toEqual([soon]);
      expect(instants(kept(said(health(MORNING)), health(soon, { clusters: 3 })))).toEqual([soon]);
      expect(instants(kept(said(health(MORNING)), health(soon, { healthy: 2 })))).toEqual([MORNING]);
    });

    it("are recognized by landscape and object; all other evidence stays", () => {
      const all = [
        health(MORNING),
        health(NOON, { landscape: "prod" as LandscapeName }),
        health(NOON, { uid: "other" }),
        { ...base, kind: "served", landscape: dev, observedAt: MORNING } as const,
        { ...base, kind: "served", landscape: dev, observedAt: NOON } as const,
      ];

      expect(instants(kept(said(...all)))).toHaveLength(all.length);
    });

    it("get the commit of the same observation, and keep it", () => {
      const plain = { ...base, kind: "served", landscape: dev, observedAt: MORNING } as const;
      const [one, other] = [
        { ...plain, commit: "a".repeat(40) },
        { ...plain, commit: "b".repeat(40) },
      ] as const;

      expect(kept(said(plain), one)).toBe(kept(said(one)));
      expect(kept(said(one), plain, other)).toBe(kept(said(one)));
    });
  });
});
