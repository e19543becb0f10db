import { describe, expect, it } from "vitest";
import { closedBody, isMarked, readMarker, withMarker, withTrailer, withWarning } from "../../src/systems/marker.ts";

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

describe("the warning of a pull request", () => {
  const body = withMarker("Promotes istio.", MARKER);

  it("is on top, takes the place of an earlier one, and makes the text incomplete", () => {
    const warned = withWarning(body, "Eve changed it.");

    expect(warned).toMatch(/^<!-- kyma-modules: warning -->\n> \[!CAUTION\]\n> Eve changed it\.\n/);
    expect(warned).toContain("\n\nPromotes istio.\n\n");
    expect(readMarker(warned)).toEqual({ ...MARKER, head: "0" });
    expect(withWarning(warned, "Eve changed it.")).toBe(warned);
    expect(withWarning(withWarning(body, "Bob changed it."), "Eve changed it.")).toBe(warned);
  });

  it("is also put on a text of a person", () => {
    const warned = withWarning("Mine.", "Eve changed it.");

    expect(warned).toMatch(/Eve changed it\.\n\n.*\n\nMine\.$/);
    expect(withWarning(warned, "Eve changed it.")).toBe(warned);
  });
});

describe("the trailer of a commit", () => {
  it.each([
    ["Subject", "Subject\n\nProposed-Tree: t\n"],
    ["Subject: of sorts\n", "Subject: of sorts\n\nProposed-Tree: t\n"],
    ["Subject\n\nBody: with\na colon", "Subject\n\nBody: with\na colon\n\nProposed-Tree: t\n"],
    ["Subject\n\nBody\n\nPromotes: a 1.0.0\n", "Subject\n\nBody\n\nPromotes: a 1.0.0\nProposed-Tree: t\n"],
  ])("follows %j", (message, whole) => {
    expect(withTrailer(message, "t")).toBe(whole);
    expect([whole, "Subject\n"].map((text) => isMarked({ message: text, tree: "t" }))).toEqual([true, false]);
    expect(isMarked({ message: whole, tree: "another" })).toBe(false);
  });
});
