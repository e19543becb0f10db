import { describe, expect, it } from "vitest";
import { parseModuleName } from "../../src/catalogue/names.ts";
import { parseVersion } from "../../src/catalogue/version.ts";
import type { Context } from "../../src/check/context.ts";
import { BUMP, edit, MODULE, SAMPLE, type ExampleFiles } from "../../src/check/example.ts";
import { judge } from "../../src/check/check.ts";
import { waiverApproval } from "../../src/check/rules/ownership/waiverApproval.ts";
import type { Rule } from "../../src/check/rule.ts";
import { waiverFor } from "../../src/check/waiver.ts";
import { APPROVED, contextOf, NOT_KNOWN, wholeContext } from "./contexts.ts";

const MODULE_NAME = parseModuleName("sample") ?? expect.unreachable();
const VERSION = parseVersion("1.2.0") ?? expect.unreachable();

function waiving(until = "2100-01-01T00:00:00Z", reason = "immutable"): ExampleFiles {
  const waivers = `waivers:
  - { rule: other-rule, version: 1.2.0, reason: other, until: "2100-01-01T00:00:00Z" }
  - { rule: some-rule, version: 1.2.0, reason: ${reason}, until: "${until}" }
`;
  return { [MODULE]: edit(SAMPLE[MODULE] ?? "", "ocm", `${waivers}ocm`) };
}

const WAIVER = { reason: "immutable", until: "2100-01-01T00:00:00Z", file: MODULE, line: 5 };

function waived(context: Context, rule = "some-rule", version = VERSION): ReturnType<typeof waiverFor> {
  return waiverFor(rule, { module: MODULE_NAME, version }, context);
}

describe("a waiver", () => {
  it("counts if the base has it, and has its place", async () => {
    expect(waived(await contextOf({ base: waiving(), change: BUMP }))).toEqual(WAIVER);
  });

  it("does not count in the change that adds it, unless a release manager approved", async () => {
    const change = { ...BUMP, ...waiving() };
    expect(waived(await contextOf({ change }))).toBeUndefined();
    expect(waived(await contextOf({ change, people: NOT_KNOWN }))).toBeUndefined();
    expect(waived(await contextOf({ change, people: APPROVED }))).toEqual(WAIVER);
  });

  it("does not count with a later end, or another reason, than the base gives it", async () => {
    const base = waiving("2099-01-01T00:00:00Z");
    expect(waived(await contextOf({ base, change: { ...BUMP, ...waiving() } }))).toBeUndefined();
    expect(waived(await contextOf({ base, change: waiving("2099-01-01T00:00:00Z", "why") }))).toBeUndefined();
  });

  it("does not count after it has expired, or if the change removes it", async () => {
    expect(waived(await contextOf({ base: waiving("2026-11-21T12:00:00Z"), change: BUMP }))).toBeUndefined();
    const change = { ...BUMP, [MODULE]: SAMPLE[MODULE] };
    expect(waived(await contextOf({ base: waiving(), change }))).toBeUndefined();
  });

  it("is for one rule and one version", async () => {
    const context = await contextOf({ base: waiving(), change: BUMP });
    expect(waived(context, "third-rule")).toBeUndefined();
    expect(waived(context, "some-rule", parseVersion("1.1.0"))).toBeUndefined();
  });

  it("is for a version: a finding about none is not waived", async () => {
    const context = await contextOf({ base: waiving(), change: BUMP });
    expect(waiverFor("some-rule", undefined, context)).toBeUndefined();
    const other = { module: parseModuleName("other") ?? expect.unreachable(), version: VERSION };
    expect(waiverFor("some-rule", other, context)).toBeUndefined();
  });

  it("counts as it is when everything is judged", async () => {
    expect(waived(await wholeContext(waiving()))).toEqual(WAIVER);
  });

  it("removes a finding from the counts, if its rule can be waived", async () => {
    const context = await contextOf({ base: waiving(), change: BUMP });
    const rule: Rule = {
      ...waiverApproval,
      id: "some-rule",
      waivable: true,
      judge: ({ templates }) =>
        templates.map(({ file, module, version }) => ({
          kind: "violation",
          file: file.path,
          position: { line: 1, column: 1 },
          message: "It is wrong.",
          remedy: "Mend it.",
          subject: { module, version },
        })),
    };
    const withWaiver = judge([rule], context);
    expect(withWaiver.findings).toEqual([]);
    expect(withWaiver.waived.map(({ waiver }) => waiver)).toEqual([WAIVER]);
    expect(judge([{ ...rule, waivable: false }], context).findings).toHaveLength(1);
  });
});
