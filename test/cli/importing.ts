import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { onTestFinished } from "vitest";
import { folderWith } from "./program.ts";

/** Files by name, each with the text of an object. */
export function inputs(objects: Readonly<Record<string, object | string>>): string {
  const texts = Object.entries(objects).map(
    ([name, object]) => [name, typeof object === "string" ? object : stringify(object)] as const,
  );
  const folder = folderWith(new Map(texts));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Path to content, and when it was written. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  return Object.fromEntries(
    paths
      .sort()
      .map((path) => [path, `${statSync(join(folder, path)).mtimeMs} ${readFileSync(join(folder, path), "utf8")}`]),
  );
}
