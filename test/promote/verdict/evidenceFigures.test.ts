import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import { mentions } from "../../support/mentions.ts";
import {
  ago,
  DEV,
  exposure,
  FIRST,
  health,
  judge,
  OF_REPLACED,
  OTHER_HASH,
  outcomes,
  PROD,
  told,
} from "./evidenceSamples.ts";

describe("exposure", () => {
  const asked = { exposure: { clusters: 20, healthyHours: 500 } };
  const REQUIRED = ["20 clusters", "500 healthy hours"];

  it("gives no reason if it is not demanded", () => {
    expect(judge({}, [exposure(1, 1)])).toEqual([]);
  });

  it("is met by exactly the demanded figures", () => {
    expect(judge(asked, [exposure(20, 500)])).toEqual([
      {
        topic: "exposure",
        outcome: "met",
        message:
          "object-store 1.2.0 ran on 20 clusters for 500 healthy hours; required: 20 clusters and 500 healthy hours.",
        source: { kind: "evidence", source: "run 7" },
      },
    ]);
  });

  it.each([
    [exposure(20, 1), exposure(1, 500)],
    [exposure(1, 500), exposure(20, 1)],
    [exposure(1, 1), exposure(20, 500)],
    [exposure(20, 500), exposure(1, 1)],
  ])("takes the least of each figure where two observations of one moment differ", (one, other) => {
    expect(told(judge(asked, [one, other]))).toEqual([
      mentions("object-store 1.2.0", "1 cluster", "1 healthy hour", ...REQUIRED),
    ]);
  });

  it("tells what is missing of both figures", () => {
    expect(told(judge(asked, [exposure(19, 120.5)]))).toEqual([
      "exposure waiting: object-store 1.2.0 ran on 19 clusters for 120.5 healthy hours; " +
        "required: 20 clusters and 500 healthy hours; still missing: 1 cluster and 379.5 healthy hours.",
    ]);
  });

  it("never shows a missing amount as zero", () => {
    expect(told(judge(asked, [exposure(20, 499.9999)]))).toEqual([
      "exposure waiting: object-store 1.2.0 ran on 20 clusters for 499.99 healthy hours; " +
        "required: 20 clusters and 500 healthy hours; still missing: 0.01 healthy hours.",
    ]);
  });

  it("mentions only the demanded figure", () => {
    expect(told(judge({ exposure: { clusters: 1, healthyHours: 0 } }, [exposure(0, 0)]))).toEqual([
      "exposure waiting: object-store 1.2.0 ran on 0 clusters for 0 healthy hours; required: 1 cluster; still missing: 1 cluster.",
    ]);
    expect(told(judge({ exposure: { clusters: 0, healthyHours: 1 } }, [exposure(0, 1)]))).toEqual([
      "exposure met: object-store 1.2.0 ran on 0 clusters for 1 healthy hour; required: 1 healthy hour.",
    ]);
  });

  it("adds up landscapes and objects, the newest of each", () => {
    const evidence = [
      exposure(8, 200, { landscape: DEV }),
      exposure(90, 9000, { landscape: DEV, observedAt: ago(2) }),
      exposure(7, 200, { landscape: PROD, uid: "a", generation: 2, observedAt: ago(5) }),
      exposure(90, 9000, { landscape: PROD, uid: "a", generation: 1 }),
      exposure(5, 100, { landscape: PROD, uid: "b", generation: 1, source: "run 8", observedAt: ago(0) }),
    ];

    const [reason] = judge(asked, evidence);

    expect(reason).toMatchObject({ outcome: "met", source: { kind: "evidence", source: "run 8" } });
    expect(reason?.message).toEqual(mentions("object-store 1.2.0", ...REQUIRED, ...REQUIRED));
  });

  it("adds up fractions exactly", () => {
    const tenths = Array.from({ length: 10 }, (_, index) => exposure(2, 0.1, { uid: String(index), generation: 1 }));

    expect(outcomes(judge({ exposure: { clusters: 20, healthyHours: 1 } }, tenths))).toEqual(["exposure met"]);
  });

  it("uses the lowest of the observations of one moment", () => {
    for (const evidence of [
      [exposure(20, 9000), exposure(90, 499)],
      [exposure(90, 499), exposure(20, 9000)],
    ])
      expect(judge(asked, evidence)[0]?.message).toEqual(mentions("1.2.0", "20 clusters", "499 healthy", ...REQUIRED));
  });

  it("accepts impossibly large numbers", () => {
    expect(outcomes(judge(asked, [exposure(Number.MAX_SAFE_INTEGER, Number.MAX_VALUE)]))).toEqual(["exposure met"]);
  });

  it("is waited for while this content has no evidence", () => {
    expect(judge(asked, [exposure(20, 500, { specHash: OTHER_HASH })])).toEqual([
      {
        topic: "exposure",
        outcome: "waiting",
        message: mentions(
          ...["object-store 1.2.0", ...REQUIRED],
          ...["1.2.0", "sha256:c3c3c3c3", "run 7", "sha256:a1a1a1a1"],
        ),
        remedy: mentions("--evidence"),
        source: undefined,
      },
    ]);
  });
});

