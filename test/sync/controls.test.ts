import { describe, expect, it } from "vitest";
import {
  EVERYTHING,
  NO_CONTROLS,
  parseControls,
  printControls,
  instructionFor,
  withPauses,
  type Instruction,
} from "../../src/sync/plan/controls.ts";
import type { EntryItem, Plan, PlanItem } from "../../src/sync/plan/item.ts";

const AT = Date.parse("2030-01-01T00:00:00Z");
const told = (given: Partial<Instruction> = {}): Instruction => ({
  by: "octocat",
  reason: "INC-1",
  atMs: AT,
  ...given,
});
const object = (name: string): PlanItem["object"] => ({ kind: "ModuleTemplate", name });
const template = { apiVersion: "v1", kind: "ModuleTemplate", metadata: { name: "istio-1.1.0" } };
const step = { module: "istio", channel: "fast", mandatory: false, from: "1.2.0", to: "1.1.0" };
const moves: readonly EntryItem[] = [
  { ...step, kind: "lower", cause: "repository", specHash: "", accepted: [] },
  { ...step, channel: "slow", kind: "remove", cause: "repository", carriedOut: true, accepted: [] },
];
const stays: readonly EntryItem[] = [
  { ...step, channel: "own", kind: "remove", cause: "repository", carriedOut: false, accepted: [] },
  { ...step, channel: "old", kind: "unchanged" },
];
const plan: Plan = {
  landscape: "dev",
  parent: { kind: "create", object: object("kyma-modules"), desired: template },
  modules: [
    {
      module: "istio",
      entries: [...moves, ...stays],
      terms: { beta: true },
      accepted: ["k"],
      items: [
        { kind: "create", object: object("istio-1.1.0"), desired: template },
        { kind: "unchanged", object: object("istio-1.0.0") },
      ],
    },
    {
      module: "keda",
      entries: [],
      terms: undefined,
      items: [{ kind: "create", object: object("keda-1.0.0"), desired: template }],
    },
  ],
  noRemoval: undefined,
  notes: [],
};

describe("a pause", () => {
  it("of nothing changes no plan", () => {
    expect(withPauses(plan, new Map())).toBe(plan);
  });

  it("of a module stops all of its writes, including removals and withdrawals, and names its author", () => {
    const { parent, modules } = withPauses(plan, new Map([["istio", told()]]));
    const reason = "octocat paused it at 2030-01-01T00:00:00Z: INC-1";

    expect(modules[0]?.entries).toEqual([
      { ...step, kind: "waiting", reason },
      { ...step, channel: "slow", kind: "waiting", reason },
      ...stays,
    ]);
    expect(modules[0]?.items).toEqual([
      { kind: "waiting", object: object("istio-1.1.0"), reason, paused: plan.modules[0]?.items[0] },
      { kind: "unchanged", object: object("istio-1.0.0") },
    ]);
    expect([parent, modules[1]]).toEqual([plan.parent, plan.modules[1]]);
    expect(modules[0]).toMatchObject({ terms: undefined, accepted: [] });
  });

  it("of everything stops all modules, and the set itself", () => {
    const { parent, modules } = withPauses(plan, new Map([[EVERYTHING, told()]]));

    expect([parent, ...modules.flatMap(({ items }) => items)].map(({ kind }) => kind)).toEqual([
      "waiting",
      "waiting",
      "unchanged",
      "waiting",
    ]);
  });
});

describe("an instruction", () => {
  it("for a module counts unless there is a later one for all modules", () => {
    const [own, all] = [told({ reason: "own" }), told({ reason: "all" })];
    const of = (...entries: readonly [string, Instruction][]): unknown =>
      instructionFor("istio", new Map(entries))?.reason;

    expect([of(), of(["keda", own]), of(["istio", own]), of([EVERYTHING, all])]).toEqual([
      undefined,
      undefined,
      "own",
      "all",
    ]);
    expect(of(["istio", own], [EVERYTHING, all])).toBe("own");
    expect(of(["istio", own], [EVERYTHING, { ...all, atMs: AT + 1 }])).toBe("all");
  });

  it("is parsed as it was printed", () => {
    const controls = {
      pauses: new Map([["istio", told()]]),
      resumes: new Map([[EVERYTHING, told({ by: "hubot", haltMs: AT - 1 })]]),
      requests: [],
    };

    expect(parseControls(printControls(controls))).toEqual(controls);
    expect(parseControls(printControls(NO_CONTROLS))).toEqual(NO_CONTROLS);
    expect(parseControls({ resumes: "{}", requests: "[]" })).toBeUndefined();
  });

  it.each([
    "",
    "[]",
    '{"istio":1}',
    '{"istio":{"by":"a","reason":"b"}}',
    '{"istio":{"by":1,"reason":"b","at":"2030-01-01"}}',
    '{"istio":{"by":"a","reason":"b","at":"2030-01-01","halt":"soon"}}',
  ])("invalidates all controls if part of it is %j", (text) => {
    expect([parseControls({ pauses: text }), parseControls({ pauses: "{}", resumes: text })]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
