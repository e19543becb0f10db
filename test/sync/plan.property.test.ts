import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChannelEntry } from "../../src/catalogue/compile.ts";
import type { Generation } from "../../src/catalogue/settings.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { namedTemplates } from "../../src/kubernetes/releaseMeta.ts";
import type { Users } from "../../src/fleet/users.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import { OPEN_GATE, type EntryGate, type LiveState, type PlanInput } from "../../src/sync/plan/input.ts";
import { planEntries, isAct, planItems, type PlanItem } from "../../src/sync/plan/item.ts";
import { knownKey } from "../../src/sync/plan/state.ts";
import type { Sample } from "./catalogueFiles.ts";
import {
  CAREFUL,
  carriedOut,
  desiredOf,
  foreign,
  inputOf,
  isRemoval,
  liveOf,
  marked,
  NOTHING,
  respecified,
  usersOf,
} from "./planning.ts";
import type { Usage } from "./usage.ts";
import { tries } from "../support/tries.ts";

const modules = ["istio", "keda", "audit"] as const;
const version = fc.constantFrom("1.0.0", "1.1.0", "2.0.0");
const channel = fc.dictionary(fc.constantFrom(...modules), version, { maxKeys: 3 });
const sample = fc
  .record({ fast: channel, regular: channel, must: fc.constantFrom({}, { log: "1.0.0" }, { log: "1.1.0" }) })
  .map((channels): Sample => ({ channels, mandatory: ["must"] }));

const THEIRS = ["1.1.0", "1.0.0"].map((served, index) => ({ channel: ["fast", "own"][index], version: served }));

/** Edits of an object by other clients. */
const EDITS: Readonly<Record<string, (object: KubernetesObject) => KubernetesObject | undefined>> = {
  nothing: (object) => object,
  "delete it": () => undefined,
  "begin to delete it": (object) => marked(object, { deletionTimestamp: "2026-05-04T10:00:00Z" }),
  "edit its spec": (object) => respecified(object, { info: { repository: "https://example.com/other" } }),
  "add to its spec": (object) => respecified(object, { beta: true }),
  "add a label": (object) =>
    marked(object, { labels: { ...object.metadata.labels, "operator.kyma-project.io/beta": "true" } }),
  "give it another module": (object) =>
    marked(object, { labels: { ...object.metadata.labels, "operator.kyma-project.io/module-name": "keda" } }),
  "serve something else": (object) =>
    object.kind === "ModuleReleaseMeta" && "channels" in (object["spec"] as object)
      ? respecified(object, { channels: THEIRS })
      : object,
  "remove all labels": (object) => marked(object, { labels: {} }),
  "make it theirs": foreign,
};
const edits = fc.array(fc.constantFrom(...Object.keys(EDITS)), { minLength: 20, maxLength: 20 });

function disturbed(live: LiveState, chosen: readonly string[]): LiveState {
  let next = 0;
  const disturb = (object: KubernetesObject): KubernetesObject | never[] =>
    EDITS[chosen[next++ % chosen.length] ?? ""]?.(object) ?? [];
  return { ...live, templates: live.templates.flatMap(disturb), releaseMetas: live.releaseMetas.flatMap(disturb) };
}

const usage = fc.record({
  module: fc.constantFrom(...modules, "log"),
  channel: fc.constantFrom("fast", "regular", "own"),
  state: fc.constantFrom("Ready", "Processing", "Warning", "Error"),
  version: fc.option(version, { nil: undefined }),
  installed: fc.option(version),
});
const users = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(usage, { maxLength: 4 })
      .map((all): Users => usersOf(...all.map((one, index): Usage => ({ ...one, kyma: `k${index}` })))),
  },
  { weight: 1, arbitrary: fc.constant<Users>({ kind: "unknown", because: "not allowed" }) },
);
const options = fc.record({
  adopt: fc.boolean(),
  prune: fc.boolean(),
  maxPrune: fc.constantFrom(undefined, 0, 2, 100),
  changedContent: fc.constantFrom("refuse" as const, "apply" as const),
  now: fc.constantFrom(undefined, "it is urgent"),
});

const input = fc
  .record({
    before: fc.option(sample),
    wanted: sample,
    generation: fc.constantFrom<Generation>("version-templates", "channel-templates"),
    edits,
    users,
    options,
    compared: fc.boolean(),
    recorded: fc.boolean(),
    held: fc.subarray(modules.flatMap((module) => [`fast/${module}`, `regular/${module}`])),
    later: fc.subarray(modules.flatMap((module) => [`fast/${module}`, `regular/${module}`])),
  })
  .map(({ before, wanted, generation, edits: chosen, compared, recorded, held, later, ...given }): PlanInput => {
    const old = before === null ? undefined : desiredOf(before, generation);
    const there = old === undefined ? NOTHING : disturbed(liveOf(old), chosen);
    const live: LiveState = recorded ? there : { ...there, records: { kind: "none" } };
    const known = new Map(
      (compared ? (old?.entries ?? []) : []).map((one) => [knownKeyOf(one, generation), one.template]),
    );
    const blocked = (keys: readonly string[]): EntryGate["holds"] => new Map(keys.map((key) => [key, { reason: "r" }]));
    const gate = { holds: blocked(held), waves: blocked(later), accepted: new Set<string>() };
    return inputOf(desiredOf(wanted, generation), live, {
      ...given,
      options: { ...CAREFUL, ...given.options },
      known,
      gate,
    });
  });

