import { describe, expect, it } from "vitest";
import { MODULE_LABEL } from "../../src/catalogue/template.ts";
import { plan } from "../../src/sync/plan.ts";
import type { LiveState, PlanInput } from "../../src/sync/planItem.ts";
import type { References } from "../../src/sync/references.ts";
import {
  byName,
  CAREFUL,
  desiredOf,
  edited,
  inputOf,
  liveOf,
  marked,
  respecified,
  stored,
  summary,
  usedBy,
} from "./planning.ts";

const PRUNING = { ...CAREFUL, prune: true };
const old = desiredOf({ channels: { fast: { istio: "1.2.0", keda: "2.0.0" }, regular: { istio: "1.2.0" } } });
const desired = desiredOf({ channels: { fast: { istio: "1.3.0", keda: "2.0.0" }, regular: { istio: "1.3.0" } } });
const live = liveOf(old);
const unknown: References = { kind: "unknown", because: "not allowed" };

const planOf = (now: LiveState, given: Partial<PlanInput> = {}): readonly string[] =>
  summary(plan(inputOf(desired, now, given)));

describe("a version that no channel serves any more", () => {
  it("is left over, and removed only when that is asked for", () => {
    expect(planOf(live)).toContain("left over istio-1.2.0");
    expect(planOf(live, { options: PRUNING })).toContain("prune istio-1.2.0");
  });

  it("is retained while a Kyma or a Manifest uses it", () => {
    const given = { options: PRUNING, references: usedBy("istio-1.2.0") };

    expect(byName(plan(inputOf(desired, live, given)))["istio-1.2.0"]).toEqual({
      kind: "retained",
      object: { kind: "ModuleTemplate", name: "istio-1.2.0" },
      because: "still in use: 1 user (Kyma k)",
    });
  });

  it("is retained while a release meta names it that stays as it is", () => {
    const meta = stored({
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "ModuleReleaseMeta",
      metadata: { name: "theirs" },
      spec: { moduleName: "istio", channels: [{ channel: "old", version: "1.2.0" }] },
    });
    const crowded = { ...live, releaseMetas: [...live.releaseMetas, meta] };

    expect(byName(plan(inputOf(desired, crowded, { options: PRUNING })))["istio-1.2.0"]).toMatchObject({
      kind: "retained",
      because: "still named by ModuleReleaseMeta theirs",
    });
  });

  it("is retained while its release meta may not be turned away from it", () => {
    const serving = edited(live, "istio", (object) =>
      respecified(object, { channels: [{ channel: "old", version: "1.2.0" }] }),
    );
    const given = { options: PRUNING, references: usedBy("istio/old") };

    expect(planOf(serving, given)).toEqual([
      "retained istio-1.2.0",
      "create istio-1.3.0",
      "refused istio: channel-in-use",
    ]);
  });

  it("is not removed when nobody may know who uses it, and that is refused when removal is asked for", () => {
    expect(planOf(live, { references: unknown })).toContain("left over istio-1.2.0");
    expect(
      byName(plan(inputOf(desired, live, { references: unknown, options: PRUNING })))["istio-1.2.0"],
    ).toMatchObject({
      refusal: "references-unknown",
      reason: "Nobody can tell who uses it: not allowed",
    });
  });

  it("is compared with what the repository says of it, and repaired", () => {
    const known = new Map(old.templates.map((template) => [template.metadata.name, template]));
    const references = usedBy("istio-1.2.0");
    const drifted = edited(live, "istio-1.2.0", (object) => respecified(object, { info: null }));

    expect(planOf(live, { known, references })).toContain("retained istio-1.2.0");
    expect(planOf(drifted, { known, references })).toContain("repair istio-1.2.0");
    expect(planOf(drifted, { references })).toContain("retained istio-1.2.0");
  });

  it("is not given other content, no more than one that is served", () => {
    const changed = desiredOf({
      channels: { fast: { istio: { version: "1.2.0", data: { apiVersion: "example.com/v1", kind: "Other" } } } },
    });
    const known = new Map(changed.templates.map((template) => [template.metadata.name, template]));
    const references = usedBy("istio-1.2.0");

    expect(planOf(live, { known, references })).toContain("refused istio-1.2.0: content-changed");
    expect(planOf(live, { known, references, options: { ...CAREFUL, changedContent: "apply" } })).toContain(
      "repair istio-1.2.0",
    );
  });
});

