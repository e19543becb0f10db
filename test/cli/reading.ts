import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect } from "vitest";
import { FAST, templateText } from "../../src/check/example.ts";
import { ServedContentReader } from "../../src/catalogue/history/servedContent.ts";
import type { Folder } from "../systems/repository.ts";
import { kymaIn, merge } from "./promoting.ts";

/** One item of a document in JSON. */
export type Item = Readonly<Record<string, unknown>>;

/** What `history` or `status` prints as JSON, once its schema accepted it. */
export function itemsOf(kind: "history" | "status", stdout: string): readonly Item[] {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../schemas/output/${kind}.schema.json`), "utf8"),
  ) as { readonly examples: readonly unknown[] };
  const ajv = new Ajv({ formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) } });
  const accepts = ajv.compile(schema);
  const document = JSON.parse(stdout) as { readonly items: readonly Item[] };
  for (const each of [document, ...schema.examples]) {
    accepts(each);
    expect(accepts.errors ?? []).toEqual([]);
  }
  return document.items;
}

/** Runs a command of promotion, which has to end with 0; gives what it prints. */
export async function told(site: Folder, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await kymaIn(site.path, args);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** Merges a branch that a command made, as people do without a forge; gives the merge. */
export function mergeBranch(site: Folder, branch: string): string {
  site.git("merge", "--quiet", "--no-ff", "--no-edit", branch);
  return site.git("rev-parse", "HEAD");
}

/** Fast got a version, so many days ago; gives the commit. */
export function submit(site: Folder, version: string, daysAgo: number): string {
  return merge(site, { [FAST]: templateText("fast", version) }, daysAgo);
}

/** What is ready is promoted to regular; gives the merge. */
export async function promoted(site: Folder, ...options: readonly string[]): Promise<string> {
  await told(site, "promote", "--apply", ...options);
  return mergeBranch(site, "promote/regular/sample");
}

/** `specHash` of what fast serves as `version`. */
export function hashOfSample(version: string): string {
  const content = { kind: "bytes", bytes: Buffer.from(templateText("fast", version)) } as const;
  return new ServedContentReader("fast", "sample").read(FAST, content)?.hash() ?? "";
}

/** The line below the table of `status`, as `linesOf` gives it, if the forge was not needed or was asked. */
export const STATUS_FOOT: unknown = expect.stringMatching(/^(?!.*\bforge\b).*\bCOMMIT\b.*\bTIME\b/);

/** The rows below the table's head, and what stands below them, without times and commits. */
export function linesOf(stdout: string): readonly string[] {
  return stdout
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) =>
      line
        .replace(/\d{4}-\d\d-\d\dT[0-9:]+Z/g, "TIME")
        .replace(/\b[0-9a-f]{10}\b/g, "COMMIT")
        .replace(/ {2,}/g, "  "),
    );
}
