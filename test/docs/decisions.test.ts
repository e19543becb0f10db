import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../house/clone.ts";

it("every decision has a row in the list: number, question, answer, status", () => {
  const folder = join(root, ".github/decisions");
  const files = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));
  const rows = readFileSync(join(folder, "README.md"), "utf8").match(/^\| \[\d.*$/gm) ?? [];

  expect(files.length).toBeGreaterThan(0);
  expect(rows.map((row) => /\((.*?)\)/.exec(row)?.[1])).toEqual(files.toSorted());
  expect(rows.filter((row) => row.split("|").filter((cell) => cell.trim() !== "").length !== 4)).toEqual([]);
});
