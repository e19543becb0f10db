import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../../src/catalogue/evidence/evidence.ts";
import type { LandscapeName, ModuleName } from "../../../../src/catalogue/names.ts";
import { servedSince } from "../../../../src/promote/verdict/evidence/evidence.ts";
import {
  ago,
  approval,
  DEV,
  judge,
  NOW_MS,
  OF_REPLACED,
  OTHER_HASH,
  outcomes,
  PROD,
  served,
  SUBJECT,
  told,
} from "../evidenceSamples.ts";
import { mentions } from "../../../support/mentions.ts";

describe("an approval", () => {
  it("is met by the newest one", () => {
    expect(told(judge({ needs: ["approval"] }, [approval(true), approval(false, { observedAt: ago(2) })]))).toEqual([
      mentions("approval met", "octocat", "object-store 1.2.0", "2026-11-21T11:00:00Z"),
    ]);
  });

  it("is waited for while it is missing", () => {
    expect(judge({ needs: ["approval"] }, [])).toEqual([
      {
        topic: "approval",
        outcome: "waiting",
        message: expect.stringMatching(/^object-store 1\.2\.0 [^()]*\bnot approved\b[^()]*$/) as string,
        remedy: mentions("--evidence"),
        source: undefined,
      },
    ]);
  });

  it("blocks if it was refused, needed or not", () => {
    const refusal = approval(false, { by: "hubot" });

    expect(judge({}, [refusal, approval(true, { observedAt: ago(2) })])).toEqual([
      {
        topic: "approval",
        outcome: "blocking",
        message: mentions("hubot", "refused", "object-store 1.2.0", "2026-11-21T11:00:00Z", "run 7"),
        remedy: mentions("hubot", "newer approval", "newer version"),
        source: { kind: "evidence", source: "run 7" },
      },
    ]);
    expect(outcomes(judge({ needs: ["approval"] }, [refusal, approval(true)]))).toEqual(["approval blocking"]);
  });

  it("is not met by an older generation that was observed later", () => {
    const about = { uid: "6e1c", landscape: DEV };
    const now = approval(false, { ...about, generation: 4, observedAt: ago(5) });

    for (const generation of [{ generation: 3 }, {}])
      expect(outcomes(judge({ needs: ["approval"] }, [approval(true, { ...about, ...generation }), now]))).toEqual([
        "approval blocking",
      ]);
  });

  it("is met by the newest of all objects", () => {
    const refused = approval(false, { uid: "first", generation: 9, observedAt: ago(5) });

    expect(outcomes(judge({ needs: ["approval"] }, [refused, approval(true, { uid: "second" })]))).toEqual([
      "approval met",
    ]);
  });

  it("is not met by an approval of another content, and names both", () => {
    expect(told(judge({ needs: ["approval"] }, [approval(true, { specHash: OTHER_HASH, source: "run 3" })]))).toEqual([
      mentions(
        ...["approval waiting", "object-store 1.2.0"],
        ...["1.2.0", "sha256:c3c3c3c3", "run 3", "sha256:a1a1a1a1"],
      ),
    ]);
  });

  it("comes after the smoke test, in whatever order the policy names them", () => {
    expect(outcomes(judge({ needs: ["approval", "smoke"] }, []))).toEqual([
      ...["smoke waiting", "smoke waiting", "approval waiting"],
    ]);
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

  it("is infinite while a landscape was not seen to serve it", () => {
    expect(since([served(DEV)], [DEV, PROD])).toBe(Number.POSITIVE_INFINITY);
    expect(since([served(DEV)], [])).toBe(Number.POSITIVE_INFINITY);
  });

  it("counts only this content", () => {
    const others = [
      served(DEV, { specHash: OTHER_HASH }),
      served(DEV, OF_REPLACED),
      served(DEV, { module: "istio" as ModuleName }),
      approval(true, { landscape: DEV }),
    ];

    expect(since(others, [DEV])).toBe(Number.POSITIVE_INFINITY);
  });
});
