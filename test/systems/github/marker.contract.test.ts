import { describe, expect, it } from "vitest";
import { whyNotGreen } from "../../../src/systems/github/checks.ts";
import { markedDigest, proposedDigest, withMarker, withTrailers } from "../../../src/systems/github/marker.ts";

describe("the marker of a body", () => {
  it("says what was proposed, for its commit only", () => {
    const body = withMarker("Promotes istio.\n", "abc1", "digest");

    expect(body).toBe('Promotes istio.\n\n<!-- kyma-modules: {"head":"abc1","digest":"digest"} -->');
    expect(markedDigest(body, "abc1")).toBe("digest");
    expect(markedDigest(`${body}\r\n`, "abc1")).toBe("digest");
    expect(markedDigest(body, "abc2")).toBeUndefined();
  });

  it("has room left in what GitHub takes", () => {
    const body = withMarker("x".repeat(70_000), "abc1", "digest");

    expect(body.length).toBeLessThan(61_000);
    expect(markedDigest(body, "abc1")).toBe("digest");
  });

  it("counts only at the end", () => {
    expect(markedDigest(`${withMarker("x", "abc1", "digest")} and more`, "abc1")).toBeUndefined();
    expect(markedDigest(withMarker(withMarker("x", "abc1", "old"), "abc1", "new"), "abc1")).toBe("new");
    expect(markedDigest(null, "abc1")).toBeUndefined();
  });
});

describe("the trailers of a commit", () => {
  it.each([
    ["Subject", "Subject\n\nProposed-Tree: t\nProposal: d\n"],
    ["Subject: of sorts\n", "Subject: of sorts\n\nProposed-Tree: t\nProposal: d\n"],
    ["Subject\n\nBody: with\na colon", "Subject\n\nBody: with\na colon\n\nProposed-Tree: t\nProposal: d\n"],
    ["Subject\n\nBody\n\nPromotes: a 1.0.0\n", "Subject\n\nBody\n\nPromotes: a 1.0.0\nProposed-Tree: t\nProposal: d\n"],
  ])("follow %j", (message, whole) => {
    expect(withTrailers(message, "t", "d")).toBe(whole);
    expect(proposedDigest({ message: whole, tree: "t" })).toBe("d");
    expect(proposedDigest({ message: whole, tree: "another" })).toBeUndefined();
  });

  it("of another's commit are none", () => {
    expect(proposedDigest({ message: "Subject\n", tree: "t" })).toBeUndefined();
  });
});

describe("checks", () => {
  const none = { state: "pending", total: 0 };
  const check = (status: string, conclusion: string | null): Parameters<typeof whyNotGreen>[0][number] => ({
    ...{ name: "gate", status, conclusion },
  });

  it.each([
    [[check("completed", "success"), check("completed", "neutral")], none, undefined],
    [[check("completed", "success")], { state: "success", total: 1 }, undefined],
    [[check("completed", "success")], { state: "pending", total: 1 }, "a commit status is pending"],
    [[check("completed", "success")], { state: "failure", total: 1 }, "a commit status failed"],
    [[], { state: "success", total: 1 }, "no check ran"],
    [[check("completed", "skipped")], none, "no check succeeded"],
    [[check("queued", null)], none, "1 of 1 check is still running"],
    [[check("completed", "timed_out"), check("queued", null)], none, "the check gate ended with timed out"],
  ])("%j with the statuses %j: %s", (runs, status, why) => {
    expect(whyNotGreen(runs, status)).toBe(why);
  });
});
