import { describe, expect, it } from "vitest";
import {
  FAST,
  HOTFIXES,
  MODULE,
  REGULAR,
  templateText,
  type Example,
  type ExampleFiles,
} from "../../src/check/example.ts";
import { isHotfix } from "../../src/check/hotfix.ts";
import { judge } from "../../src/check/check.ts";
import { channelAhead } from "../../src/check/rules/channel/ahead.ts";
import { channelEarned } from "../../src/check/rules/channel/earned.ts";
import { channelUnproven } from "../../src/check/rules/channel/unproven.ts";
import { hotfixApproval } from "../../src/check/rules/ownership/hotfixApproval.ts";
import { mentions } from "../support/mentions.ts";
import { APPROVED, contextOf, NOT_KNOWN, said, TEAMS } from "./contexts.ts";

const FIX: ExampleFiles = { [REGULAR]: templateText("regular", "1.0.1") };

const declared = (fields = "", incident = "https://example.com/1"): ExampleFiles => ({
  [HOTFIXES]: `format: 1
hotfixes:
  - version: 1.0.1
    channel: regular
    incident: ${incident}
    by: boss
    at: "2026-11-20T00:00:00Z"
${fields}`,
});

async function counts(example: Example): Promise<boolean> {
  const context = await contextOf(example);
  const [step] = context.steps;
  return isHotfix(context, step ?? expect.unreachable());
}

describe("a declared hot-fix", () => {
  it("counts where the base has it", async () => {
    expect(await counts({ base: declared(), change: FIX })).toBe(true);
  });

  it("counts in the change that declares it only when a release manager approved", async () => {
    const change = { ...FIX, ...declared() };
    expect(await counts({ change })).toBe(false);
    expect(await counts({ change, people: NOT_KNOWN })).toBe(false);
    expect(await counts({ change, people: APPROVED })).toBe(true);
    const other = declared("", "https://example.com/2");
    expect(await counts({ base: declared(), change: { ...FIX, ...other } })).toBe(false);
  });

  it("is refused in one place without an approval, or if that is unknown: the remedy names the approvers and the team list", async () => {
    const rules = [channelAhead, channelUnproven, channelEarned, hotfixApproval];
    const whys = async (example: Example): Promise<readonly string[]> =>
      judge(rules, await contextOf(example)).findings.map(
        ({ rule, file, severity, remedy }) => `${rule} ${file} ${severity} ${remedy}`,
      );
    for (const base of [{}, { [FAST]: templateText("fast", "1.0.0") }]) {
      const change = { ...FIX, ...declared() };
      const place = `hotfix-approval ${HOTFIXES} error`;
      const asked = await whys({ base, change, people: { teams: TEAMS } });
      expect(asked).toEqual([mentions(place, "release manager", "@sample/release-managers")]);
      expect(asked[0]).not.toContain("teams.yaml");
      expect(await whys({ base, change, people: NOT_KNOWN })).toEqual([
        mentions(place, "@sample/release-managers", ".github/teams.yaml", "--teams", "unknown"),
      ]);
      expect(await whys({ base, change, people: APPROVED })).toEqual([]);
    }
  });

  it("is for one version and one channel", async () => {
    expect(await counts({ base: declared(), change: { [REGULAR]: templateText("regular", "1.0.2") } })).toBe(false);
    expect(await counts({ base: declared(), change: { [FAST]: templateText("fast", "1.0.1") } })).toBe(false);
    expect(await counts({ base: declared(), change: { [REGULAR]: undefined } })).toBe(false);
    const gone = { [FAST]: undefined, [MODULE]: undefined };
    expect(await counts({ base: { [REGULAR]: undefined }, change: gone })).toBe(false);
  });

  it("stays declared when its debt is paid, without another approval", async () => {
    const paid = declared("    debt: [{ kind: review, paidBy: https://example.com/3 }]\n");
    expect(await counts({ base: declared(), change: { ...FIX, ...paid } })).toBe(true);
    expect(said(hotfixApproval, await contextOf({ base: declared(), change: { ...FIX, ...paid } }))).toEqual([]);
  });

  it("is marked as contained in another version only with an approval, since that version will be promoted", async () => {
    const change = declared("    alsoFixedIn: [1.1.1]\n");
    expect(said(hotfixApproval, await contextOf({ base: declared(), change }))).toHaveLength(1);
    expect(said(hotfixApproval, await contextOf({ base: declared(), change, people: APPROVED }))).toEqual([]);
  });

  it("keeps its debt until that is paid, or a release manager approves", async () => {
    const base = declared(
      "    debt: [{ kind: smoke }, { kind: review }, { kind: backfill, paidBy: https://example.com/2 }]\n",
    );
    const change = declared("    debt: [{ kind: review }]\n");
    expect(said(hotfixApproval, await contextOf({ base, change }))).toEqual([
      mentions(`${HOTFIXES}:2 error`, "sample 1.0.1", "regular", "owes a smoke", "release manager"),
    ]);
    expect(said(hotfixApproval, await contextOf({ base, change: declared() }))).toHaveLength(1);
    expect(said(hotfixApproval, await contextOf({ base, change, people: APPROVED }))).toEqual([]);
  });

  it("is removed only with an approval, since the defect could come back", async () => {
    const change = { [HOTFIXES]: undefined };
    expect(said(hotfixApproval, await contextOf({ base: declared(), change }))).toEqual([
      mentions(`${HOTFIXES}:2 error`, "sample 1.0.1", "regular is removed", "release manager"),
    ]);
    expect(said(hotfixApproval, await contextOf({ base: declared(), change, people: APPROVED }))).toEqual([]);
    const gone = { [HOTFIXES]: undefined, [FAST]: undefined, [REGULAR]: undefined, [MODULE]: undefined };
    expect(said(hotfixApproval, await contextOf({ base: declared(), change: gone }))).toHaveLength(1);
    expect(
      said(hotfixApproval, await contextOf({ base: declared(), change: { [HOTFIXES]: "hotfixes: none\n" } })),
    ).toEqual([]);
  });
});
