import { expect, it } from "vitest";
import { bumpManifest, BUMP, manifestPath, type ExampleFiles } from "../../src/check/example.ts";
import { run } from "../cli/program.ts";
import { sampleRepository } from "../cli/checking.ts";

const MANIFEST = manifestPath("1.2.0");
const MIB = 1024 * 1024;

/** As many documents as fit into `bytes`. */
function documents(bytes: number, document: (at: number) => string): string {
  const length = document(0).length + 8;
  return Array.from({ length: Math.floor(bytes / length) }, (_, at) => document(at)).join("---\n");
}

function configMap(at: number): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: map-${at}, namespace: kyma-system }\ndata: { a: "${"x".repeat(900)}" }\n`;
}

function withManifest(text: string): ExampleFiles {
  return { ...BUMP, [MANIFEST]: text };
}

it.each<[string, () => ExampleFiles, 0 | 1]>([
  ["holds 30,000 objects in 30 MB", () => withManifest(documents(30 * MIB, configMap)), 1],
  ["is one object of 30 MB", () => withManifest(configMap(0).replace("xxx", "x".repeat(30 * MIB))), 1],
  ["has a line of 10 MB in words", () => bumpManifest("kind: ClusterRole\n", `kind: ${"x".repeat(10_000_000)}\n`), 1],
  [
    "has a line of 10 MB that is a comment",
    () => bumpManifest("kind: ClusterRole\n", `kind: ClusterRole # ${"x".repeat(10_000_000)}\n`),
    0,
  ],
])("a manifest that %s is judged to the end", async (_, change, expected) => {
  const repository = sampleRepository();
  const files = Object.entries(change()).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  repository.write(Object.fromEntries(files));

  const { code, stdout, stderr } = await run([
    "check",
    "--base",
    "HEAD",
    "--worktree",
    "--offline",
    "--repo",
    repository.path,
  ]);

  expect(stderr).toBe("");
  expect(code).toBe(expected);
  expect(stdout.length).toBeLessThan(MIB);
});
