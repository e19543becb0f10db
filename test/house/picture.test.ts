import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./clone.ts";
import { picture } from "./picture.ts";

it("CONTRIBUTING.md shows the house as the import rules have it", () => {
  const page = readFileSync(join(root, ".github/CONTRIBUTING.md"), "utf8");
  const [, shown] = /```mermaid\n([\s\S]*?)\n```/.exec(page) ?? [];

  expect(shown).toBe(picture());
});
