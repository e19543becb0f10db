import { describe, expect, it } from "vitest";
import {
  FAST,
  HOLDS,
  HOTFIXES,
  REGULAR,
  templateText,
  type Example,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { channelEarned } from "../../../../src/check/rules/channel/earned.ts";
import { APPROVED, contextOf, NO_BASE, NO_HISTORY, NOT_KNOWN, said, SHALLOW, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const fast = (version: string): ExampleFiles => ({ [FAST]: templateText("fast", version) });
const regular = (version: string): ExampleFiles => ({ [REGULAR]: templateText("regular", version) });
const hotfix = (version: string): ExampleFiles => ({
  [HOTFIXES]: `format: 1\nhotfixes:\n  - { version: ${version}, channel: regular, incident: https://example.com/1, by: boss, at: "2026-11-20T00:00:00Z" }\n`,
});
const judged = async (example: Example): Promise<readonly string[]> => said(channelEarned, await contextOf(example));
const YOUNG = { baseMergedAt: "2026-11-20T12:00:00Z", change: regular("1.1.0") };

describe("a version that a person brings into a following channel", () => {
  it("waits for its soak, until an exact instant", async () => {
    expect(await judged(YOUNG)).toEqual([
      mentions(
        `${REGULAR}:11 error`,
        "sample 1.1.0",
        "not earned",
        "fast",
        "1.1",
        "1d of 7d",
        "minor",
        "2026-11-27T12:00:00Z",
      ),
    ]);
    expect(await judged({ ...YOUNG, baseMergedAt: "2026-11-14T12:00:01Z" })).toHaveLength(1);
    expect(await judged({ ...YOUNG, baseMergedAt: "2026-11-14T12:00:00Z" })).toEqual([]);
  });

  it("comes as the first of its module when the policy asks for nothing", async () => {
    expect(await judged({ ...YOUNG, base: { [REGULAR]: undefined } })).toEqual([]);
  });

  it("does not come back after a decrease by hand", async () => {
    const [finding] = await judged({ history: [regular("1.1.0")], change: regular("1.1.0") });
    expect(finding).toEqual(mentions("regular", "went down", "1.1.0", "1.0.0"));
  });

  it("does not come back as a withdrawal either, when a person holds the versions above it", async () => {
    const held = `format: 1\nholds:\n  - { version: 1.2.0, reason: leaks, by: owner, since: "2026-01-01T00:00:00Z" }\n`;
    const history = [{ ...fast("1.1.0"), ...regular("1.1.0") }, regular("1.2.0")];
    const [finding] = await judged({ history, change: { ...regular("1.1.0"), [HOLDS]: held } });
    expect(finding).toEqual(mentions("regular", "went down", "1.1.0", "1.0.0"));
  });

  it.each([
    ["regular", regular, REGULAR],
    ["fast", fast, FAST],
  ])("is not put back into %s as a withdrawal once it went down by hand there", async (channel, serve, file) => {
    const held = `format: 1\nholds:\n  - { version: 1.2.0, reason: leaks, by: owner, since: "2026-01-01T00:00:00Z" }\n`;
    const step = { history: [serve("1.0.0"), serve("1.1.0"), serve("1.0.0")], base: serve("1.2.0") };
    const withdrawal = { ...serve("1.1.0"), [HOLDS]: held };
    expect(await judged({ ...step, change: withdrawal })).toEqual([
      mentions(`${file}:11 error`, "sample 1.1.0", channel, `${channel} went down`, "1.1.0", "1.0.0"),
    ]);
    expect(await judged({ ...step, change: withdrawal, people: APPROVED })).toEqual([]);
    expect(await judged({ ...step, history: [serve("1.0.0"), serve("1.1.0")], change: withdrawal })).toEqual([]);
  });

  it.each([
    ["the channel itself", [fast("1.2.0")], mentions("sample 1.2.0", "fast", "fast went down", "1.2.0", "1.1.0")],
    ["another channel", [regular("1.2.0")], mentions("sample 1.2.0", "fast", "regular went down", "1.2.0", "1.0.0")],
  ])(
    "does not come back by hand into one that follows none, once %s went down from it",
    async (_, history, refused) => {
      expect(await judged({ history, change: fast("1.2.0") })).toEqual([refused]);
      expect(await judged({ history, change: fast("1.2.0"), people: APPROVED })).toEqual([]);
      expect(await judged({ history, change: fast("1.3.0") })).toEqual([]);
    },
  );

  it("does not come back as a hot-fix after that hot-fix was taken back by hand", async () => {
    const step = { history: [regular("1.0.1")], base: { ...regular("1.0.0"), ...hotfix("1.0.1") } };
    expect(await judged({ ...step, change: regular("1.0.1") })).toEqual([
      mentions("sample 1.0.1", "regular", "regular went down", "1.0.1", "1.0.0"),
    ]);
  });

  it("undoes no hot-fix", async () => {
    const base = { ...regular("1.0.1"), ...hotfix("1.0.1") };
    const [finding] = await judged({ history: [fast("1.1.0")], base, change: regular("1.1.0") });
    expect(finding).toEqual(mentions("fast got 1.1.0", "hot-fix 1.0.1", "regular"));
  });

  it("comes when a release manager approved, and not with another approval", async () => {
    expect(await judged({ ...YOUNG, people: APPROVED })).toEqual([]);
    expect(await judged({ ...YOUNG, people: { ...APPROVED, approvedBy: ["owner"] } })).toHaveLength(1);
    expect(await judged({ ...YOUNG, people: NOT_KNOWN })).toEqual([expect.stringContaining(" error ")]);
  });

  it("is reported as not judged if the merge times are unknown", async () => {
    const context = await contextOf(YOUNG);
    const facts = { ...context.facts, unearned: NO_HISTORY };
    expect(said(channelEarned, { ...context, facts })).toEqual([SHALLOW]);
    expect(said(channelEarned, await wholeContext({}))).toEqual([NO_BASE]);
  });
});

describe("a step that need not be earned", () => {
  it("is a declared hot-fix, a decrease, and what comes into a channel that follows none", async () => {
    const young = { baseMergedAt: YOUNG.baseMergedAt };
    expect(await judged({ ...young, base: hotfix("1.1.0"), change: regular("1.1.0") })).toEqual([]);
    expect(await judged({ ...young, history: [fast("0.9.0")], change: regular("0.9.0") })).toEqual([]);
    expect(await judged({ ...young, change: fast("1.2.0") })).toEqual([]);
  });

  it("is one to a version that the followed channel never served, which another rule refuses", async () => {
    expect(await judged({ ...YOUNG, change: regular("1.0.5") })).toEqual([]);
  });
});

it("is judged separately from other steps", async () => {
  const context = await contextOf(YOUNG);
  const { unearned } = context.facts;
  const [known] = unearned.kind === "known" ? unearned.value : [];
  const { channel, module, version } = known ?? expect.unreachable();
  const others = [
    { channel: context.head.channels.get(channel)?.follows ?? expect.unreachable(), module, version },
    { channel, module: "other" as typeof module, version },
    { channel, module, version: "9.9.9" as typeof version },
  ].map((step) => ({ ...step, why: "No.", remedy: "None." }));
  const facts = { ...context.facts, unearned: { kind: "known", value: others } as const };
  expect(said(channelEarned, { ...context, facts })).toEqual([]);
});
