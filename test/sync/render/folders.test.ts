import { describe, expect, it } from "vitest";
import { LANDSCAPE_FILE, landscapeText, renderedLandscape } from "../../../src/sync/render/folders.ts";

const saying = (text: string): ReadonlyMap<string, Uint8Array> => new Map([[LANDSCAPE_FILE, Buffer.from(text)]]);

describe("the landscape of a rendered folder", () => {
  it("is the one that was written", () => {
    expect(renderedLandscape(saying(landscapeText("prod")))).toBe("prod");
  });

  it("is unknown without a landscape file", () => {
    expect(renderedLandscape(new Map([["objects/release-metas/istio.yaml", Buffer.from("")]]))).toBeUndefined();
  });

  it.each(["", "{", "[]", "{}", '{ "landscape": 1 }'])("cannot be parsed from %j", (text) => {
    expect(renderedLandscape(saying(text))).toBe("");
  });

  it("cannot be parsed from a link", () => {
    expect(renderedLandscape(new Map([[LANDSCAPE_FILE, undefined]]))).toBe("");
  });
});
