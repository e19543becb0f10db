import { afterAll, describe, expect, test } from "vitest";
import type { Finding } from "../../src/document/finding.ts";
import type { Example } from "../../src/check/example.ts";
import { GROUPS, type Rule } from "../../src/check/rule.ts";
import { RULES } from "../../src/check/rules.ts";
import { openValidator } from "../../src/systems/validator.ts";
import { filesOf, judgeExample } from "./exampleWorld.ts";

const validator = openValidator();
afterAll(() => validator.close());

describe.each(RULES.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  test("refuses its bad example, on the line that is bad", async () => {
    const findings = await findingsOf(rule.bad);
    expect(findings.filter((finding) => finding.rule === id).map(placeOf)).toEqual(linesOf(rule));
    expect(othersThan(rule, findings)).toEqual([]);
  });

  test("accepts its good example", async () => {
    const findings = await findingsOf(rule.good);
    expect(findings.filter((finding) => finding.rule === id)).toEqual([]);
    expect(othersThan(rule, findings)).toEqual([]);
  });
});

test("every rule has a unique id, a group, and texts", () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  for (const { id, group, demand, rationale, source } of RULES) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(GROUPS).toContain(group);
    for (const text of [demand, rationale]) expect(text).toMatch(/[.]$/);
    expect(source).not.toBe("");
  }
});

test("rules are in the order of their groups", () => {
  const groups = RULES.map(({ group }) => GROUPS.indexOf(group));
  expect(groups).toEqual(groups.toSorted((a, b) => a - b));
});

async function findingsOf(example: Example): Promise<readonly Finding[]> {
  return (await judgeExample(example, RULES, validator)).result.findings;
}

function placeOf({ file, line }: Finding): string {
  return `${file}:${line}`;
}

/** Where a rule says that its bad example is bad; the first line of a file that is not there, or is not text. */
function linesOf({ bad }: Rule): readonly string[] {
  const files = filesOf(bad);
  const places = [bad.at, ...(bad.alsoAt ?? [])].map(({ file, line: wanted }) => {
    const content = files.get(file);
    const text = content?.kind === "bytes" ? Buffer.from(content.bytes).toString() : "";
    const line = wanted === "" ? 0 : text.split("\n").findLastIndex((candidate) => candidate.includes(wanted));
    expect(line, `${file} holds no line with ${wanted}`).not.toBe(-1);
    return `${file}:${line + 1}`;
  });
  return places.toSorted();
}

/** Errors of other rules: an example shows one thing. */
function othersThan({ id, bad }: Rule, findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ rule, severity }) => severity === "error" && rule !== id && bad.also?.includes(rule) !== true)
    .map(({ rule, file, line, message }) => `${file}:${line} ${rule}: ${message}`);
}