describe("a module that no channel serves any more", () => {
  const without = desiredOf({ channels: { fast: { istio: "1.2.0" }, regular: { istio: "1.2.0" } } });
  const given = (references: PlanInput["references"], options = PRUNING): PlanInput =>
    inputOf(without, live, { references, options });

  it("goes, first its release meta and then its template", () => {
    expect(summary(plan(given(usedBy())))).toEqual(["prune keda", "prune keda-2.0.0"]);
  });

  it("stays as a whole while it has users", () => {
    expect(summary(plan(given(usedBy("keda"))))).toEqual(["retained keda-2.0.0", "refused keda: module-in-use"]);
    expect(byName(plan(given(usedBy("keda"))))["keda"]).toMatchObject({
      reason: "No channel serves keda any more, but it has 1 user (Kyma k): removing it would break them.",
    });
  });

  it("keeps its template while its release meta is left over", () => {
    expect(summary(plan(given(usedBy(), CAREFUL)))).toEqual(["retained keda-2.0.0", "left over keda"]);
  });

  it("is known by the label of its objects, else by their name", () => {
    const renamed = edited(live, "keda", (object) =>
      marked(object, { labels: { ...object.metadata.labels, [MODULE_LABEL]: "scaler" } }),
    );
    const nameless = edited(live, "keda", (object) => {
      const { [MODULE_LABEL]: _module, ...labels } = object.metadata.labels ?? {};
      return marked(object, { labels });
    });
    const plans = [renamed, nameless].map((now) =>
      summary(plan(inputOf(without, now, { options: PRUNING, references: usedBy("keda") }))),
    );

    expect(plans).toEqual([
      ["prune keda", "prune keda-2.0.0"],
      ["retained keda-2.0.0", "refused keda: module-in-use"],
    ]);
  });
});

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
  const prunes = (input: PlanInput): number => plan(input).items.filter(({ kind }) => kind === "prune").length;
  const refusals = (input: PlanInput): readonly string[] =>
    plan(input).items.flatMap((item) =>
      item.kind === "refused" ? [`${item.refusal}: ${item.reason} ${item.remedy}`] : [],
    );

  it("is a tenth of the set", () => {
    expect([prunes(fewer(6)), refusals(fewer(6))]).toEqual([12, []]);
    expect(prunes(fewer(7))).toBe(0);
    expect(new Set(refusals(fewer(7)))).toEqual(
      new Set(["too-many-prunes: 14 objects would go, more than 12. Check them, then allow it: --max-prune 14."]),
    );
  });

  it("does not count objects that are not ours", () => {
    const { live: now, ...input } = fewer(7);
    const foreign = Array.from({ length: 100 }, (_, index) =>
      stored({ apiVersion: "v1", kind: "ModuleTemplate", metadata: { name: `foreign-${index}` } }),
    );

    expect(prunes({ ...input, live: { ...now, templates: [...now.templates, ...foreign] } })).toBe(0);
  });

  it("is what the user allows", () => {
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

  it("is never everything, whatever the user allows, and whatever others have there", () => {
    const foreign = stored({ apiVersion: "v1", kind: "ModuleTemplate", metadata: { name: "foreign" } });
    const nothing = desiredOf({ channels: { fast: {} } });
    const input = inputOf(
      nothing,
      { ...live, templates: [...live.templates, foreign] },
      { options: { ...PRUNING, maxPrune: 1_000 } },
    );

    expect(prunes(input)).toBe(0);
    expect(refusals(input)[0]).toBe(
      "too-many-prunes: 4 objects would go, and nothing would be left. Check the repository; delete by hand if it is meant.",
    );
  });
});
