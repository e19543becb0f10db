import { describe, expect, it } from "vitest";
import { plan } from "../../src/sync/plan/plan.ts";
import { entriesIn, type Records } from "../../src/sync/plan/records.ts";
import { announce } from "../../src/sync/record.ts";
import {
  CAREFUL,
  desiredOf,
  edited,
  entrySummary,
  inputOf,
  liveOf,
  NOW,
  recorded,
  respecified,
  summary,
} from "./planning.ts";

const old = desiredOf({ channels: { fast: { istio: "1.2.0" } } });
const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const live = liveOf(old);
const none: Records = { kind: "none" };

describe("a module whose files cannot be used", () => {
  const withheld = {
    ...desired,
    ...{ entries: [], templates: [], releaseMetas: [], terms: new Map() },
    withheld: new Set(desired.entries.map(({ module }) => module)),
  };
  const known = new Map(old.templates.map((template) => [template.metadata.name, template]));
  const options = { ...CAREFUL, prune: true, pruneTemplates: true };

  it("is left alone with its templates if what was recorded is not known", () => {
    expect(summary(plan(inputOf(withheld, { ...live, releaseMetas: [] })))).toEqual(["retained istio-1.2.0"]);
    expect(summary(plan(inputOf(withheld, live)))).toEqual(["retained istio-1.2.0", "retained istio"]);
    expect(summary(plan(inputOf(withheld, { ...live, records: none }, { known })))).toEqual([
      ...["retained istio-1.2.0", "retained istio"],
    ]);
  });

  it("is kept as it was recorded: what others removed or changed comes back, and nothing is removed", () => {
    const lost = { ...live, templates: [], releaseMetas: [] };
    const changed = edited(live, "istio", (meta) =>
      respecified(meta, { channels: [{ channel: "fast", version: "1.1.0" }] }),
    );
    const more = { ...live, templates: [...live.templates, ...liveOf(desired).templates] };

    expect(summary(plan(inputOf(withheld, live, { known })))).toEqual([]);
    expect(summary(plan(inputOf(withheld, lost, { known, options })))).toEqual(["create istio-1.2.0", "create istio"]);
    expect(entrySummary(plan(inputOf(withheld, changed, { known })))).toEqual(["raise fast/istio 1.1.0 → 1.2.0"]);
    expect(summary(plan(inputOf(withheld, more, { known, options })))).toEqual([]);
  });

  it("is kept as mandatory, also if the repository has no mandatory channel any more", () => {
    const before = desiredOf({ channels: { always: { warden: "1.0.0" } }, mandatory: ["always"] });
    const templates = new Map(before.templates.map((template) => [template.metadata.name, template]));
    const lost = { ...liveOf(before), templates: [], releaseMetas: [] };
    const broken = { ...before, entries: [], templates: [], releaseMetas: [], terms: new Map() };
    const modules = new Set(before.entries.map(({ module }) => module));
    for (const mandatoryChannel of ["always", undefined]) {
      const input = inputOf({ ...broken, mandatoryChannel, withheld: modules }, lost, { known: templates });

      expect(summary(plan(input))).toEqual(["create warden-1.0.0", "create warden"]);
    }
  });

  it("serves the version that was announced if it is live, and else the one before it", () => {
    const record = recorded("1.2.0");
    const { current: next } = recorded("1.3.0");
    const both = new Map([...known, ...desired.templates.map((one) => [one.metadata.name, one] as const)]);
    const records: Records = {
      kind: "known",
      entries: new Map([["fast/istio", { ...record, next }]]),
    };

    expect(summary(plan(inputOf(withheld, { ...live, records }, { known: both })))).toEqual([]);
    expect(summary(plan(inputOf(withheld, { ...liveOf(desired), records }, { known: both })))).toEqual([]);
  });

  it("keeps its records, whatever is repaired", () => {
    const input = inputOf(withheld, { ...live, templates: [], releaseMetas: [] }, { known });

    expect(announce(plan(input), input, NOW + 1).entries).toEqual(entriesIn(live.records));
  });
});

describe("a module that is deferred after a failure", () => {
  it("keeps its records", () => {
    const input = inputOf(desired, live);
    const { modules, ...rest } = plan(input);
    const deferred = { ...rest, modules: [], deferred: new Set(modules.map(({ module }) => module)) };

    expect(announce(deferred, input, NOW + 1).entries).toEqual(entriesIn(live.records));
    expect(announce({ ...rest, modules: [] }, input, NOW + 1).entries).toEqual(new Map());
  });
});
