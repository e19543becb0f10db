import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Generation } from "../../src/catalogue/settings.ts";
import { APPLY_SET_LABEL, applySetId } from "../../src/kubernetes/applySet.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { namedTemplates } from "../../src/kubernetes/releaseMeta.ts";
import { plan } from "../../src/sync/plan.ts";
import { isAct, type LiveState, type PlanInput, type PlanItem } from "../../src/sync/planItem.ts";
import type { References } from "../../src/sync/references.ts";
import type { Sample } from "./catalogueFiles.ts";
import { desiredOf, inputOf, liveOf, marked, NOTHING, respecified, stored, usedBy } from "./planning.ts";

const modules = ["istio", "keda", "audit"] as const;
const version = fc.constantFrom("1.0.0", "1.1.0", "2.0.0");
const channel = fc.dictionary(fc.constantFrom(...modules), version, { maxKeys: 3 });
const sample = fc
  .record({ fast: channel, regular: channel, must: fc.constantFrom({}, { log: "1.0.0" }, { log: "1.1.0" }) })
  .map((channels): Sample => ({ channels, mandatory: ["must"] }));

/** What others do to an object. */
const EDITS: Readonly<Record<string, (object: KubernetesObject) => KubernetesObject | undefined>> = {
  nothing: (object) => object,
  "delete it": () => undefined,
  "begin to delete it": (object) => marked(object, { deletionTimestamp: "2026-05-04T10:00:00Z" }),
  "edit its spec": (object) => respecified(object, { info: { repository: "https://example.com/other" } }),
  "add to its spec": (object) => respecified(object, { beta: true }),
  "add a label": (object) =>
    marked(object, { labels: { ...object.metadata.labels, "operator.kyma-project.io/beta": "true" } }),
  "remove all labels": (object) => marked(object, { labels: {} }),
  "make it theirs": (object) => marked(object, { labels: {}, annotations: {} }),
};
const edits = fc.array(fc.constantFrom(...Object.keys(EDITS)), { minLength: 20, maxLength: 20 });

function disturbed(live: LiveState, chosen: readonly string[]): LiveState {
  let next = 0;
  const disturb = (object: KubernetesObject): KubernetesObject | never[] =>
    EDITS[chosen[next++ % chosen.length] ?? ""]?.(object) ?? [];
  return { ...live, templates: live.templates.flatMap(disturb), releaseMetas: live.releaseMetas.flatMap(disturb) };
}

const names = fc.subarray([
  ...modules.flatMap((module) => ["1.0.0", "1.1.0", "2.0.0"].map((one) => `${module}-${one}`)),
  ...modules.flatMap((module) => [module, `${module}/fast`, `${module}/regular`]),
]);
const references = fc.oneof(
  { weight: 5, arbitrary: names.map((used): References => usedBy(...used)) },
  { weight: 1, arbitrary: fc.constant<References>({ kind: "unknown", because: "not allowed" }) },
);
const options = fc.record({
  adopt: fc.boolean(),
  prune: fc.boolean(),
  maxPrune: fc.constantFrom(undefined, 0, 2, 100),
  changedContent: fc.constantFrom("refuse" as const, "apply" as const),
});

const input = fc
  .record({
    before: fc.option(sample),
    wanted: sample,
    generation: fc.constantFrom<Generation>("version-templates", "channel-templates"),
    edits,
    references,
    options,
    compared: fc.boolean(),
  })
  .map(({ before, wanted, generation, edits: chosen, compared, ...given }): PlanInput => {
    const old = before === null ? undefined : desiredOf(before, generation);
    const live = old === undefined ? NOTHING : disturbed(liveOf(old), chosen);
    const known = new Map((compared ? (old?.templates ?? []) : []).map((one) => [one.metadata.name, one]));
    return inputOf(desiredOf(wanted, generation), live, { ...given, known });
  });

