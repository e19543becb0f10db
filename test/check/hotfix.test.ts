import { describe, expect, it } from "vitest";
import { FAST, HOTFIXES, MODULE, REGULAR, templateText, type Example, type Files } from "../../src/check/example.ts";
import { hotfixOf } from "../../src/check/hotfix.ts";
import { hotfixApproval } from "../../src/check/rules/ownership/hotfixApproval.ts";
import { APPROVED, contextOf, NOT_KNOWN, said } from "./contexts.ts";

const FIX: Files = { [REGULAR]: templateText("regular", "1.0.1") };

const declared = (fields = "", incident = "https://example.com/1"): Files => ({
  [HOTFIXES]: `format: 1
hotfixes:
  - version: 1.0.1
    channel: regular
    incident: ${incident}
    by: boss
    at: "2026-11-20T00:00:00Z"
${fields}`,
});

async function incidentOf(example: Example): Promise<string | undefined> {
  const context = await contextOf(example);
  const [step] = context.steps;
  return hotfixOf(context, step ?? expect.unreachable())?.incident;
}

describe("a declared hot-fix", () => {
  it("counts where the base has it", async () => {
    expect(await incidentOf({ base: declared(), change: FIX })).toBe("https://example.com/1");
  });

  it("counts in the change that declares it only when a release manager approved", async () => {
    const change = { ...FIX, ...declared() };
    expect(await incidentOf({ change })).toBeUndefined();
    expect(await incidentOf({ change, people: NOT_KNOWN })).toBeUndefined();
    expect(await incidentOf({ change, people: APPROVED })).toBe("https://example.com/1");
    const other = declared("", "https://example.com/2");
    expect(await incidentOf({ base: declared(), change: { ...FIX, ...other } })).toBeUndefined();
  });

  it("is for one version and one channel", async () => {
    expect(
      await incidentOf({ base: declared(), change: { [REGULAR]: templateText("regular", "1.0.2") } }),
    ).toBeUndefined();
    expect(await incidentOf({ base: declared(), change: { [FAST]: templateText("fast", "1.0.1") } })).toBeUndefined();
    expect(await incidentOf({ base: declared(), change: { [REGULAR]: undefined } })).toBeUndefined();
    const gone = { [FAST]: undefined, [MODULE]: undefined };
    expect(await incidentOf({ base: { [REGULAR]: undefined }, change: gone })).toBeUndefined();
  });

  it("stays one when its debt is paid or its fix carried on, without another approval", async () => {
    const paid = declared("    alsoFixedIn: [1.1.1]\n    debt: [{ kind: review, paidBy: https://example.com/3 }]\n");
    expect(await incidentOf({ base: declared(), change: { ...FIX, ...paid } })).toBe("https://example.com/1");
    expect(said(hotfixApproval, await contextOf({ base: declared(), change: { ...FIX, ...paid } }))).toEqual([]);
  });
});
