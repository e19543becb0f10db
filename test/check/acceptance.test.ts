import { describe, expect, it } from "vitest";
import { acceptanceFor, fieldAcceptance, type FieldChange } from "../../src/check/acceptance.ts";
import type { Context } from "../../src/check/context.ts";
import { BUMP, edit, FAST, MODULE, SAMPLE, type Example, type ExampleFiles } from "../../src/check/example.ts";
import { APPROVED, contextOf, NOT_KNOWN } from "./contexts.ts";

function accepting(from: string, to: string, until = "2100-01-01T00:00:00Z", channel = "fast"): ExampleFiles {
  const entry = `{ refusal: uninstalls, channel: ${channel}, from: ${from}, to: ${to}, reason: R, until: "${until}" }`;
  return { [MODULE]: edit(SAMPLE[MODULE] ?? "", "ocm", `accepts: [${entry}]\nocm`) };
}

const REMOVED: ExampleFiles = { [FAST]: undefined };

function accepted(context: Context, refusal = "uninstalls"): string | undefined {
  const [step] = context.steps;
  return acceptanceFor(context, refusal, step ?? expect.unreachable())?.reason;
}

describe("an accepted refusal", () => {
  it("is for one step of one channel", async () => {
    expect(accepted(await contextOf({ base: accepting("1.1.0", "1.2.0"), change: BUMP }))).toBe("R");
    expect(accepted(await contextOf({ base: accepting("1.1.0", "1.3.0"), change: BUMP }))).toBeUndefined();
    expect(accepted(await contextOf({ base: accepting("1.0.0", "1.2.0"), change: BUMP }))).toBeUndefined();
    const elsewhere = accepting("1.1.0", "1.2.0", undefined, "regular");
    expect(accepted(await contextOf({ base: elsewhere, change: BUMP }))).toBeUndefined();
  });

  it("is for one refusal", async () => {
    expect(accepted(await contextOf({ base: accepting("1.1.0", "1.2.0"), change: BUMP }), "other")).toBeUndefined();
    expect(accepted(await contextOf({ base: { [MODULE]: undefined }, change: BUMP }))).toBeUndefined();
    const gone: ExampleFiles = Object.fromEntries(
      Object.keys(SAMPLE)
        .filter((path) => path.includes("sample"))
        .map((path) => [path, undefined]),
    );
    expect(accepted(await contextOf({ change: gone }))).toBeUndefined();
  });

  it("names no version before an added and after a removed entry, or its version twice", async () => {
    for (const to of ["null", "1.1.0"])
      expect(accepted(await contextOf({ base: accepting("1.1.0", to), change: REMOVED }))).toBe("R");
    expect(accepted(await contextOf({ base: accepting("null", "1.1.0"), change: REMOVED }))).toBeUndefined();
    for (const from of ["null", "1.2.0"]) {
      const base = { ...accepting(from, "1.2.0"), ...REMOVED };
      expect(accepted(await contextOf({ base, change: BUMP }))).toBe("R");
    }
  });

  it("does not count after it has expired", async () => {
    const base = accepting("1.1.0", "1.2.0", "2026-11-21T12:00:00Z");
    expect(accepted(await contextOf({ base, change: BUMP }))).toBeUndefined();
  });

  it("does not count in the change that adds it, unless a release manager approved", async () => {
    const change = { ...BUMP, ...accepting("1.1.0", "1.2.0") };
    expect(accepted(await contextOf({ change }))).toBeUndefined();
    expect(accepted(await contextOf({ change, people: NOT_KNOWN }))).toBeUndefined();
    expect(accepted(await contextOf({ change, people: APPROVED }))).toBe("R");
  });
});

describe("an accepted change of a field", () => {
  const entry = (fields: string, until = "2100-01-01T00:00:00Z"): ExampleFiles => ({
    [MODULE]: edit(
      SAMPLE[MODULE] ?? "",
      "ocm",
      `accepts: [{ refusal: restricts, ${fields}, reason: R, until: "${until}" }]\nocm`,
    ),
  });
  const BETA = "field: beta, from: null, to: true";
  const found = async (example: Example, changed: Partial<FieldChange> = {}): Promise<string | undefined> => {
    const context = await contextOf(example);
    const module = context.steps[0]?.module ?? expect.unreachable();
    return fieldAcceptance(context, "restricts", { module, field: "beta", from: null, to: true, ...changed })?.reason;
  };

  it("is for one change of one field", async () => {
    const example = { base: entry(BETA), change: BUMP };
    expect(await found(example)).toBe("R");
    expect(await found(example, { field: "internal" })).toBeUndefined();
    expect(await found(example, { from: true, to: null })).toBeUndefined();
    expect(await found(example, { to: "true" })).toBeUndefined();
    expect(await found({ base: { [MODULE]: undefined }, change: BUMP })).toBeUndefined();
  });

  it("is not for a step of a channel, nor the other way round", async () => {
    const base = entry("channel: fast, from: 1.1.0, to: 1.2.0");
    expect(await found({ base, change: BUMP }, { from: "1.1.0", to: "1.2.0" })).toBeUndefined();
    const field = entry("field: ocmComponentName, from: 1.1.0, to: 1.2.0");
    expect(accepted(await contextOf({ base: field, change: BUMP }), "restricts")).toBeUndefined();
  });

  it("counts like any other acceptance", async () => {
    expect(await found({ base: entry(BETA, "2026-11-21T12:00:00Z"), change: BUMP })).toBeUndefined();
    const change = { ...BUMP, ...entry(BETA) };
    expect(await found({ change })).toBeUndefined();
    expect(await found({ change, people: NOT_KNOWN })).toBeUndefined();
    expect(await found({ change, people: APPROVED })).toBe("R");
  });
});
