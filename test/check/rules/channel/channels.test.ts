import { describe, expect, it } from "vitest";
import {
  BUMP,
  edit,
  FAST,
  FAST_POLICY,
  HOLDS,
  HOTFIXES,
  MODULE,
  REGULAR,
  REGULAR_POLICY,
  SAMPLE,
  SETTINGS,
  SETTINGS_TEXT,
  templateText,
  type Example,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { judge } from "../../../../src/check/check.ts";
import type { Rule } from "../../../../src/check/rule.ts";
import { channelAhead } from "../../../../src/check/rules/channel/ahead.ts";
import { channelHeld } from "../../../../src/check/rules/channel/held.ts";
import { landscapeRemoval } from "../../../../src/check/rules/channel/landscapeRemoval.ts";
import { channelLines } from "../../../../src/check/rules/channel/lines.ts";
import { channelMandatoryDown } from "../../../../src/check/rules/channel/mandatoryDown.ts";
import { channelNewModule } from "../../../../src/check/rules/channel/newModule.ts";
import { newModule } from "../../../../src/check/rules/channel/otherModule.ts";
import { channelUnproven } from "../../../../src/check/rules/channel/unproven.ts";
import { contextOf, NO_BASE, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const judged = async (rule: Rule, example: Example): Promise<readonly string[]> => said(rule, await contextOf(example));
const fast = (version: string): ExampleFiles => ({ [FAST]: templateText("fast", version) });
const regular = (version: string): ExampleFiles => ({ [REGULAR]: templateText("regular", version) });
const holding = (version: string): ExampleFiles => ({
  [HOLDS]: `format: 1\nholds:\n  - { version: ${version}, reason: leaks, by: boss, since: "2026-01-01T00:00:00Z" }\n`,
});
const hotfix = (version: string): ExampleFiles => ({
  [HOTFIXES]: `format: 1\nhotfixes:\n  - { version: ${version}, channel: regular, incident: https://example.com/1, by: boss, at: "2026-11-20T00:00:00Z" }\n`,
});
/** A new channel. */
const founded = (version: string): ExampleFiles => ({
  "channels/slow.yaml": "format: 1\nfollows: regular\nlandscapes: [dev]\n",
  "channels/slow/sample.yaml": templateText("slow", version),
});

describe("a version that the followed channel", () => {
  it("serves in the base, or once served, is proven", async () => {
    expect(await judged(channelUnproven, { change: regular("1.1.0") })).toEqual([]);
    expect(await judged(channelUnproven, { history: [fast("1.0.5")], change: regular("1.0.5") })).toEqual([]);
  });

  it("never served comes only by a hot-fix or a withdrawal", async () => {
    expect(await judged(channelUnproven, { history: [regular("1.0.5")], change: regular("1.0.5") })).toHaveLength(1);
    expect(await judged(channelUnproven, { base: hotfix("1.0.5"), change: regular("1.0.5") })).toEqual([]);
    const back = { ...regular("0.9.0"), ...holding("1.0.0") };
    expect(await judged(channelUnproven, { history: [regular("0.9.0")], change: back })).toEqual([]);
  });

  it("serves only with the change is not proven", async () => {
    const change = { ...BUMP, ...regular("1.2.0") };
    expect(await judged(channelUnproven, { change })).toHaveLength(1);
  });

  it("does not serve is accepted in a new channel, or where nothing is followed", async () => {
    expect(await judged(channelUnproven, { change: founded("3.0.0") })).toEqual([]);
    expect(await judged(channelAhead, { change: founded("3.0.0") })).toEqual([]);
    expect(await judged(channelUnproven, { change: BUMP })).toEqual([]);
    expect(await judged(channelUnproven, { base: { [FAST]: undefined }, change: regular("1.1.0") })).toHaveLength(1);
  });
});

describe("a following channel", () => {
  it("overtakes only by a hot-fix", async () => {
    expect(await judged(channelAhead, { change: regular("1.2.0") })).toEqual([
      mentions(`${REGULAR}:11 error`, "regular", "sample 1.2.0", "fast", "1.1.0"),
    ]);
    expect(await judged(channelAhead, { base: hotfix("1.2.0"), change: regular("1.2.0") })).toEqual([]);
  });

  it("is ahead when the followed one goes down, or serves nothing", async () => {
    expect(await judged(channelAhead, { base: regular("1.1.0"), change: fast("1.0.0") })).toEqual([]);
    expect(await judged(channelAhead, { base: { [FAST]: undefined }, change: regular("1.1.0") })).toEqual([]);
    expect(await judged(channelAhead, { change: { [REGULAR]: undefined } })).toEqual([]);
    const label = edit(templateText("regular", "1.0.0"), "replicas: 1", "replicas: 2");
    expect(await judged(channelAhead, { change: { [REGULAR]: label } })).toEqual([]);
  });
});

describe("lines: previous-first", () => {
  const POLICY = {
    [REGULAR_POLICY]: edit(String(SAMPLE[REGULAR_POLICY]), "promotion:\n", "promotion:\n  lines: previous-first\n"),
  };

  it("says which line has to reach the follower first", async () => {
    expect(await judged(channelLines, { base: POLICY, change: BUMP })).toEqual([
      mentions(`${FAST}:11 error`, "fast", "sample 1.2", "regular", "1.1"),
    ]);
    expect(await judged(channelLines, { base: { ...POLICY, [REGULAR]: undefined }, change: BUMP })).toHaveLength(1);
  });

  it("may be asked for by the module", async () => {
    const says = edit(String(SAMPLE[MODULE]), "ocm", "policy: { regular: { lines: previous-first } }\nocm");
    expect(await judged(channelLines, { base: { [MODULE]: says }, change: BUMP })).toHaveLength(1);
    expect(await judged(channelLines, { base: { [MODULE]: undefined }, change: BUMP })).toEqual([]);
    expect(await judged(channelLines, { change: BUMP })).toEqual([]);
  });

  it("accepts a patch, a line that the follower passed, and the first line of all", async () => {
    expect(await judged(channelLines, { base: POLICY, change: fast("1.1.1") })).toEqual([]);
    expect(await judged(channelLines, { base: { ...POLICY, ...regular("1.1.5") }, change: BUMP })).toEqual([]);
    const passed = { base: { ...POLICY, ...regular("1.0.0") }, history: [regular("1.5.0")], change: BUMP };
    expect(await judged(channelLines, passed)).toEqual([]);
    expect(await judged(channelLines, { base: { ...POLICY, [FAST]: undefined }, change: BUMP })).toEqual([]);
  });

  it("skips lines that are held, or that the follower does not take", async () => {
    expect(await judged(channelLines, { base: { ...POLICY, ...holding("1.1.0") }, change: BUMP })).toEqual([
      // Of the lines before, only that of 1.1.0 was ever there.
    ]);
    const history = [fast("1.0.9")];
    const held = { ...POLICY, ...holding("1.1.0"), [REGULAR]: undefined };
    expect(await judged(channelLines, { base: held, history, change: BUMP })).toEqual([
      mentions(`${FAST}:11 error`, "fast", "sample 1.2", "regular", "1.0"),
    ]);
    const experimental = { ...POLICY, "channels/fast.yaml": "format: 1\nversions: any\nlandscapes: [dev]\n" };
    expect(await judged(channelLines, { base: { ...experimental, ...fast("1.1.0-dev") }, change: BUMP })).toEqual([]);
  });
});

it("refuses a held version, and ignores entries that stay or are removed", async () => {
  const base = holding("1.1.0");
  expect(await judged(channelHeld, { base, change: regular("1.1.0") })).toEqual([
    mentions(`${REGULAR}:11 error`, "sample 1.1.0", "held", "leaks", "boss"),
  ]);
  expect(await judged(channelHeld, { base, change: { [FAST]: undefined } })).toEqual([]);
  const edited = { [FAST]: edit(templateText("fast", "1.1.0"), "replicas: 1", "replicas: 2") };
  expect(await judged(channelHeld, { base, change: edited })).toEqual([]);
  expect(said(channelHeld, await wholeContext({}))).toEqual([NO_BASE]);
});

it("refuses a version if the holds cannot be read, in the base or with the change", async () => {
  const broken = { [HOLDS]: "format: 2\n" };
  const refused = mentions(`${REGULAR}:11 error ${HOLDS}`, "unknown", "sample 1.1.0");

  expect(await judged(channelHeld, { base: broken, change: regular("1.1.0") })).toEqual([refused]);
  expect(await judged(channelHeld, { base: broken, change: { ...regular("1.1.0"), ...holding("1.0.0") } })).toEqual([
    refused,
  ]);
  expect(await judged(channelHeld, { change: { ...regular("1.1.0"), ...broken } })).toEqual([refused]);
  expect(await judged(channelHeld, { base: broken, change: { [FAST]: undefined } })).toEqual([]);
});

it("offers complete commands that name the channel", async () => {
  const remedies = async (rule: Rule, example: Example): Promise<readonly string[]> =>
    judge([rule], await contextOf(example)).findings.map(({ remedy }) => remedy);
  const hotfix = "kyma-modules promote --hotfix sample@1.2.0 --channel regular --incident URL --template FILE --apply";

  expect(await remedies(channelUnproven, { change: regular("1.2.0") })).toEqual([mentions("Submit", "fast", hotfix)]);
  expect(await remedies(channelAhead, { change: regular("1.2.0") })).toEqual([mentions("Bring", "fast", hotfix)]);
  expect(await remedies(channelHeld, { base: holding("1.1.0"), change: regular("1.1.0") })).toEqual([
    mentions("boss", 'kyma-modules unhold sample@1.1.0 --reason "…"'),
  ]);
});

it("judges a mandatory channel that never served the module, and a channel that is not mandatory", async () => {
  const base: ExampleFiles = { "channels/must.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n" };
  const change = { "channels/must/sample.yaml": templateText("must", "1.0.0") };
  expect(await judged(channelMandatoryDown, { base, change })).toEqual([]);
  expect(await judged(channelMandatoryDown, { change: fast("1.0.0") })).toEqual([]);
});

it("tells a channel that leaves a landscape from a landscape that is renamed", async () => {
  const prod = "  - { name: prod, controlPlane: { context: prod } }\n";
  const settings = SETTINGS_TEXT.replace("landscapes:\n", `landscapes:\n${prod}`);
  const base = { [SETTINGS]: settings, [FAST_POLICY]: "format: 1\nlandscapes: [dev, prod]\n" };
  const without = { [FAST_POLICY]: "format: 1\nlandscapes: [dev]\n" };
  const renamed = {
    [SETTINGS]: settings.replace("name: prod", "name: live"),
    [FAST_POLICY]: "format: 1\nlandscapes: [dev, live]\n",
  };
  const found = async (change: ExampleFiles): Promise<unknown> =>
    judge([landscapeRemoval], await contextOf({ base, change })).findings.map(({ message, remedy }) => [
      message,
      remedy,
    ]);

  expect(await found(without)).toEqual([[mentions("prod", "fast", "removed"), mentions("Kyma")]]);
  expect(await found(renamed)).toEqual([
    [mentions("kyma-modules.yaml", "prod", "stays"), mentions("kyma-modules sync NAME --take-over-set")],
  ]);
});

it("knows a module that any channel serves, or served before", async () => {
  const unowned = { [MODULE]: undefined };
  expect(await judged(channelNewModule, { base: unowned, change: BUMP })).toEqual([]);
  const gone = { ...unowned, [FAST]: undefined, [REGULAR]: undefined };
  expect(await judged(channelNewModule, { base: gone, history: [fast("1.0.0")], change: BUMP })).toEqual([]);
  expect(await judged(channelNewModule, { base: gone, change: BUMP })).toHaveLength(1);
  const context = await contextOf({ change: newModule() });
  expect(said(channelNewModule, context)).toHaveLength(1);
  const broken = await judged(channelNewModule, { base: gone, change: { ...BUMP, [MODULE]: "owners: [" } });
  expect(broken).toEqual([mentions("sample", MODULE, "cannot be read")]);
});
