import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { picture } from "./picture.ts";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("README.md", () => {
  it("shows the house as the import rules have it", () => {
    const [, shown] = /```mermaid\n([\s\S]*?)\n```/.exec(readme) ?? [];

    expect(shown).toBe(picture());
  });

  it("links only to files that exist", () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => link ?? "");

    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(() => readFileSync(join(root, link))).not.toThrow("ENOENT");
  });
});
