import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../../src/catalogue/evidence.ts";
import type { LandscapeName, ModuleName } from "../../../../src/catalogue/names.ts";
import { servedSince } from "../../../../src/promote/verdict/evidence/evidence.ts";
import {
  ago,
  approval,
  CANDIDATE_HASH,
  DEV,
  judge,
  NOW_MS,
  OF_REPLACED,
  OTHER_HASH,
  outcomes,
  PROD,
  served,
  smoke,
  SUBJECT,
  told,
} from "../evidenceSamples.ts";

describe("a smoke test that is needed", () => {
  const needed = (...evidence: readonly Evidence[]): readonly string[] => told(judge({ needs: ["smoke"] }, evidence));

  it("is met by the newest one that passed", () => {
    expect(judge({ needs: ["smoke"] }, [smoke(false, { observedAt: ago(3) }), smoke(true)])).toEqual([
      {
        topic: "smoke",
        outcome: "met",
        message: "The smoke test of object-store 1.2.0 passed at 2026-11-21T11:00:00Z.",
        source: { kind: "evidence", source: "run 7" },
      },
    ]);
  });

  it("is waited for while there is none", () => {
    expect(judge({ needs: ["smoke"] }, [])).toEqual([
      {
        topic: "smoke",
        outcome: "waiting",
        message: "No smoke test of object-store 1.2.0 is known.",
        remedy: "Run the smoke test of exactly this content, and name its report with --evidence.",
        source: undefined,
      },
    ]);
  });

  it("is not met by one of another content, and both are named", () => {
    expect(needed(smoke(true, { specHash: OTHER_HASH, source: "run 3" }))).toEqual([
      "smoke waiting: No smoke test of object-store 1.2.0 is known. There is one for another content of 1.2.0 " +
        "(sha256:c3c3c3c3, from run 3), but only one for sha256:a1a1a1a1 counts.",
    ]);
  });

  it("names as much of two hashes as tells them apart", () => {
    const [reason] = needed(smoke(true, { specHash: `${CANDIDATE_HASH.slice(0, 20)}0` }));

    expect(reason).toContain("(sha256:a1a1a1a1a1a1a0, from run 7), but only one for sha256:a1a1a1a1a1a1a1 counts.");
  });

  it("is not met by another version, another module or another kind", () => {
    const others = [smoke(true, OF_REPLACED), smoke(true, { module: "istio" as ModuleName }), approval(true)];

    expect(needed(...others)).toEqual(["smoke waiting: No smoke test of object-store 1.2.0 is known."]);
  });

  it("is met from its very moment on, and not before", () => {
    const at = new Date(NOW_MS).toISOString();
    const later = new Date(NOW_MS + 1).toISOString();

    expect(outcomes(judge({ needs: ["smoke"] }, [smoke(true, { observedAt: at })]))).toEqual(["smoke met"]);
    expect(needed(smoke(true, { observedAt: later }))).toEqual([
      "smoke waiting: No smoke test of object-store 1.2.0 is known. " +
        "What run 7 observed at 2026-11-21T12:00:00.001Z is later than now, and does not count.",
    ]);
  });

  it("believes the one that failed when two were observed at one moment", () => {
    expect(outcomes(judge({ needs: ["smoke"] }, [smoke(true), smoke(false)]))).toEqual(["smoke blocking"]);
  });

  it("compares moments, not their text", () => {
    const passed = smoke(true, { observedAt: "2026-11-21T11:30:00+02:00" });
    const failed = smoke(false, { observedAt: "2026-11-21T10:00:00Z" });

    expect(outcomes(judge({ needs: ["smoke"] }, [passed, failed]))).toEqual(["smoke blocking"]);
  });

  it("is not met by an older generation that was observed later", () => {
    const about = { uid: "6e1c", landscape: DEV };
    const now = smoke(false, { ...about, generation: 4, observedAt: ago(5) });

    for (const generation of [{ generation: 3 }, {}])
      expect(outcomes(judge({ needs: ["smoke"] }, [smoke(true, { ...about, ...generation }), now]))).toEqual([
        "smoke blocking",
      ]);
  });

  it("is met by the newest of all objects", () => {
    const failed = smoke(false, { uid: "first cluster", generation: 9, observedAt: ago(5) });

    expect(
      outcomes(judge({ needs: ["smoke"] }, [failed, smoke(true, { uid: "second cluster", generation: 1 })])),
    ).toEqual(["smoke met"]);
  });
});

