import { describe, expect, it, test } from "vitest";
import { quoteTexts } from "../../src/catalogue/quoteTexts.ts";
import { channelTemplate } from "./repository.ts";

const holds = (fields: string): string => `format: 1\nholds:\n  - version: 1.0.0\n${fields}`;
const REST = `    since: "2026-01-01T00:00:00Z"\n`;

describe("quoteTexts", () => {
  it("quotes a value that the schema accepts only as text, and keeps the rest of the line", () => {
    const text = holds(`    reason: no # really\n    by: y\n${REST}`);

    expect(quoteTexts(text, "holds")).toBe(holds(`    reason: "no" # really\n    by: "y"\n${REST}`));
  });

  it("quotes in any item of a list", () => {
    const item = `  - version: 1.0.0\n    reason: no\n    by: boss\n${REST}`;
    const text = holds(`    reason: R\n    by: boss\n${REST}${item}`);

    expect(quoteTexts(text, "holds")).toBe(text.replace("reason: no", `reason: "no"`));
  });

  it("quotes labels and annotations of a template", () => {
    const text = channelTemplate("fast").replace("  labels:\n", "  labels:\n    enabled: on\n");

    expect(quoteTexts(text, "moduleTemplate")).toBe(text.replace("enabled: on", `enabled: "on"`));
  });

  it("does not quote a value that may be a boolean or a number", () => {
    const text = `${channelTemplate("fast")}  data:\n    spec: { enabled: no, mode: 0o17, list: [on] }\n`;

    expect(quoteTexts(text, "moduleTemplate")).toBe(text);
  });

  it("does not quote a value that the schema refuses as text, too", () => {
    const text = channelTemplate("fast").replace("version: 1.0.0\n  desc", "version: 1_0\n  desc");

    expect(quoteTexts(text, "moduleTemplate")).toBe(text);
  });

  test.each([
    ["a value that others refer to", holds(`    reason: &why no\n    by: y\n${REST}`), /&why no\n {4}by: "y"/],
    ["an alias", holds(`    reason: &why some\n    by: *why\n${REST}`), /\*why/],
    ["a file with an ambiguous key", `on: x\n${holds(`    reason: no\n${REST}`)}`, /reason: no/],
    ["a file with a key that is not text", `? [a]\n: no\n${holds(`    reason: no\n${REST}`)}`, /reason: no/],
    ["an empty file", "", /^$/],
  ])("does not change %s", (_, text, wanted) => {
    expect(quoteTexts(text, "holds")).toMatch(wanted);
  });
});
