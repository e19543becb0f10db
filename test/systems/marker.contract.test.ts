import { describe, expect, it } from "vitest";
import { closedBody, proposedDigest, readMarker, withMarker, withTrailers } from "../../src/systems/marker.ts";

const MARKER = { head: "abc1", digest: "digest", isClosed: false };

describe("the marker of a body", () => {
  it("names the proposal and its commit", () => {
    const body = withMarker("Promotes istio.\n", MARKER);

    expect(body).toBe('Promotes istio.\n\n<!-- kyma-modules: {"head":"abc1","digest":"digest"} -->');
    expect(readMarker(body)).toEqual(MARKER);
    expect(readMarker(`${body}\r\n`)).toEqual(MARKER);
  });

  it("fits into GitHub's limit", () => {
    const body = withMarker("x".repeat(70_000), MARKER);

    expect(body.length).toBeLessThan(61_000);
    expect(readMarker(body)).toEqual(MARKER);
  });

  it("is found before text of people, and the last one counts", () => {
    const [old, body] = [withMarker("x", { ...MARKER, digest: "old" }), withMarker("x", MARKER)];

    expect(readMarker(`${body}\n\nNot yet, says boss.`)).toEqual(MARKER);
    expect(readMarker(`${old}\n${body}`)).toEqual(MARKER);
    expect(readMarker(null)).toBeUndefined();
    expect(readMarker("Something else.")).toBeUndefined();
  });

  it("of a pull request that this program closed says so, and the text of people stays", () => {
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

  it("of other commits are ignored", () => {
    expect(proposedDigest({ message: "Subject\n", tree: "t" })).toBeUndefined();
  });
});
