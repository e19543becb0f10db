import { describe, expect, it } from "vitest";
import type { Evidence, EvidenceOf, ObservedPath } from "../../../../src/catalogue/evidence/evidence.ts";
import type { ModuleName } from "../../../../src/catalogue/names.ts";
import { failing, install, upgrade } from "../../smokePaths.ts";
import {
  ago,
  approval,
  CANDIDATE_HASH,
  FIRST,
  judge,
  NOW_MS,
  OF_REPLACED,
  OTHER_HASH,
  outcomes,
  REPLACED,
  REPLACED_HASH,
  smoke,
  told,
} from "../evidenceSamples.ts";
import { mentions } from "../../../support/mentions.ts";

const FROM = { version: REPLACED, specHash: REPLACED_HASH };
const BOTH = [install(), upgrade(FROM)];
const EMBEDDED = { pods: false };
const NEEDED = { needs: ["smoke"] as const };
const noInstall = (...more: readonly string[]): unknown =>
  mentions("smoke waiting", "install", "object-store 1.2.0", "with pods", ...more);
const noUpgrade = (...more: readonly string[]): unknown =>
  mentions("smoke waiting", "upgrade", "object-store 1.1.0", "1.2.0", "with pods", ...more);
const UNKNOWN = [noInstall(), noUpgrade()];

/** A run that many hours ago. */
const ran = (paths: readonly ObservedPath[], hours = 1, some: Partial<EvidenceOf<"smoke">> = {}): Evidence =>
  smoke(true, { paths, observedAt: ago(hours), ...some });
const needed = (...evidence: readonly Evidence[]): readonly string[] => told(judge(NEEDED, evidence));
const decided = (...evidence: readonly Evidence[]): readonly string[] => outcomes(judge(NEEDED, evidence));
/** For the install alone, into a channel that serves nothing of the module. */
const first = (...evidence: readonly Evidence[]): readonly string[] => outcomes(judge(NEEDED, evidence, FIRST));

describe("a smoke test that is needed", () => {
  it("is met by the install and by the upgrade from what the channel serves", () => {
    expect(judge(NEEDED, [ran(BOTH)])).toEqual([
      {
        topic: "smoke",
        outcome: "met",
        message: mentions("install", "object-store 1.2.0", "with pods", "2026-11-21T11:00:00Z"),
        source: { kind: "evidence", source: "run 7" },
      },
      {
        topic: "smoke",
        outcome: "met",
        message: mentions("upgrade", "object-store 1.1.0", "1.2.0", "with pods", "2026-11-21T11:00:00Z"),
        source: { kind: "evidence", source: "run 7" },
      },
    ]);
  });

  it("is met by two runs with one path each", () => {
    expect(decided(ran([install()], 5), ran([upgrade(FROM)]))).toEqual(["smoke met", "smoke met"]);
  });

  it("waits for each path without a run, and names the command for it", () => {
    expect(needed()).toEqual(UNKNOWN);
    expect(needed(ran([install()]))[1]).toEqual(noUpgrade());
    expect(judge(NEEDED, []).map(({ remedy = "" }) => /smoke object-store .*? --cluster/.exec(remedy)?.[0])).toEqual([
      "smoke object-store --only object-store@1.2.0 --cluster",
      "smoke object-store --only object-store@1.1.0..1.2.0 --cluster",
    ]);
  });

  it("is met by the install alone if the channel serves nothing", () => {
    expect(first(ran([install()]))).toEqual(["smoke met"]);
    expect(first(ran([upgrade(FROM)]))).toEqual(["smoke waiting"]);
  });

  it("is not met by the upgrade from another version, or from another content of that version", () => {
    const other = { version: "1.0.0", specHash: REPLACED_HASH };

    const [, unknown] = needed(ran([install(), upgrade(other)]));
    expect(unknown).toEqual(noUpgrade());
    expect(unknown).not.toContain("run 7");
    expect(needed(ran([install(), upgrade({ ...FROM, specHash: OTHER_HASH })]))[1]).toEqual(
      noUpgrade("1.1.0", "sha256:c3c3c3c3", "run 7", "sha256:b2b2b2b2"),
    );
  });

  it("is not met by a run of another content, and names both", () => {
    const foreign = ran(BOTH, 1, { specHash: OTHER_HASH, source: "run 3" });
    const both = ["1.2.0", "sha256:c3c3c3c3", "run 3", "sha256:a1a1a1a1"];

    expect(needed(foreign)).toEqual([noInstall(...both), noUpgrade(...both)]);
  });

  it("shows as much of two hashes as distinguishes them", () => {
    const [reason] = needed(ran(BOTH, 1, { specHash: `${CANDIDATE_HASH.slice(0, 20)}0` }));

    expect(reason).toEqual(noInstall("sha256:a1a1a1a1a1a1a0", "run 7", "sha256:a1a1a1a1a1a1a1"));
  });

  it("is not met by another version, another module or another kind", () => {
    const others = [ran(BOTH, 1, OF_REPLACED), ran(BOTH, 1, { module: "istio" as ModuleName }), approval(true)];

    expect(needed(...others)).toEqual(UNKNOWN);
    expect(needed(...others).join(" ")).not.toContain("run 7");
  });

  it("is met from the moment of the run on, not before", () => {
    const later = new Date(NOW_MS + 1).toISOString();

    expect(decided(ran(BOTH, 0))).toEqual(["smoke met", "smoke met"]);
    expect(needed(ran(BOTH, 1, { observedAt: later }))[0]).toEqual(noInstall("run 7", "2026-11-21T12:00:00.001Z"));
  });
});

