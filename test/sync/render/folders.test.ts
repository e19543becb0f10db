import { describe, expect, it } from "vitest";
import { LANDSCAPE_FILE, landscapeText, renderedLandscape } from "../../../src/sync/render/folders.ts";

const saying = (text: string): ReadonlyMap<string, Uint8Array> => new Map([[LANDSCAPE_FILE, Buffer.from(text)]]);

describe("the landscape of a rendered folder", () => {
  it("is as it was written, with the entries that wait", () => {
    const [none, some] = [
      { landscape: "prod", waiting: [] },
      { landscape: "prod", waiting: ["fast/istio"] },
    ];

    expect(renderedLandscape(saying(landscapeText(none)))).toEqual(none);
    expect(renderedLandscape(saying(landscapeText(some)))).toEqual(some);
    expect(landscapeText(none)).not.toContain("waiting");
  });

  it("is unknown without a landscape file", () => {
    expect(renderedLandscape(new Map([["objects/release-metas/istio.yaml", Buffer.from("")]]))).toBeUndefined();
  });

  it.each([
    ...["", "{", "[]", "{}", '{ "landscape": 1 }', '{ "landscape": "" }'],
    ...['{ "landscape": "dev", "waiting": {} }', '{ "landscape": "dev", "waiting": [1] }'],
  ])("cannot be parsed from %j", (text) => {
    expect(renderedLandscape(saying(text))).toBe("unreadable");
  });

  it("cannot be parsed from a link", () => {
    expect(renderedLandscape(new Map([[LANDSCAPE_FILE, undefined]]))).toBe("unreadable");
  });
});
