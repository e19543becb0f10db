import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RULES } from "../../src/check/rules.ts";
import { root } from "./clone.ts";

const HEADINGS = readFileSync(join(root, "README.md"), "utf8")
  .split("\n")
  .flatMap((line) => (/^#+ /.test(line) ? [line.replace(/^#+ /, "").replaceAll("`", "")] : []));

describe("what a rule cites", () => {
  it.each(RULES)("$id: lies in the repository, or has an address", ({ source }) => {
    const cited = [...source.matchAll(/README\.md, "([^"]+)"/g)].map(([, heading = ""]) => heading);

    expect(source).not.toMatch(/\.\.\/|(?<!README)\.md\b/);
    for (const heading of cited) expect(HEADINGS).toContain(heading);
  });
});