describe("a smoke test that did not check everything", () => {
  it.each<[string, Partial<ObservedPath>, string]>([
    ["steps that were not checked", { passed: ["manifests", "install"], notChecked: ["again", "use"] }, "use, again"],
    ["steps that are not there", { passed: ["manifests", "install", "use"] }, "every step"],
    ["a measurement that was not made", { ...install(), notChecked: ["footprint"] }, "footprint"],
    ["dependencies that are not there", { passed: upgrade(FROM).passed }, "every step"],
  ])("does not pass: %s", (_, some, which) => {
    expect(needed(ran([install(some), upgrade(FROM)]))[0]).toEqual(noInstall("run 7", which));
  });

  it("passes without a measurement, and an upgrade without dependencies", () => {
    const bare = (path: ObservedPath): ObservedPath => ({
      ...path,
      passed: path.passed.filter((step) => step !== "footprint"),
    });

    expect(decided(ran(BOTH.map(bare)))).toEqual(["smoke met", "smoke met"]);
  });

  it("does not change the result of other runs", () => {
    const partial = ran([install({ passed: ["manifests"] })]);

    expect(first(ran([install()], 5), partial)).toEqual(["smoke met"]);
    expect(first(ran([failing(install())], 5), partial)).toEqual(["smoke blocking"]);
  });
});

describe("a smoke test that failed", () => {
  it("blocks, needed or not, with the steps, the place and what to do", () => {
    expect(judge({}, [ran(BOTH, 2), ran([failing(upgrade(FROM), "served")])])).toEqual([
      {
        topic: "smoke",
        outcome: "blocking",
        message: mentions(
          ...["upgrade", "object-store 1.1.0", "1.2.0"],
          ...["Kubernetes 1.36.3", "2026-11-21T11:00:00Z", "served", "run 7"],
        ),
        remedy: mentions("run 7", "newer version", "Kubernetes 1.36.3"),
        source: { kind: "evidence", source: "run 7" },
      },
    ]);
  });

  it("is cleared by a newer pass of the whole path, but not by an older one or one of the same moment", () => {
    const failed = ran([failing(install())], 3);

    expect(first(failed, ran([install()], 2))).toEqual(["smoke met"]);
    expect(first(failed, ran([install()], 3, { source: "run 8" }))).toEqual(["smoke blocking"]);
    expect(first(failed, ran([install()], 4))).toEqual(["smoke blocking"]);
  });

  it("is not cleared on another minor version of Kubernetes", () => {
    const failed = ran([failing(install())], 3, { kubernetes: "1.34.1" });

    expect(first(failed, ran([install()], 2, { kubernetes: "1.36.3" }))).toEqual(["smoke blocking"]);
    expect(first(failed, ran([install()], 2, { kubernetes: "1.34.9" }))).toEqual(["smoke met"]);
  });

  it("compares moments, not their text", () => {
    const passed = ran([install()], 0, { observedAt: "2026-11-21T11:30:00+02:00" });
    const failed = ran([failing(install())], 0, { observedAt: "2026-11-21T10:00:00Z" });

    expect(first(passed, failed)).toEqual(["smoke blocking"]);
  });

  it("does not block for another content, or from the future", () => {
    const failed = BOTH.map((path) => failing(path));

    expect(judge({}, [ran(failed, 1, { specHash: OTHER_HASH }), ran(failed, -24)])).toEqual([]);
  });

  it("is noted for a path without a demand, while its newest run failed", () => {
    const other = upgrade({ version: "1.0.0", specHash: OTHER_HASH });
    const failed = ran([failing(other)], 2);

    expect(told(judge({}, [failed]))).toEqual([
      mentions(
        ...["smoke note", "upgrade", "object-store 1.0.0", "1.2.0"],
        ...["Kubernetes 1.36.3", "2026-11-21T10:00:00Z", "use", "run 7"],
      ),
    ]);
    expect(judge({}, [failed, ran([other])])).toEqual([]);
  });
});

describe("a smoke test without pods", () => {
  const embedded = install(EMBEDDED);

  it("does not count as passed, and is noted, needed or not", () => {
    const note = mentions("smoke note", "Without pods", "install", "object-store 1.2.0", "2026-11-21T11:00:00Z");

    expect(needed(ran([embedded]))).toEqual([UNKNOWN[0], note, UNKNOWN[1]]);
    expect(told(judge({}, [ran([embedded])]))).toEqual([note]);
  });

  it("is not noted beside one with pods", () => {
    expect(first(ran([install()], 5), ran([embedded]))).toEqual(["smoke met"]);
  });

  it("blocks after an earlier pass, with the place", () => {
    expect(needed(ran(BOTH, 5), ran([failing(embedded)]))[0]).toEqual(
      mentions(
        ...["smoke blocking", "install", "object-store 1.2.0"],
        ...["Kubernetes 1.36.3", "without pods", "2026-11-21T11:00:00Z", "use", "run 7"],
      ),
    );
  });

  it("is cleared by a newer run that passes those steps, with or without pods", () => {
    const failed = ran([failing(embedded)], 3);

    expect(first(failed, ran([embedded]))).toEqual(["smoke waiting", "smoke note"]);
    expect(first(failed, ran([install()]))).toEqual(["smoke met"]);
    expect(first(failed, ran([install({ ...EMBEDDED, passed: ["manifests"] })]))).toEqual(["smoke blocking"]);
  });

  it("does not clear a failure with pods", () => {
    expect(first(ran([failing(install())], 3), ran([embedded]))).toEqual(["smoke blocking"]);
  });
});

it("gives no reason for smoke tests without a demand and without a failure", () => {
  expect(judge({}, [])).toEqual([]);
  expect(judge({}, [ran(BOTH), ran([failing(install())], 2)])).toEqual([]);
});
