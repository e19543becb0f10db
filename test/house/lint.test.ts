import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ESLint } from "eslint";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "./clone.ts";

const fixtures = join(import.meta.dirname, "fixtures/lint");

/** What each file breaks; `INLINE` stands for a comment that wants to switch a rule off. */
const INLINE = "a comment for ESLint";
const expected: Readonly<Record<string, readonly string[]>> = {
  "src/catalogue/chance.ts": ["no-restricted-properties"],
  "src/catalogue/clock.ts": ["no-restricted-properties"],
  "src/catalogue/date.ts": ["no-restricted-syntax"],
  "src/catalogue/identity.ts": ["no-restricted-imports"],
  "src/catalogue/instant.ts": [],
  "src/cli/plan.ts": [],
  "src/dashboard/markup.ts": ["no-restricted-syntax"],
  "src/kubernetes/waiting.ts": ["no-restricted-syntax"],
  "src/sync/SyncHelper.ts": ["no-restricted-syntax"],
  "src/sync/anything.ts": ["@typescript-eslint/no-explicit-any"],
  "src/sync/asserted.ts": ["@typescript-eslint/no-non-null-assertion"],
  "src/sync/branches.ts": ["complexity"],
  "src/sync/cast.ts": ["no-restricted-syntax"],
  "src/sync/disabled.ts": [INLINE, "no-restricted-globals"],
  "src/sync/floating.ts": ["@typescript-eslint/no-floating-promises"],
  "src/sync/identity.ts": ["no-restricted-globals"],
  "src/sync/later.ts": ["no-warning-comments"],
  "src/sync/length.ts": ["max-lines-per-function"],
  "src/sync/lines.ts": ["max-lines"],
  "src/sync/missing.ts": ["@typescript-eslint/switch-exhaustiveness-check"],
  "src/sync/parameters.ts": ["max-params"],
  "src/sync/pause.ts": ["no-restricted-globals"],
  "src/sync/plan/waves.ts": ["no-restricted-syntax"],
  "src/sync/rest.ts": ["@typescript-eslint/switch-exhaustiveness-check"],
  "src/sync/rowOf.ts": ["no-restricted-syntax"],
  "src/sync/swallowed.ts": ["no-empty"],
  "src/sync/unmeasured.ts": ["no-warning-comments"],
  "src/systems/exit.ts": ["no-restricted-imports"],
  "src/systems/home.ts": ["no-restricted-properties"],
  "src/systems/pid.ts": [],
};

describe("the lint rules of the house", () => {
  let found: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    const eslint = new ESLint({ cwd: fixtures, overrideConfigFile: join(root, "eslint.config.js") });
    const results = await eslint.lintFiles(["src"]);
    found = new Map(
      results.map(({ filePath, messages }) => [
        filePath.slice(fixtures.length + 1),
        [...new Set(messages.map(({ ruleId }) => ruleId ?? INLINE))].sort(),
      ]),
    );
  });

  it.each(Object.entries(expected))("in %s see %j", (file, rules) => {
    expect(found.get(file)).toEqual(rules);
  });

  it("were tried on every file of the fixtures", () => {
    const files = readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    expect(files.sort()).toEqual(Object.keys(expected));
    expect([...found.keys()].sort()).toEqual(Object.keys(expected));
  });
});
