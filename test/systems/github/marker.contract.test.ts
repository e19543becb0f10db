import { describe, expect, it } from "vitest";
import {
  whoAskForChanges,
  whyNotGreen,
  whyNotPassed,
  type CheckRun,
  type Review,
} from "../../../src/systems/github/checks.ts";
import {
  closedBody,
  proposedDigest,
  readMarker,
  withMarker,
  withTrailers,
} from "../../../src/systems/github/marker.ts";

const MARKER = { head: "abc1", digest: "digest", isClosed: false };

describe("the marker of a body", () => {
  it("says what was proposed, and by which commit", () => {
    const body = withMarker("Promotes istio.\n", MARKER);

    expect(body).toBe('Promotes istio.\n\n<!-- kyma-modules: {"head":"abc1","digest":"digest"} -->');
    expect(readMarker(body)).toEqual(MARKER);
    expect(readMarker(`${body}\r\n`)).toEqual(MARKER);
  });

  it("has room left in what GitHub takes", () => {
    const body = withMarker("x".repeat(70_000), MARKER);

    expect(body.length).toBeLessThan(61_000);
    expect(readMarker(body)).toEqual(MARKER);
  });

  it("counts also where people wrote behind it, and the last of several does", () => {
    const [old, body] = [withMarker("x", { ...MARKER, digest: "old" }), withMarker("x", MARKER)];

    expect(readMarker(`${body}\n\nNot yet, says boss.`)).toEqual(MARKER);
    expect(readMarker(`${old}\n${body}`)).toEqual(MARKER);
    expect(readMarker(null)).toBeUndefined();
    expect(readMarker("Something else.")).toBeUndefined();
  });

  it("of what this program closed says so, and keeps what people wrote", () => {
    const body = closedBody(`${withMarker("Promotes istio.", MARKER)}\n\nA note.`, "Closed.", "abc2");

    expect(body).toMatch(/^Closed\.\n\nPromotes istio\.\n\nA note\.\n\n<!-- .* -->$/);
    expect(readMarker(body)).toEqual({ ...MARKER, isClosed: true });
    expect(readMarker(closedBody("A person's.", "Closed.", "abc2"))).toEqual({
      head: "abc2",
      digest: "",
      isClosed: true,
    });
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
  const check = (status: string, conclusion: string | null, more: Partial<CheckRun> = {}): CheckRun => ({
    ...{ id: 1, name: "check", app: "1", status, conclusion },
    ...more,
  });
  const done = (conclusion: string, more: Partial<CheckRun> = {}): CheckRun => check("completed", conclusion, more);

  it.each<readonly [string, readonly CheckRun[], string | undefined]>([
    ["all green", [done("success"), done("neutral", { name: "smoke" })], undefined],
    ["another's check alone", [done("success", { name: "DCO" })], "the gate (the check check) did not run"],
    ["no check", [], "the gate (the check check) did not run"],
    ["a gate that was skipped", [done("skipped")], "the gate (the check check) was skipped"],
    ["one that runs", [check("queued", null)], "1 of 1 check is still running"],
    [
      "one that failed",
      [done("success"), done("timed_out", { name: "smoke" })],
      "the check smoke ended with timed out",
    ],
    ["one that was run again", [done("success", { id: 7 }), done("cancelled", { id: 3 })], undefined],
    ["one that failed again", [done("failure", { id: 7 }), done("success", { id: 3 })], "the check check failed"],
    ["one of two apps", [done("success", { id: 7 }), done("failure", { id: 3, app: "2" })], "the check check failed"],
  ])("of %s", (_, runs, why) => {
    expect(whyNotGreen(runs, "check")).toBe(why);
  });

  it("are joined by commit statuses, where there are any", () => {
    expect(whyNotPassed({ state: "pending", total: 0 })).toBeUndefined();
    expect(whyNotPassed({ state: "success", total: 1 })).toBeUndefined();
    expect(whyNotPassed({ state: "pending", total: 1 })).toBe("a commit status is pending");
    expect(whyNotPassed({ state: "failure", total: 1 })).toBe("a commit status failed");
  });
});

describe("reviews", () => {
  const review = (reviewer: string | null, state: string): Review => ({ reviewer, state });

  it.each<readonly [string, readonly Review[], readonly string[]]>([
    ["nobody", [], []],
    ["one who asks for changes", [review("anna", "CHANGES_REQUESTED")], ["anna"]],
    ["one who only commented since", [review("anna", "CHANGES_REQUESTED"), review("anna", "COMMENTED")], ["anna"]],
    ["one who begins another review", [review("anna", "CHANGES_REQUESTED"), review("anna", "PENDING")], ["anna"]],
    ["one who came round", [review("anna", "CHANGES_REQUESTED"), review("anna", "APPROVED")], []],
    ["one whose review was dismissed", [review("anna", "CHANGES_REQUESTED"), review("anna", "DISMISSED")], []],
    ["two", [review("zoe", "CHANGES_REQUESTED"), review("anna", "CHANGES_REQUESTED")], ["zoe", "anna"]],
    ["one whose account is gone", [review(null, "CHANGES_REQUESTED")], []],
  ])("of %s", (_, reviews, who) => {
    expect(whoAskForChanges(reviews)).toEqual(who);
  });
});