describe("health", () => {
  const asked = { health: { notWorseBy: 0.01 } };
  const before = (healthy: number, clusters: number): Evidence => health(healthy, clusters, OF_REPLACED);

  it("gives no reason if it is not demanded", () => {
    expect(judge({}, [health(0, 100), before(100, 100)])).toEqual([]);
  });

  it("is met while the share falls by no more than allowed", () => {
    expect(judge(asked, [health(98, 100), before(198, 200)])).toEqual([
      {
        topic: "health",
        outcome: "met",
        message: mentions(...["1.2.0", "98 of 100", "98%"], ...["1.1.0", "198 of 200", "99%"], "1 percentage point"),
        source: { kind: "evidence", source: "run 7" },
      },
    ]);
  });

  it("blocks if the share falls by more, and tells by how much", () => {
    expect(judge(asked, [health(90, 100, { source: "run 9" }), before(198, 200)])).toEqual([
      {
        topic: "health",
        outcome: "blocking",
        message: mentions(
          ...["1.2.0", "90 of 100", "90%"],
          ...["1.1.0", "198 of 200", "99%"],
          ...["1 percentage point", "9 percentage points"],
        ),
        remedy: mentions("hold", "release"),
        source: { kind: "evidence", source: "run 9" },
      },
    ]);
  });

  it.each([
    [0.005, 199, 200, true],
    [0.005, 1989, 2000, false],
    [0.07, 93, 100, true],
    [0.29, 71, 100, true],
    [0.29, 70_999_999, 100_000_000, false],
    [0.000_001, 999_999, 1_000_000, true],
    [0, 1, 1, true],
    [1, 0, 3, true],
  ])(
    "compares exactly: all may become %d worse, and %d of %d are in order: %s",
    (notWorseBy, healthy, clusters, isMet) => {
      const reasons = judge({ health: { notWorseBy } }, [health(healthy, clusters), before(3, 3)]);

      expect(outcomes(reasons)).toEqual([isMet ? "health met" : "health blocking"]);
    },
  );

  it("compares thirds exactly", () => {
    expect(outcomes(judge({ health: { notWorseBy: 0 } }, [health(1, 3), before(2, 6)]))).toEqual(["health met"]);
  });

  it("never shows an excess as acceptable, nor nearly all as all", () => {
    const reasons = judge(asked, [health(98_999_999, 100_000_000), before(99_999_999, 99_999_999)]);

    expect(reasons[0]?.message).toEqual(mentions("98.9999%", "1 percentage point", "1.0001 percentage points"));
  });

  it("adds up landscapes and objects, the newest of each", () => {
    const evidence = [
      health(49, 50, { landscape: DEV }),
      health(0, 50, { landscape: DEV, observedAt: ago(3) }),
      health(49, 50, { landscape: PROD }),
      before(99, 100),
    ];

    expect(judge(asked, evidence)[0]?.message).toEqual(mentions("1.2.0", "98 of 100", "98%", "1.1.0", "99 of 100"));
  });

  it("uses the worst of the observations of one moment", () => {
    expect(judge(asked, [health(9, 10), health(50, 100), before(1, 1)])[0]?.message).toEqual(
      mentions("1.2.0", "9 of 59", "1.1.0", "1 of 1"),
    );
  });

  it("is waited for while the version has no evidence", () => {
    expect(judge(asked, [before(1, 1)])).toEqual([
      {
        topic: "health",
        outcome: "waiting",
        message: expect.stringMatching(/\bhealth\b.* object-store 1\.2\.0\b[^()]*$/) as string,
        remedy: mentions("--evidence"),
        source: undefined,
      },
    ]);
  });

  it("is waited for while no cluster runs the version", () => {
    expect(told(judge(asked, [health(0, 0), before(1, 1)]))).toEqual([
      mentions("health waiting", "No cluster", "object-store 1.2.0"),
    ]);
  });

  it("is waited for while the content that it would replace has no evidence", () => {
    const foreign = health(1, 1, { ...OF_REPLACED, specHash: OTHER_HASH, source: "run 2" });

    expect(told(judge(asked, [health(1, 1), foreign]))).toEqual([
      mentions(
        ...["health waiting", "object-store 1.1.0", "1.2.0"],
        ...["1.1.0", "sha256:c3c3c3c3", "run 2", "sha256:b2b2b2b2"],
      ),
    ]);
  });

  it("is met if no cluster runs the version that it would replace", () => {
    expect(told(judge(asked, [health(1, 2), before(0, 0)]))).toEqual([
      mentions("health met", ...["1.2.0", "1 of 2", "50%"], ...["no cluster", "1.1.0"]),
    ]);
  });

  it("is only noted if nothing is replaced", () => {
    expect(judge(asked, [], FIRST)).toEqual([
      {
        topic: "health",
        outcome: "note",
        message: mentions("object-store 1.2.0", "replaces nothing"),
        source: undefined,
      },
    ]);
    expect(told(judge(asked, [health(0, 0)], FIRST))).toEqual([
      mentions("health note", "object-store 1.2.0", "replaces nothing", "0 of 0"),
    ]);
  });
});
