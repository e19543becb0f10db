import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import type { LiveState, PlanInput } from "../../src/sync/plan/input.ts";
import { planEntries, isAct, planItems } from "../../src/sync/plan/item.ts";
import { judgeAgain, plan, planModuleAgain } from "../../src/sync/plan/plan.ts";
import { mentions } from "../support/mentions.ts";
import { CAREFUL, desiredOf, entrySummary, inputOf, liveOf, marked, stored } from "./planning.ts";

const PRUNING = { ...CAREFUL, prune: true };
const live = liveOf(desiredOf({ channels: { fast: { istio: "1.2.0", keda: "2.0.0" }, regular: { istio: "1.2.0" } } }));

describe("the limit of removals", () => {
  const versions = (count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `module${"abcdefghijklmnopqrstuvwxyz"[index % 26] ?? ""}${"abcdefghij"[Math.floor(index / 26)] ?? ""}`,
        "1.0.0",
      ]),
    );
  const many = desiredOf({ channels: { fast: versions(60) } });
  const fewer = (removed: number): PlanInput => {
    const wanted = Object.entries(versions(60)).slice(removed);
    return inputOf(desiredOf({ channels: { fast: Object.fromEntries(wanted) } }), liveOf(many), { options: PRUNING });
  };
  const prunes = (input: PlanInput): number => planItems(plan(input)).filter(({ kind }) => kind === "prune").length;
  const refusals = (input: PlanInput): readonly string[] => {
    const decided = plan(input);
    return [...planEntries(decided), ...planItems(decided)].flatMap((one) =>
      one.kind === "refused" ? [`${one.refusal}: ${one.reason} ${one.remedy}`] : [],
    );
  };

  it("is a tenth of the set", () => {
    expect([prunes(fewer(6)), refusals(fewer(6))]).toEqual([12, []]);
    expect(prunes(fewer(7))).toBe(0);
    expect(planItems(plan(fewer(7))).filter(isAct)).toEqual([]);
    expect([...new Set(refusals(fewer(7)))]).toEqual([
      mentions("too-many-prunes: 14 objects", "entries", "12", "--max-prune 14"),
    ]);
  });

  it("is another share of the set if the settings say so", () => {
    const input = fewer(12);
    const allowing = (maxPart: number): PlanInput => ({ ...input, options: { ...PRUNING, maxPart } });

    expect([prunes(allowing(0.1)), prunes(allowing(0.2))]).toEqual([0, 24]);
  });

  it("leaves entries and modules alone if only unused templates may be removed", () => {
    const leftOver = live.templates.slice(0, 1).map((template) => marked(template, { name: "istio-1.1.0" }));
    const { live: now, ...input } = inputOf(desiredOf({ channels: { fast: { istio: "1.2.0" } } }), live, {
      options: { ...CAREFUL, pruneTemplates: true },
    });
    const pruned = planItems(plan({ ...input, live: { ...now, templates: [...now.templates, ...leftOver] } })).filter(
      (item) => item.kind === "prune" && item.carriedOut,
    );

    expect(pruned.map(({ object }) => object.name)).toEqual(["istio-1.1.0"]);
  });

  it("does not count objects that are not ours", () => {
    const { live: now, ...input } = fewer(7);
    const foreign = Array.from({ length: 100 }, (_, index) =>
      stored({ apiVersion: "v1", kind: "ModuleTemplate", metadata: { name: `foreign-${index}` } }),
    );

    expect(prunes({ ...input, live: { ...now, templates: [...now.templates, ...foreign] } })).toBe(0);
  });

  it("is the one that the user allows", () => {
    expect(prunes({ ...fewer(7), options: { ...PRUNING, maxPrune: 14 } })).toBe(14);
    expect(prunes({ ...fewer(1), options: { ...PRUNING, maxPrune: 1 } })).toBe(0);
  });

  it("is five in a small set", () => {
    const small = (kept: object): PlanInput =>
      inputOf(
        desiredOf({ channels: { fast: { keda: "1.0.0", ...kept } } }),
        liveOf(desiredOf({ channels: { fast: { keda: "1.0.0", aaa: "1.0.0", bbb: "1.0.0", ccc: "1.0.0" } } })),
        { options: PRUNING },
      );

    expect(prunes(small({ aaa: "1.0.0" }))).toBe(4);
    expect(prunes(small({}))).toBe(0);
  });

  it("counts entries that are removed from a remaining release meta", () => {
    const served = Object.fromEntries(Object.keys(versions(6)).map((module) => [module, "1.0.0"]));
    const both = desiredOf({ channels: { fast: served, regular: served } });
    const without = (count: number): PlanInput => {
      const regular = Object.fromEntries(Object.entries(served).slice(count));
      return inputOf(desiredOf({ channels: { fast: served, regular } }), liveOf(both), { options: PRUNING });
    };

    expect(refusals(without(5))).toEqual([]);
    expect(refusals(without(6))).toHaveLength(6);
    expect(planItems(plan(without(6))).filter(isAct)).toEqual([]);
  });

  it("counts them beside an old template of the same module", () => {
    const served = Object.fromEntries(Object.keys(versions(6)).map((module) => [module, "1.0.0"]));
    const both = liveOf(desiredOf({ channels: { fast: served, regular: served } }));
    const old = both.templates.map((template) =>
      marked(template, { name: template.metadata.name.replace("1.0.0", "0.9.0") }),
    );
    const regular = Object.fromEntries(Object.entries(served).slice(3));
    const wanted = desiredOf({ channels: { fast: served, regular } });
    const live = { ...both, templates: [...both.templates, ...old.slice(0, 3)] };

    expect(refusals(inputOf(wanted, live, { options: PRUNING }))[0]).toEqual(
      mentions("too-many-prunes: 6 objects", "entries"),
    );
  });

  it("also applies to a module that is judged again during the sync", () => {
    const served = Object.fromEntries(Object.keys(versions(6)).map((module) => [module, "1.0.0"]));
    const both = desiredOf({ channels: { fast: served, regular: served } });
    const input = inputOf(desiredOf({ channels: { fast: served, next: served } }), liveOf(both), { options: PRUNING });
    const planned = plan(input);
    const { noRemoval } = planned;
    const [module] = planned.modules;
    const [name = "", again] = [module?.module, module && planModuleAgain(module.module, input, noRemoval)];
    const meta = module?.items.find(({ object }) => object.kind === "ModuleReleaseMeta");
    const live = input.live.releaseMetas.find(({ metadata }) => metadata.name === name);
    const channels = [{ channel: "fast" }, { channel: "next" }, { channel: "regular" }];

    expect(meta).toMatchObject({ kind: "change", desired: { spec: { channels } } });
    expect(again).toEqual(module);
    expect(meta && judgeAgain(meta, live, { module: name, input, noRemoval }).item).toEqual(meta);
  });

  it("does not count an entry that an adoption removes as everything: the rest of its release meta stays", () => {
    const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
    const theirs = liveOf(desiredOf({ channels: { fast: { istio: "1.3.0" }, old: { istio: "1.3.0" } } }));
    const bare = (object: KubernetesObject): KubernetesObject => marked(object, { labels: {}, annotations: {} });
    const now: LiveState = {
      ...theirs,
      templates: theirs.templates.map(bare),
      releaseMetas: theirs.releaseMetas.map(bare),
      records: { kind: "none" },
    };
    const input = inputOf(desired, now, { options: { ...PRUNING, adopt: true } });

    expect(refusals(input)).toEqual([]);
    expect(entrySummary(plan(input))).toEqual(["remove old/istio 1.3.0 → –"]);
  });

  it("never allows to remove everything, even with a higher limit and beside foreign objects", () => {
    const foreign = stored({ apiVersion: "v1", kind: "ModuleTemplate", metadata: { name: "foreign" } });
    const nothing = desiredOf({ channels: { fast: {} } });
    const input = inputOf(
      nothing,
      { ...live, templates: [...live.templates, foreign] },
      { options: { ...PRUNING, maxPrune: 1_000 } },
    );

    expect(prunes(input)).toBe(0);
    expect(planItems(plan(input)).filter(isAct)).toEqual([]);
    expect(refusals(input)[0]).toEqual(mentions("too-many-prunes: 4 objects", "nothing", "repository"));
    expect(refusals(input)[0]).not.toContain("--max-prune");
  });
});
