import { describe, expect, it } from "vitest";
import { SAMPLE } from "../../src/check/example.ts";
import { explainRule, listRules } from "../../src/check/report/explain.ts";
import { PLAIN } from "../../src/check/report/text.ts";
import { RULES } from "../../src/check/rules.ts";

const CONTROL = /[^\P{Cc}\n]|\u202e/u;

describe.each(RULES.map((rule) => [rule.id, rule] as const))("the explanation of %s", (_, rule) => {
  const text = explainRule(rule, PLAIN);

  it("shows the demand, the reason, the source, whether it can be waived, and both examples", () => {
    for (const part of [rule.demand, rule.rationale, `Source: ${rule.source}`]) expect(text).toContain(part);
    expect(text).toMatch(rule.waivable ? /can waive it/ : /cannot be waived/);
    const [, refused = "", accepted = ""] = text.split(/^(?:Refused \(.*\)|Accepted):$/m);
    expect(refused.trim()).not.toBe("");
    expect(accepted.trim()).not.toBe("");
    expect(accepted).not.toBe(refused);
  });

  it("marks the line that is bad, where there is one", () => {
    const refused = text.slice(text.indexOf("\nRefused ("), text.indexOf("\nAccepted:"));
    const marked = refused.split("\n").filter((line) => line.startsWith("  > "));

    const { base, change, at } = rule.bad;
    const isText = typeof { ...SAMPLE, ...base, ...change }[at.file] === "string";
    expect(marked).toEqual(isText ? [expect.stringContaining(at.line) as string] : []);
  });

  it("shows no control characters", () => {
    expect(text).not.toMatch(CONTROL);
  });
});

it("lists all rules by group, in order, in columns", () => {
  const lines = listRules(RULES, PLAIN).split("\n");
  const listed = lines.filter((line) => line.startsWith("  ")).map((line) => line.trim().split(/ +/, 1)[0]);

  expect(listed).toEqual(RULES.map(({ id }) => id));
  expect(lines.filter((line) => !line.startsWith("  "))).toEqual([...new Set(RULES.map(({ group }) => group))]);
});

it("paints headings and severities", () => {
  const paper = { paint: (style: string, text: string) => `<${style}>${text}</>`, width: 80 };
  const [rule] = RULES;

  expect(rule && explainRule(rule, paper)).toMatch(/^<strong>yaml-syntax<\/> {2}<bad>error<\/>\n/);
  expect(listRules(RULES, paper)).toMatch(/^<strong>file<\/>\n/);
});
