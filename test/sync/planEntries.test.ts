import { describe, expect, it } from "vitest";
import { plan } from "../../src/sync/plan.ts";
import { entryChanges } from "../../src/sync/planEntries.ts";
import { isAct, type PlanInput, type PlanItem } from "../../src/sync/planItem.ts";
import type { Sample } from "./catalogueFiles.ts";
import { CAREFUL, desiredOf, inputOf, liveOf, NOTHING, stored } from "./planning.ts";

const entriesOf = (input: PlanInput): readonly string[] =>
  plan(input)
    .items.flatMap(entryChanges)
    .map(({ channel, module, from = "–", to = "–" }) => `${channel}/${module} ${from} → ${to}`);

const old: Sample = {
  channels: { fast: { istio: "1.2.0", keda: "2.0.0" }, regular: { istio: "1.2.0" }, must: { audit: "1.0.0" } },
  mandatory: ["must"],
};
const now: Sample = {
  channels: {
    fast: { istio: "1.3.0" },
    regular: { istio: "1.2.0" },
    slow: { istio: "1.2.0" },
    must: { audit: "1.1.0" },
  },
  mandatory: ["must"],
};
const options = { ...CAREFUL, prune: true };

describe("the entries that a plan changes", () => {
  it("are those of the release metas that it writes", () => {
    expect(entriesOf(inputOf(desiredOf(now), liveOf(desiredOf(old)), { options }))).toEqual([
      "mandatory/audit 1.0.0 → 1.1.0",
      "fast/istio 1.2.0 → 1.3.0",
      "slow/istio – → 1.2.0",
      "fast/keda 2.0.0 → –",
    ]);
  });

  it("are all of them on an empty control plane", () => {
    expect(entriesOf(inputOf(desiredOf(old), NOTHING))).toHaveLength(4);
  });

  it("are those of the templates where templates stand in channels", () => {
    const [before, after] = [desiredOf(old, "channel-templates"), desiredOf(now, "channel-templates")];

    expect(entriesOf(inputOf(after, liveOf(before), { options }))).toEqual([
      "must/audit 1.0.0 → 1.1.0",
      "fast/istio 1.2.0 → 1.3.0",
      "slow/istio – → 1.2.0",
      "fast/keda 2.0.0 → –",
    ]);
  });

  it("are none of an object without a spec or a module", () => {
    const bare = stored({ apiVersion: "v1", kind: "ModuleTemplate", metadata: { name: "bare" } });
    const nameless = { ...bare, spec: { channel: "fast", version: "1.0.0" } };
    const item = (live: typeof bare): PlanItem => ({
      kind: "prune",
      object: { kind: "ModuleTemplate", name: "bare" },
      live,
      carriedOut: true,
    });

    expect([bare, nameless].flatMap((live) => entryChanges(item(live)))).toEqual([]);
  });
});

describe("an item that writes nothing", () => {
  const object = { kind: "ModuleReleaseMeta", name: "istio" };
  const items: readonly PlanItem[] = [
    { kind: "unchanged", object },
    { kind: "retained", object, because: "b" },
    { kind: "refused", object, refusal: "not-ours", reason: "r", remedy: "r" },
    { kind: "waiting", object, reason: "r" },
  ];

  it.each(items)("is $kind: it changes no entry and is no act", (item) => {
    expect([entryChanges(item), isAct(item)]).toEqual([[], false]);
  });
});
