import { describe, expect, it } from "vitest";
import {
  BUMP,
  edit,
  FAST,
  MODULE,
  MODULE_TEXT,
  REGULAR,
  type Example,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import type { Rule } from "../../../../src/check/rule.ts";
import { componentChanged } from "../../../../src/check/rules/channel/componentChanged.ts";
import { restrictionChanged } from "../../../../src/check/rules/channel/restrictionChanged.ts";
import { APPROVED, contextOf, NO_BASE, NOT_KNOWN, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const judged = async (rule: Rule, example: Example): Promise<readonly string[]> => said(rule, await contextOf(example));
const UNSERVED: ExampleFiles = { [FAST]: undefined, [REGULAR]: undefined };

function textOf({ [MODULE]: text }: ExampleFiles): string {
  return typeof text === "string" ? text : expect.unreachable();
}

describe.each([restrictionChanged, componentChanged])("$id", (rule) => {
  it("is not judged without a base", async () => {
    expect(said(rule, await wholeContext({}))).toEqual([NO_BASE]);
  });

  it("has nothing to say about a module that no channel serves before or after the change", async () => {
    const { change } = rule.bad;
    expect(await judged(rule, { base: UNSERVED, change })).toEqual([]);
    expect(await judged(rule, { base: UNSERVED, change: { ...BUMP, ...change } })).toEqual([]);
    expect(await judged(rule, { change: { ...UNSERVED, ...change } })).toEqual([]);
  });

  it("is not judged against a module.yaml that cannot be read in the base", async () => {
    const base = { [MODULE]: `${MODULE_TEXT}owner: x\n` };

    for (const text of [MODULE_TEXT, undefined])
      expect(await judged(rule, { base, change: { [MODULE]: text } })).toEqual([mentions("not run", MODULE, "base")]);
    expect(await judged(rule, { base, change: BUMP })).toEqual([]);
  });

  it("has nothing to say about a module.yaml that cannot be read: another rule refuses it", async () => {
    expect(
      await judged(rule, {
        base: { [MODULE]: `${MODULE_TEXT}beta: true\n` },
        change: { [MODULE]: "format: 1\nowner: x\n" },
      }),
    ).toEqual([]);
  });

  it("does not count an acceptance of the same change, unless a release manager approved it", async () => {
    const change = rule.good.change;
    expect(await judged(rule, { change })).toHaveLength(1);
    expect(await judged(rule, { change, people: NOT_KNOWN })).toHaveLength(1);
    expect(await judged(rule, { change, people: APPROVED })).toEqual([]);
  });

  it("does not count an acceptance that has expired", async () => {
    const expired = (files: ExampleFiles = {}): ExampleFiles => ({
      [MODULE]: edit(textOf(files), "2100-01-01", "2026-01-01"),
    });
    const example = { base: expired(rule.good.base), change: expired(rule.good.change) };
    expect(await judged(rule, example)).toHaveLength(1);
  });
});