const knownKeyOf = (entry: ChannelEntry, generation: Generation): string =>
  knownKey(entry.module, entry.version, entry.channel, generation);

const prunes = (items: readonly PlanItem[]): readonly (PlanItem & { kind: "prune" })[] =>
  items.filter((item) => item.kind === "prune").filter((item) => item.carriedOut);

const law = (name: string, holds: (input: PlanInput) => void): void => {
  it(name, () => {
    fc.assert(fc.property(input, holds), tries(25));
  });
};

describe("planning", () => {
  law("gives the same plan twice", (given) => {
    expect(plan(given)).toEqual(plan(given));
  });

  law("gives the same plan after other plans as at first", (given) => {
    const afresh = plan({ ...given, desired: { ...given.desired } });
    const first: PlanInput = { ...given, users: { kind: "unknown", because: "" }, gate: OPEN_GATE };
    plan({ ...first, live: liveOf(given.desired) });
    plan(first);

    expect(plan(given)).toEqual(afresh);
  });

  law("does not depend on the order of live objects", (given) => {
    const { live } = given;
    const reversed = { ...live, templates: live.templates.toReversed(), releaseMetas: live.releaseMetas.toReversed() };

    expect(plan({ ...given, live: reversed })).toEqual(plan(given));
  });

  law("names every object and every entry once", (given) => {
    const decided = plan(given);
    const keys = planItems(decided).map(({ object }) => `${object.kind} ${object.name} ${object.field ?? ""}`);
    const entries = planEntries(decided).map(
      ({ module, channel: place, mandatory }) => `${place} ${module} ${mandatory}`,
    );

    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(entries).size).toBe(entries.length);
  });

  // An adoption may unblock an entry, which then needs another sync to move; so may a template that comes back.
  law("leaves only removals that became possible, and then nothing", (drawn) => {
    const given = { ...drawn, options: { ...drawn.options, adopt: false } };
    const first = plan(given);
    const isEndangered = planEntries(first).some(
      (entry) => entry.kind === "refused" && entry.refusal === "user-endangered",
    );
    let live = isEndangered ? carriedOut(given, first) : given.live;
    for (const round of [1, 2, 3]) {
      const decided = plan({ ...given, live });
      const acts = planItems(decided).filter(isAct);
      if (round > 1) expect(acts.filter((item) => !isRemoval(item))).toEqual([]);
      if (round === 3) expect(acts).toEqual([]);
      live = carriedOut({ ...given, live }, decided);
    }
  });

  law("removes nothing that is used or named, and nothing that is not ours", (given) => {
    const decided = plan(given);
    const after = carriedOut(given, decided);
    const named = after.releaseMetas.flatMap(namedTemplates);
    for (const { live, object } of prunes(planItems(decided))) {
      expect(given.users.kind).toBe("known");
      if (isVersioned(given))
        expect(given.users.kind === "known" && given.users.templates.has(object.name)).toBe(false);
      expect(object.kind === "ModuleTemplate" && named.includes(object.name)).toBe(false);
      expect(live.metadata.managedFields).toBeUndefined();
    }
  });

  law("never removes more than allowed, nor everything, nor anything without a request", (given) => {
    const ours = [...given.live.templates, ...given.live.releaseMetas].filter(
      ({ metadata }) => metadata.managedFields === undefined,
    );
    const count = prunes(planItems(plan(given))).length;

    expect(count).toBeLessThanOrEqual(given.options.maxPrune ?? Math.max(5, ours.length / 10));
    if (count > 0) expect(count).toBeLessThan(ours.length);
    if (!given.options.prune) expect(count).toBe(0);
  });

  law("writes no release meta that names a template that will not exist", (given) => {
    const decided = plan(given);
    const there = new Set(carriedOut(given, decided).templates.map(({ metadata }) => metadata.name));
    for (const item of planItems(decided)) {
      if (item.kind !== "create" && item.kind !== "change") continue;
      if (item.object.kind !== "ModuleReleaseMeta") continue;
      const refused = planItems(decided)
        .filter(({ kind }) => kind === "refused")
        .map(({ object }) => object.name);
      expect(namedTemplates(item.desired).filter((name) => !there.has(name) && !refused.includes(name))).toEqual([]);
    }
  });

  law("moves no entry to a template that is refused or missing", (given) => {
    const decided = plan(given);
    const after = carriedOut(given, decided);
    const isReady = ({ kind }: PlanItem): boolean => ["create", "change", "unchanged", "retained"].includes(kind);
    for (const entry of planEntries(decided)) {
      if (entry.kind !== "create" && entry.kind !== "raise" && entry.kind !== "lower") continue;
      const name = `${entry.module}-${isVersioned(given) ? (entry.to ?? "") : entry.channel}`;
      expect(after.templates.map(({ metadata }) => metadata.name)).toContain(name);
      expect(
        planItems(decided)
          .filter(({ object }) => object.name === name)
          .map(isReady),
      ).toEqual([true]);
    }
  });
});

const isVersioned = ({ desired }: PlanInput): boolean => desired.target.generation === "version-templates";
