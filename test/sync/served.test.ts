import { describe, expect, it } from "vitest";
import { absentEntries, servedEntries } from "../../src/sync/plan/served.ts";
import type { Generation } from "../../src/catalogue/settings.ts";
import { entriesIn } from "../../src/sync/plan/records.ts";
import { isAct, type PlanItem } from "../../src/sync/plan/item.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import type { Sample } from "./catalogueFiles.ts";
import {
  byName,
  CAREFUL,
  desiredOf,
  entrySummary,
  inputOf,
  liveOf,
  NOTHING,
  recorded,
  recordsOf,
  stored,
} from "./planning.ts";

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
  it("are those whose wanted state differs from the live one", () => {
    expect(entrySummary(plan(inputOf(desiredOf(now), liveOf(desiredOf(old)), { options })))).toEqual([
      "raise must/audit 1.0.0 → 1.1.0",
      "raise fast/istio 1.2.0 → 1.3.0",
      "create slow/istio – → 1.2.0",
      "remove fast/keda 2.0.0 → –",
    ]);
  });

  it("are all of them on an empty control plane", () => {
    expect(entrySummary(plan(inputOf(desiredOf(old), NOTHING)))).toEqual([
      "create must/audit – → 1.0.0",
      "create fast/istio – → 1.2.0",
      "create regular/istio – → 1.2.0",
      "create fast/keda – → 2.0.0",
    ]);
  });

  it("are those of the templates with channel templates", () => {
    const [before, after] = [desiredOf(old, "channel-templates"), desiredOf(now, "channel-templates")];

    expect(entrySummary(plan(inputOf(after, liveOf(before), { options })))).toEqual([
      "raise must/audit 1.0.0 → 1.1.0",
      "raise fast/istio 1.2.0 → 1.3.0",
      "create slow/istio – → 1.2.0",
      "remove fast/keda 2.0.0 → –",
    ]);
  });
});

describe("the entries that an object serves", () => {
  const served = (name: string, generation?: "channel-templates"): object => {
    const item = byName(plan(inputOf(desiredOf(now, generation), NOTHING)))[name];
    return Object.fromEntries(item?.kind === "create" ? servedEntries(item.desired) : []);
  };

  it("are the channels of a release meta, each with its version", () => {
    expect(served("istio")).toEqual({ "fast/istio": "1.3.0", "regular/istio": "1.2.0", "slow/istio": "1.2.0" });
  });

  it("are the one version of a mandatory module, without the name of a channel", () => {
    expect(served("audit")).toEqual({ "mandatory/audit": "1.1.0" });
  });

  it("are none for the template of a version, and one for a channel template", () => {
    expect(served("istio-1.3.0")).toEqual({});
    expect(served("istio-fast", "channel-templates")).toEqual({ "fast/istio": "1.3.0" });
    expect(served("audit-must", "channel-templates")).toEqual({ "must/audit": "1.1.0" });
  });

  it("are none for an object without a spec or a module", () => {
    const bare = stored({ apiVersion: "v1", kind: "ModuleTemplate", metadata: { name: "bare" } });
    const nameless = { ...bare, spec: { channel: "fast", version: "1.0.0" } };
    const meta = stored({ apiVersion: "v1", kind: "ModuleReleaseMeta", metadata: { name: "bare" } });

    expect([bare, nameless, meta].flatMap((live) => [...servedEntries(live)])).toEqual([]);
  });
});

describe("an item that writes nothing", () => {
  const object = { kind: "ModuleReleaseMeta", name: "istio" };
  const live = stored({ apiVersion: "v1", kind: "ModuleReleaseMeta", metadata: { name: "istio" } });
  const items: readonly PlanItem[] = [
    { kind: "unchanged", object },
    { kind: "retained", object, because: "b" },
    { kind: "refused", object, refusal: "not-ours", reason: "r", remedy: "r" },
    { kind: "waiting", object, reason: "r" },
    { kind: "contested", object, by: [], fields: [] },
    { kind: "prune", object, live, carriedOut: false },
  ];

  it.each(items)("is $kind: it is not an act", (item) => {
    expect(isAct(item)).toBe(false);
  });
});

describe("the recorded entries whose objects are gone", () => {
  const absent = (live: Partial<ReturnType<typeof liveOf>>, generation?: Generation): readonly string[] => {
    const desired = desiredOf(old, generation);
    const { records, ...rest } = { ...liveOf(desired), records: recordsOf(desired), ...live };
    const entries = new Map([...entriesIn(records), ["slow/istio", { ...recorded("1.2.0"), current: undefined }]]);
    return [...absentEntries(entries, rest, desired.target.generation)].sort();
  };

  it("are none while all are live", () => {
    expect(absent({})).toEqual([]);
    expect(absent({}, "channel-templates")).toEqual([]);
  });

  it("are those whose release meta or template is gone, or has another version", () => {
    const { releaseMetas, templates } = liveOf(desiredOf(old));
    const without = releaseMetas.filter(({ metadata }) => metadata.name !== "keda");
    const others = templates.filter(({ metadata }) => metadata.name !== "istio-1.2.0");

    expect(absent({ releaseMetas: without })).toEqual(["fast/keda"]);
    expect(absent({ templates: others })).toEqual(["fast/istio", "regular/istio"]);
    expect(absent({ releaseMetas: liveOf(desiredOf(now)).releaseMetas })).toEqual([
      ...["fast/istio", "fast/keda", "mandatory/audit"],
    ]);
  });

  it("are those whose template of the channel is gone, as far as records name it", () => {
    expect(absent({ templates: [] }, "channel-templates")).toEqual(["fast/istio", "fast/keda", "regular/istio"]);
  });
});
