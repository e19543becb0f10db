import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { check, type Checked } from "../../src/check/check.ts";
import { SAMPLE } from "../../src/check/example.ts";
import { RULES } from "../../src/check/rules.ts";
import { openValidator } from "../../src/systems/validator.ts";
import { quietRun } from "../support/quietRun.ts";
import { judgeExample, NOW_MS, sourceOf } from "./exampleWorld.ts";
import { NO_HISTORY } from "../support/noHistory.ts";
import { HOSTILE, reportsOn } from "./hostileInput.ts";
import { tries } from "../support/tries.ts";

const DATA = join(import.meta.dirname, "../../../shared/kyma-data/moduletemplates");

const validator = openValidator();
afterAll(() => validator.close());

/** What a terminal acts upon: C0 but for the line feed, DEL, C1. */
const CONTROL = /[^\P{Cc}\n]|\u202e/u;

/** Every finding has a place, and every report can be shown. */
function expectOrder(checked: Checked, files: Parameters<typeof reportsOn>[1]): void {
  for (const { line, column, message, remedy } of checked.result.findings) {
    expect([line >= 1, column >= 1, message !== "", remedy !== ""]).toEqual([true, true, true, true]);
  }
  for (const report of reportsOn(checked, files)) {
    expect(report).not.toMatch(CONTROL);
    expect(report).not.toMatch(/^ {4}at /m);
  }
}

describe("a hostile change ends with findings, or none", () => {
  it.each(Object.entries(HOSTILE))("%s", async (_, change) => {
    expectOrder(await judgeExample({ change }, RULES, validator), change);

    expect({}).not.toHaveProperty("polluted");
  });
});

/** Bytes to write over others: `at` counts in thousandths of the file. */
const edits = fc.array(
  fc.record({
    at: fc.nat(999),
    remove: fc.nat(12),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom(
        ...["\n", "\t", "- ", ": ", "{", "]", '"', "&a ", "*a ", "<<: ", "---\n", "|", "\0", "\ud83d\ude00", "~"].map(
          (text) => Buffer.from(text),
        ),
      ),
    ),
  }),
  { minLength: 1, maxLength: 5 },
);

type Edits = typeof edits extends fc.Arbitrary<infer T> ? T : never;

function mutated(bytes: Uint8Array, changes: Edits): Uint8Array {
  return changes.reduce<Uint8Array>((current, { at, remove, insert }) => {
    const start = Math.floor((at / 1000) * current.length);
    return Buffer.concat([current.subarray(0, start), insert, current.subarray(start + remove)]);
  }, bytes);
}

describe("random bytes", () => {
  it("in any file of a catalogue never make it throw", async () => {
    const files = Object.keys(SAMPLE);

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), edits, async (path, changes) => {
        const bytes = mutated(Buffer.from(String(SAMPLE[path])), changes);
        const change = { [path]: { kind: "bytes", bytes } } as const;
        expectOrder(await judgeExample({ change }, RULES, validator), change);
      }),
      tries(60),
    );
  });

  it("in real templates outside of a catalogue never make it throw", async (context) => {
    if (!existsSync(DATA)) return context.skip("there is no ../shared/kyma-data beside this repository");
    const files = readdirSync(DATA).filter((name) => name.endsWith(".yaml"));

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), edits, async (name, changes) => {
        const bytes = mutated(readFileSync(join(DATA, name)), changes);
        expectOrder(await checkLoose(name, bytes), { [name]: Buffer.from(bytes).toString() });
      }),
      tries(60),
    );
  });
});

function checkLoose(path: string, bytes: Uint8Array): Promise<Checked> {
  return check(
    {
      head: sourceOf(new Map([[path, { kind: "bytes", bytes }]])),
      base: undefined,
      paths: undefined,
      loose: true,
      people: { author: undefined, approvedBy: [], teams: new Map() },
    },
    {
      clock: { nowMs: () => NOW_MS, pause: () => Promise.resolve() },
      validator,
      history: NO_HISTORY,
      outside: { kind: "not-asked", why: "tests ask no server" },
    },
    quietRun(),
  );
}
