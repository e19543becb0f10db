import { describe, expect, it } from "vitest";
import {
  BUMP,
  bumpTemplate,
  edit,
  FAST,
  MODULE,
  MODULE_TEXT,
  templateText,
  type Example,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { judge } from "../../../../src/check/check.ts";
import { accepting, acceptingField } from "../../../../src/check/rules/channel/kind.ts";
import { restrictionChanged } from "../../../../src/check/rules/channel/restrictionChanged.ts";
import { contextOf, said } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const restricted = async (example: Example): Promise<readonly string[]> =>
  said(restrictionChanged, await contextOf(example));
const remedies = async (example: Example): Promise<readonly string[]> =>
  judge([restrictionChanged], await contextOf(example)).findings.map(({ remedy }) => remedy);

const withLines = (lines: string): ExampleFiles => ({ [MODULE]: `${MODULE_TEXT}${lines}` });
const SELECTOR = "kymaSelector: { matchLabels: { tier: gold } }\n";
/** `place` is refused because `field` of the module would change from one of `values` to the other. */
const refused = (place: string, field: string, ...values: readonly string[]): unknown =>
  mentions(`${place} error`, field, "sample", ...values, "lifecycle-manager");

describe("a field that restricts a module", () => {
  it.each([
    ["added", "", "beta: true\n", "4", "beta", "unset", "true"],
    ["removed", "internal: true\n", "", "1", "internal", "true", "unset"],
    ["set to false", "beta: true\n", "beta: false\n", "4", "beta", "true", "unset"],
    ["added", "", SELECTOR, "4", "kymaSelector", "unset", '{"matchLabels":{"tier":"gold"}}'],
    [
      "changed",
      SELECTOR,
      SELECTOR.replace("gold", "free"),
      "4",
      "kymaSelector",
      '{"matchLabels":{"tier":"gold"}}',
      '{"matchLabels":{"tier":"free"}}',
    ],
    ["removed", SELECTOR, "", "1", "kymaSelector", '{"matchLabels":{"tier":"gold"}}', "unset"],
  ])("is refused when it is %s (%j → %j)", async (_, before, after, line, ...change) => {
    expect(await restricted({ base: withLines(before), change: withLines(after) })).toEqual([
      refused(`${MODULE}:${line}`, ...change),
    ]);
  });

  it.each([
    ["false where it was unset", "", "beta: false\ninternal: false\n"],
    ["unset where it was false", "beta: false\n", ""],
    ["the same in another order", "beta: true\ninternal: true\n", "internal: true\nbeta: true\n"],
    ["the same in another form", SELECTOR, "kymaSelector:\n  matchLabels:\n    tier: gold\n"],
  ])("may be %s", async (_, before, after) => {
    expect(await restricted({ base: withLines(before), change: withLines(after) })).toEqual([]);
  });

  it("is refused when its file is added or removed", async () => {
    const none = { [MODULE]: undefined };
    expect(await restricted({ base: withLines("beta: true\n"), change: none })).toEqual([
      refused(`${MODULE}:1`, "beta", "true", "unset"),
    ]);
    expect(await restricted({ base: none, change: withLines("beta: true\n") })).toHaveLength(1);
    expect(await restricted({ base: none, change: BUMP })).toEqual([]);
  });

  it.each([
    ["its values", "beta", null, true, 0],
    ["false in place of null", "beta", false, true, 1],
    ["the opposite", "beta", true, null, 1],
    ["another field", "internal", null, true, 1],
  ] as const)("can be accepted with %s", async (_, field, from, to, count) => {
    const base = { [MODULE]: acceptingField("restriction-changed", field, from, to) };
    const change = { [MODULE]: `${base[MODULE]}beta: true\n` };
    expect(await restricted({ base, change })).toHaveLength(count);
  });

  it("can be accepted with a selector in any key order, and one field at a time", async () => {
    const selector = { matchExpressions: [], matchLabels: { b: "2", a: "1" } };
    const text = acceptingField("restriction-changed", "kymaSelector", selector, null);
    const base = {
      [MODULE]: `${text}beta: true\nkymaSelector: { matchLabels: { a: "1", b: "2" }, matchExpressions: [] }\n`,
    };
    expect(await restricted({ base, change: { [MODULE]: text } })).toEqual([
      refused(`${MODULE}:1`, "beta", "true", "unset"),
    ]);
  });

  it("says how to accept the change", async () => {
    expect(await remedies({ base: withLines(SELECTOR), change: withLines("") })).toEqual([
      mentions(
        '{ refusal: restriction-changed, field: kymaSelector, from: {"matchLabels":{"tier":"gold"}}, to: null }',
        "modules/sample/module.yaml",
      ),
    ]);
  });
});

describe("a label that restricts a module", () => {
  const LABEL = "operator.kyma-project.io/module-name: sample\n";
  const labelled = (value: string, name = "internal"): string =>
    `${LABEL}    operator.kyma-project.io/${name}: "${value}"\n`;
  const before = (value: string): ExampleFiles => ({
    [FAST]: edit(templateText("fast", "1.1.0"), LABEL, labelled(value)),
  });

  it("is refused when a step adds it", async () => {
    expect(await restricted({ change: bumpTemplate(LABEL, labelled("True")) })).toEqual([
      refused(`${FAST}:8`, "operator.kyma-project.io/internal", "fast"),
    ]);
    expect(await remedies({ change: bumpTemplate(LABEL, labelled("true", "beta")) })).toEqual([
      mentions("{ refusal: restriction-changed, channel: fast, from: 1.1.0, to: 1.2.0 }", "modules/sample/module.yaml"),
    ]);
  });

  it("is refused when a step removes it", async () => {
    expect(await restricted({ base: before("true"), change: BUMP })).toEqual([
      refused(`${FAST}:6`, "operator.kyma-project.io/internal", "fast"),
    ]);
    expect(await restricted({ base: before("true"), change: bumpTemplate(LABEL, labelled("false")) })).toHaveLength(1);
  });

  it("is refused once for each label", async () => {
    const both = `${labelled("true")}    operator.kyma-project.io/beta: "true"\n`;
    expect(await restricted({ change: bumpTemplate(LABEL, both) })).toHaveLength(2);
  });

  it.each<[string, Example]>([
    ["stay", { base: before("true"), change: bumpTemplate(LABEL, labelled("True")) }],
    ["be false where it was not set", { change: bumpTemplate(LABEL, labelled("false")) }],
    [
      "be in the first version of a channel",
      { base: { [FAST]: undefined }, change: bumpTemplate(LABEL, labelled("true")) },
    ],
    ["go with its entry", { base: before("true"), change: { [FAST]: undefined } }],
  ])("may %s", async (_, example) => {
    expect(await restricted(example)).toEqual([]);
  });

  it.each([
    ["its step", "fast", "1.1.0", "1.2.0", 0],
    ["another channel", "regular", "1.1.0", "1.2.0", 1],
    ["another version", "fast", "1.1.0", "1.3.0", 1],
  ])("can be accepted for %s", async (_, channel, from, to, count) => {
    const base = { [MODULE]: accepting("restriction-changed", channel, from, to) };
    expect(await restricted({ base, change: bumpTemplate(LABEL, labelled("true")) })).toHaveLength(count);
  });
});