/** What an API server holds once every act of a plan succeeded. */
function carriedOut({ live }: PlanInput, items: readonly PlanItem[]): LiveState {
  const objects = new Map(
    [live.parent ?? [], live.templates, live.releaseMetas].flat().map((object) => [keyOf(object.kind, object), object]),
  );
  for (const item of items) {
    const key = keyOf(item.object.kind, { metadata: item.object });
    if (item.kind === "create") objects.set(key, stored(item.desired));
    if (item.kind === "change") objects.set(key, stored(item.desired));
    if (item.kind === "retained" && item.repair !== undefined) objects.set(key, stored(item.repair.desired));
    if (item.kind === "prune" && item.carriedOut) objects.delete(key);
  }
  const all = [...objects.values()];
  return {
    parent: all.find(({ kind }) => kind === "ConfigMap"),
    templates: all.filter(({ kind }) => kind === "ModuleTemplate"),
    releaseMetas: all.filter(({ kind }) => kind === "ModuleReleaseMeta"),
  };
}

const keyOf = (kind: string, { metadata }: { metadata: { name: string } }): string => `${kind} ${metadata.name}`;

const prunes = (items: readonly PlanItem[]): readonly (PlanItem & { kind: "prune" })[] =>
  items.filter((item) => item.kind === "prune").filter((item) => item.carriedOut);

const law = (name: string, holds: (input: PlanInput) => void): void => {
  it(name, () => {
    fc.assert(fc.property(input, holds), { numRuns: 80 });
  });
};

describe("planning", () => {
  law("decides the same twice", (given) => {
    expect(plan(given)).toEqual(plan(given));
  });

  law("does not depend on the order of what lives", (given) => {
    const { live } = given;
    const reversed = { ...live, templates: live.templates.toReversed(), releaseMetas: live.releaseMetas.toReversed() };

    expect(plan({ ...given, live: reversed })).toEqual(plan(given));
  });

  law("names every object once", (given) => {
    const keys = plan(given).items.map(({ object }) => `${object.kind} ${object.name}`);

    expect(new Set(keys).size).toBe(keys.length);
  });

  law("leaves nothing to do but removals that became free, and then nothing at all", (given) => {
    let { live } = given;
    for (const round of [1, 2, 3]) {
      const { items } = plan({ ...given, live });
      if (round > 1)
        expect(items.filter(isAct).filter(({ kind }) => kind !== "prune" && kind !== "retained")).toEqual([]);
      if (round === 3) expect(items.filter(isAct)).toEqual([]);
      live = carriedOut({ ...given, live }, items);
    }
  });

  law("removes nothing that somebody uses or names, and nothing that is not ours", (given) => {
    const { items } = plan(given);
    const after = carriedOut(given, items);
    const named = after.releaseMetas.flatMap(namedTemplates);
    for (const { live, object } of prunes(items)) {
      expect(given.references.kind).toBe("known");
      expect(given.references.kind === "known" && given.references.templates.has(object.name)).toBe(false);
      expect(object.kind === "ModuleTemplate" && named.includes(object.name)).toBe(false);
      expect(live.metadata.labels?.[APPLY_SET_LABEL]).toBe(applySetId(given.desired.target.namespace));
    }
  });

  law("never removes more than is allowed, nor everything, nor anything unasked", (given) => {
    const ours = [...given.live.templates, ...given.live.releaseMetas].filter(
      ({ metadata }) => metadata.labels?.[APPLY_SET_LABEL] !== undefined,
    );
    const count = prunes(plan(given).items).length;

    expect(count).toBeLessThanOrEqual(given.options.maxPrune ?? Math.max(5, ours.length / 10));
    if (count > 0) expect(count).toBeLessThan(ours.length);
    if (!given.options.prune) expect(count).toBe(0);
  });

  law("lets no release meta that it writes name a template that will not be there", (given) => {
    const { items } = plan(given);
    const there = new Set(carriedOut(given, items).templates.map(({ metadata }) => metadata.name));
    for (const item of items) {
      if (item.kind !== "create" && item.kind !== "change") continue;
      if (item.object.kind !== "ModuleReleaseMeta") continue;
      expect(namedTemplates(item.desired).filter((name) => !there.has(name))).toEqual([]);
    }
  });
});