describe("a smoke test that nobody needs", () => {
  it("says nothing while none failed", () => {
    expect(judge({}, [])).toEqual([]);
    expect(judge({}, [smoke(true), smoke(false, { observedAt: ago(2) })])).toEqual([]);
  });

  it("blocks all the same when it failed", () => {
    expect(judge({}, [smoke(true, { observedAt: ago(2) }), smoke(false)])).toEqual([
      {
        topic: "smoke",
        outcome: "blocking",
        message: "The newest smoke test of object-store 1.2.0 failed at 2026-11-21T11:00:00Z (run 7).",
        remedy:
          "See run 7: repair the module and release a newer version; or, if the module was not to blame, test it again.",
        source: { kind: "evidence", source: "run 7" },
      },
    ]);
  });

  it("does not block when it is of another content, or of tomorrow", () => {
    expect(judge({}, [smoke(false, { specHash: OTHER_HASH }), smoke(false, { observedAt: ago(-24) })])).toEqual([]);
  });
});

describe("an approval", () => {
  it("is met by the newest one", () => {
    expect(told(judge({ needs: ["approval"] }, [approval(true), approval(false, { observedAt: ago(2) })]))).toEqual([
      "approval met: octocat approved object-store 1.2.0 at 2026-11-21T11:00:00Z.",
    ]);
  });

  it("is waited for while there is none", () => {
    expect(judge({ needs: ["approval"] }, [])).toEqual([
      {
        topic: "approval",
        outcome: "waiting",
        message: "object-store 1.2.0 is not approved.",
        remedy: "Ask a person who may approve it, and name the file that says so with --evidence.",
        source: undefined,
      },
    ]);
  });

  it("that was refused blocks, needed or not", () => {
    const refusal = approval(false, { by: "hubot" });

    expect(judge({}, [refusal, approval(true, { observedAt: ago(2) })])).toEqual([
      {
        topic: "approval",
        outcome: "blocking",
        message: "hubot refused object-store 1.2.0 at 2026-11-21T11:00:00Z (run 7).",
        remedy: "Settle it with hubot: a newer approval lifts the refusal. Or release a newer version.",
        source: { kind: "evidence", source: "run 7" },
      },
    ]);
    expect(outcomes(judge({ needs: ["approval"] }, [refusal, approval(true)]))).toEqual(["approval blocking"]);
  });

  it("stands behind the smoke test in the answer, in whatever order the policy names them", () => {
    expect(outcomes(judge({ needs: ["approval", "smoke"] }, []))).toEqual(["smoke waiting", "approval waiting"]);
  });
});

describe("servedSince", () => {
  const since = (evidence: readonly Evidence[], landscapes: readonly LandscapeName[]): number =>
    servedSince(evidence, SUBJECT, landscapes);
  const hoursAgo = (hours: number): number => NOW_MS - hours * 3_600_000;

  it("is the last landscape's earliest observation", () => {
    const evidence = [
      served(DEV, { observedAt: ago(1) }),
      served(DEV, { observedAt: ago(9) }),
      served(PROD, { observedAt: ago(2) }),
      served(PROD, { observedAt: ago(5) }),
      served(PROD, { observedAt: ago(3) }),
    ];

    expect(since(evidence, [DEV, PROD])).toBe(hoursAgo(5));
    expect(since(evidence.toReversed(), [PROD, DEV])).toBe(hoursAgo(5));
    expect(since(evidence, [DEV])).toBe(hoursAgo(9));
  });

  it("is never while a landscape was not seen to serve it", () => {
    expect(since([served(DEV)], [DEV, PROD])).toBe(Number.POSITIVE_INFINITY);
    expect(since([served(DEV)], [])).toBe(Number.POSITIVE_INFINITY);
  });

  it("counts only this content", () => {
    const others = [
      served(DEV, { specHash: OTHER_HASH }),
      served(DEV, OF_REPLACED),
      served(DEV, { module: "istio" as ModuleName }),
      smoke(true, { landscape: DEV }),
    ];

    expect(since(others, [DEV])).toBe(Number.POSITIVE_INFINITY);
  });
});
