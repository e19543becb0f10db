import { describe, expect, it } from "vitest";
import {
  BUMP,
  edit,
  FAST,
  FAST_POLICY,
  MODULE,
  REGULAR,
  templateText,
  type Example,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { judge } from "../../../../src/check/check.ts";
import type { Rule } from "../../../../src/check/rule.ts";
import { channelRemoval } from "../../../../src/check/rules/channel/removal.ts";
import { accepting, MANDATORY, movesKind, MUST, MUST_POLICY } from "../../../../src/check/rules/channel/kind.ts";
import { mandatoryFlip } from "../../../../src/check/rules/channel/mandatoryFlip.ts";
import { mandatoryRemoved } from "../../../../src/check/rules/channel/mandatoryRemoved.ts";
import { APPROVED, contextOf, NO_BASE, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const judged = async (rule: Rule, example: Example): Promise<readonly string[]> => said(rule, await contextOf(example));
const remedies = async (rule: Rule, example: Example): Promise<readonly string[]> =>
  judge([rule], await contextOf(example)).findings.map(({ remedy }) => remedy);
const ENTRY: ExampleFiles = { [MUST]: templateText("must", "1.1.0") };
const GONE: ExampleFiles = { [FAST]: undefined, [REGULAR]: undefined };

describe("a module that moves", () => {
  it("to a mandatory channel, or back, is not removed, but flips", async () => {
    expect(await judged(channelRemoval, { base: MUST_POLICY, change: MANDATORY })).toEqual([]);
    expect(await judged(mandatoryFlip, { base: MUST_POLICY, change: MANDATORY })).toEqual([
      mentions("channels/must/sample.yaml:9 error", "sample", "must", "mandatory channel"),
    ]);
    const back = { [FAST]: templateText("fast", "1.1.0"), [MUST]: undefined };
    expect(await judged(mandatoryFlip, { base: MANDATORY, change: back })).toHaveLength(1);
    expect(await judged(mandatoryRemoved, { base: MANDATORY, change: back })).toEqual([]);
    expect(await judged(channelRemoval, { base: MANDATORY, change: back })).toEqual([]);
  });

  it("to a channel that the change creates flips as well", async () => {
    expect(await judged(mandatoryFlip, { change: MANDATORY })).toHaveLength(1);
  });

  it("does not move while it is in channels of both kinds, in none, or without a base", async () => {
    const context = await contextOf({ base: MUST_POLICY, change: ENTRY });
    expect(context.steps.map(({ module }) => movesKind(context, module))).toEqual([false]);
    const both = await contextOf({ base: { ...MUST_POLICY, ...ENTRY }, change: GONE });
    expect(both.steps.map(({ module }) => movesKind(both, module))).toEqual([false, false]);
    const gone = await contextOf({ change: GONE });
    expect(gone.steps.map(({ module }) => movesKind(gone, module))).toEqual([false, false]);
    expect(await judged(channelRemoval, { change: GONE })).toHaveLength(2);
    const whole = await wholeContext({});
    expect(whole.templates.map(({ module }) => movesKind(whole, module))).toEqual([false, false]);
    expect(said(mandatoryFlip, whole)).toEqual([NO_BASE]);
  });
});

it("ignores spec.mandatory of a template: the kind of its channel decides", async () => {
  const must = { [MUST]: edit(templateText("must", "1.1.0"), "  moduleName", "  mandatory: true\n  moduleName") };
  expect(await judged(mandatoryFlip, { base: MANDATORY, change: must })).toEqual([]);
  expect(await judged(mandatoryFlip, { base: { ...MANDATORY, ...must }, change: MANDATORY })).toEqual([]);
  expect(await judged(mandatoryFlip, { change: BUMP })).toEqual([]);
});

it("refuses a channel that changes its kind, for every module that it serves", async () => {
  const change = { [FAST_POLICY]: "format: 1\nkind: mandatory\nlandscapes: [dev]\n" };
  expect(await judged(mandatoryFlip, { change })).toEqual([
    mentions(`${FAST_POLICY}:2 error`, "fast", "mandatory channel", "sample"),
  ]);
  const base = { [MODULE]: accepting("mandatory-flip", "fast", "1.1.0", "1.1.0") };
  expect(await judged(mandatoryFlip, { base, change })).toEqual([]);
});

describe("the removal of a mandatory module", () => {
  const change: ExampleFiles = { [MUST]: undefined };
  const accept = (from: string, to: string, refusal = "mandatory-removed"): ExampleFiles => ({
    [MODULE]: accepting(refusal, "must", from, to),
  });

  it("is refused by one rule only", async () => {
    const example = { base: MANDATORY, change };
    expect(await judged(mandatoryRemoved, example)).toEqual([
      mentions(`${MUST}:1 error`, "must", "sample 1.1.0", "uninstalls", "every cluster"),
    ]);
    expect(await judged(channelRemoval, example)).toEqual([]);
    expect(await remedies(mandatoryRemoved, example)).toEqual([
      mentions("{ refusal: mandatory-removed, channel: must, from: 1.1.0, to: null }", "modules/sample/module.yaml"),
    ]);
  });

  it("is refused when its channel is removed as well", async () => {
    const gone = { ...change, "channels/must.yaml": undefined };
    expect(await judged(mandatoryRemoved, { base: MANDATORY, change: gone })).toHaveLength(1);
  });

  it.each<[string, ExampleFiles, number]>([
    ["for the removed version", accept("1.1.0", "1.1.0"), 0],
    ["for another version", accept("1.0.0", "1.0.0"), 1],
    ["for another refusal", accept("1.1.0", "1.1.0", "channel-removal"), 1],
  ])("can be accepted %s", async (_, module, count) => {
    expect(await judged(mandatoryRemoved, { base: { ...MANDATORY, ...module }, change })).toHaveLength(count);
  });

  it("is accepted by the same change only with the approval of a release manager", async () => {
    const both = { ...change, ...accept("1.1.0", "1.1.0") };
    expect(await judged(mandatoryRemoved, { base: MANDATORY, change: both })).toHaveLength(1);
    expect(await judged(mandatoryRemoved, { base: MANDATORY, change: both, people: APPROVED })).toEqual([]);
  });

  it("is not a removal from a release channel, a bump, or a new entry", async () => {
    expect(await judged(mandatoryRemoved, { change: { [REGULAR]: undefined } })).toEqual([]);
    expect(await judged(mandatoryRemoved, { change: BUMP })).toEqual([]);
    const higher = { [MUST]: templateText("must", "1.2.0") };
    expect(await judged(mandatoryRemoved, { base: MANDATORY, change: higher })).toEqual([]);
    const empty = { ...MANDATORY, [MUST]: undefined };
    expect(await judged(mandatoryRemoved, { base: empty, change: higher })).toEqual([]);
  });
});
