import { expect, it } from "vitest";
import { OPEN_GATE, type LiveState } from "../../src/sync/plan/input.ts";
import type { ModulePlan } from "../../src/sync/plan/item.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import type { EntryRecord, Records } from "../../src/sync/plan/records.ts";
import { desiredOf, inputOf, liveOf, marked, recorded } from "./planning.ts";

const desired = desiredOf({ channels: { fast: { istio: "1.2.0" }, regular: { keda: "2.0.0" } } });
const live = liveOf(desired);
/** The first input of a controller: users are unknown. */
const look = (now: LiveState): readonly ModulePlan[] =>
  plan(inputOf(desired, now, { users: { kind: "unknown", because: "not asked" }, gate: OPEN_GATE })).modules;

const withRecords = (change: (record: EntryRecord) => EntryRecord): LiveState => {
  const entries = live.records.kind === "known" ? [...live.records.entries] : [];
  const records: Records = { kind: "known", entries: new Map(entries.map(([key, one]) => [key, change(one)])) };
  return { ...live, records };
};

it("only a changed module is planned again", () => {
  const [istio, keda] = look(live);
  const edited = live.templates.map((template) =>
    template.metadata.name === "keda-2.0.0" ? marked(template, { labels: {} }) : template,
  );
  const again = look({ ...live, templates: edited });

  expect(again[0]).toBe(istio);
  expect(again[1]).not.toEqual(keda);
});

it("equal records give the cached plan, and others do not", () => {
  const before = look(live);
  const wave = {
    failing: 0,
    inOrder: 3,
    pending: 0,
    countedMs: 1,
    baseline: 0,
    ...{ soakedMs: 0, isInOrder: true, isResumed: false, halt: undefined },
  };
  const counted = withRecords((one) => ({ ...one, current: one.current && { ...one.current, wave } }));

  expect(look(counted)[0]).toBe(before[0]);
  expect(look(withRecords((one) => ({ ...one, terms: { beta: true } })))[0]).not.toBe(before[0]);
  expect(look(withRecords((one) => ({ ...one, next: recorded("1.9.0").current })))[0]).not.toBe(before[0]);
  expect(look({ ...live, records: { kind: "none" } })[0]).not.toBe(before[0]);
});
