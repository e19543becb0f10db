import { describe, expect, it } from "vitest";
import {
  BUMP,
  bumpTemplate,
  edit,
  FAST,
  FAST_POLICY,
  MODULE,
  REGULAR,
  templateText,
  type Example,
  type Files,
} from "../../../../src/check/example.ts";
import type { Rule } from "../../../../src/check/rule.ts";
import { channelLabel } from "../../../../src/check/rules/channel/channelLabel.ts";
import { channelMandatoryFlip } from "../../../../src/check/rules/channel/channelMandatoryFlip.ts";
import { channelRemoval } from "../../../../src/check/rules/channel/channelRemoval.ts";
import { accepting, movesKind } from "../../../../src/check/rules/channel/kind.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";

const judged = async (rule: Rule, example: Example): Promise<readonly string[]> => said(rule, await contextOf(example));
const LABEL = "operator.kyma-project.io/module-name: sample\n";
const labelled = (value: string): string => `${LABEL}    operator.kyma-project.io/internal: "${value}"\n`;

describe("a label that uninstalls", () => {
  it("is refused when it is set to true, unless accepted", async () => {
    const change = bumpTemplate(LABEL, labelled("True"));
    expect(await judged(channelLabel, { change })).toHaveLength(1);
    expect(await judged(channelLabel, { change: bumpTemplate(LABEL, labelled("false")) })).toEqual([]);
    const base = { [MODULE]: accepting("channel-label", "fast", "1.1.0", "1.2.0") };
    expect(await judged(channelLabel, { base, change })).toEqual([]);
  });

  it("may stay, and may be there from the beginning", async () => {
    const change = bumpTemplate(LABEL, labelled("true"));
    const before = { [FAST]: edit(templateText("fast", "1.1.0"), LABEL, labelled("true")) };
    expect(await judged(channelLabel, { base: before, change })).toEqual([]);
    expect(await judged(channelLabel, { base: { [FAST]: undefined }, change })).toEqual([]);
    expect(await judged(channelLabel, { change: { [FAST]: undefined } })).toEqual([]);
  });
});

const MUST: Files = { "channels/must.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n" };
const GONE: Files = { [FAST]: undefined, [REGULAR]: undefined };
const MANDATORY: Files = { "channels/must/sample.yaml": templateText("must", "1.1.0") };

describe("a module that moves", () => {
  it("to a mandatory channel, or back, is not removed, but flips", async () => {
    const change = { ...GONE, ...MANDATORY };
    expect(await judged(channelRemoval, { base: MUST, change })).toEqual([]);
    expect(await judged(channelMandatoryFlip, { base: MUST, change })).toEqual([
      "channels/must/sample.yaml:9 error sample would move to must, a mandatory channel.",
    ]);
    const back = { [FAST]: templateText("fast", "1.1.0"), "channels/must/sample.yaml": undefined };
    expect(await judged(channelMandatoryFlip, { base: { ...MUST, ...GONE, ...MANDATORY }, change: back })).toHaveLength(
      1,
    );
  });

  it("to a channel that the change founds flips as well", async () => {
    expect(await judged(channelMandatoryFlip, { change: { ...MUST, ...GONE, ...MANDATORY } })).toHaveLength(1);
  });

  it("does not move while it stands in channels of both kinds, nowhere, or without a base", async () => {
    const context = await contextOf({ base: MUST, change: MANDATORY });
    expect(context.steps.map(({ module }) => movesKind(context, module))).toEqual([false]);
    const both = await contextOf({ base: { ...MUST, ...MANDATORY }, change: GONE });
    expect(both.steps.map(({ module }) => movesKind(both, module))).toEqual([false, false]);
    const gone = await contextOf({ change: GONE });
    expect(gone.steps.map(({ module }) => movesKind(gone, module))).toEqual([false, false]);
    expect(await judged(channelRemoval, { change: GONE })).toHaveLength(2);
    const whole = await wholeContext({});
    expect(whole.templates.map(({ module }) => movesKind(whole, module))).toEqual([false, false]);
    expect(said(channelMandatoryFlip, whole)).toEqual(["not run: there is no base to compare with (--base REF)"]);
  });
});

it("refuses a template that becomes mandatory, or ceases to be, in a channel that serves it", async () => {
  const must = (extra: string): Files => ({
    "channels/must/sample.yaml": edit(templateText("must", "1.1.0"), "  moduleName", `${extra}  moduleName`),
  });
  const base = { ...MUST, ...GONE, ...MANDATORY };
  expect(await judged(channelMandatoryFlip, { base, change: must("  mandatory: true\n") })).toEqual([
    "channels/must/sample.yaml:10 error sample would be mandatory for lifecycle-managers up to 1.7.",
  ]);
  const before = { ...base, ...must("  mandatory: true\n") };
  expect(await judged(channelMandatoryFlip, { base: before, change: must("") })).toHaveLength(1);
  expect(await judged(channelMandatoryFlip, { base: { ...MUST, ...GONE }, change: MANDATORY })).toEqual([]);
  expect(await judged(channelMandatoryFlip, { change: BUMP })).toEqual([]);
});

it("refuses a channel that becomes another kind, for all that it serves", async () => {
  const change = { [FAST_POLICY]: "format: 1\nkind: mandatory\nlandscapes: [dev]\n" };
  expect(await judged(channelMandatoryFlip, { change })).toEqual([
    `${FAST_POLICY}:2 error fast would be a mandatory channel, with sample in it.`,
  ]);
  const base = { [MODULE]: accepting("channel-mandatory-flip", "fast", "1.1.0", "1.1.0") };
  expect(await judged(channelMandatoryFlip, { base, change })).toEqual([]);
});
