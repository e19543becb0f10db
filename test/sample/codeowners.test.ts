import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CODEOWNERS_PATH, codeownersText } from "../../src/catalogue/codeowners.ts";
import { parse } from "../../src/catalogue/parse.ts";
import type { SnapshotFile } from "../../src/document/snapshot.ts";

const ROOT = join(import.meta.dirname, "../..");

it("CODEOWNERS matches the sample's files", () => {
  const paths = globSync(["kyma-modules.yaml", "{channels,modules}/**/*.yaml"], { cwd: ROOT });
  const files = paths.map((path): [string, SnapshotFile] => [
    path,
    { kind: "bytes", bytes: readFileSync(join(ROOT, path)) },
  ]);
  const parsing = parse(undefined, new Map(files));
  const existing = readFileSync(join(ROOT, CODEOWNERS_PATH), "utf8");

  expect(parsing.kind === "catalogue" ? codeownersText(parsing.catalogue, existing) : parsing.findings).toBe(existing);
});
