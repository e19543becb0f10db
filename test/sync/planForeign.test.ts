import { describe, expect, it } from "vitest";
import { APPLY_SET_LABEL } from "../../src/kubernetes/applySet.ts";
import type { LiveState } from "../../src/sync/plan/input.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import { mentions } from "../support/mentions.ts";
import {
  byName,
  CAREFUL,
  desiredOf,
  edited,
  entrySummary,
  foreign,
  inputOf,
  liveOf,
  marked,
  NOTHING,
  stored,
  summary,
  usersOf,
} from "./planning.ts";

const PRUNING = { ...CAREFUL, prune: true };

describe("a foreign template in a channel that the repository does not have", () => {
  const generation = "channel-templates";
  const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } }, generation);
  const more = desiredOf({ channels: { fast: { istio: "1.3.0" }, special: { istio: "1.1.0" } } }, generation);
  const theirs = more.templates
    .filter(({ metadata }) => metadata.name === "istio-special")
    .map((one) => stored(foreign(one)));
  const live = liveOf(desired);
  const crowded: LiveState = { ...live, templates: [...live.templates, ...theirs] };

  it.each([CAREFUL, PRUNING])("is never removed", (options) => {
    for (const records of [crowded.records, NOTHING.records]) {
      const decided = plan(inputOf(desired, { ...crowded, records }, { options }));

      expect(summary(decided)).toEqual([]);
      expect(entrySummary(decided)).toEqual([]);
    }
  });
});

describe("a release meta of another client, of a module that is no longer wanted", () => {
  const old = desiredOf({ channels: { fast: { istio: "1.3.0", keda: "2.0.0" } } });
  const desired = desiredOf({ channels: { fast: { keda: "2.0.0" } } });
  const live = edited(liveOf(old), "istio", foreign);

  it("keeps the template that it names", () => {
    expect(byName(plan(inputOf(desired, live, { options: PRUNING })))["istio-1.3.0"]).toMatchObject({
      kind: "retained",
      because: mentions("ModuleReleaseMeta istio"),
    });
  });

  it("is not reported with an entry that is not written", () => {
    expect(entrySummary(plan(inputOf(desired, live)))).not.toContain("create fast/istio – → 1.3.0");
  });

  it.each([CAREFUL, { ...CAREFUL, adopt: true }])("is left to its owner, also if it has users", (options) => {
    const users = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });
    const decided = plan(inputOf(desired, live, { users, options }));

    expect([entrySummary(decided), summary(decided)]).toEqual([[], ["retained istio-1.3.0"]]);
  });
});

describe("a release meta that is adopted while none of its versions may be served yet", () => {
  it("is adopted once, and then is ours", () => {
    const old = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
    const desired = desiredOf({ channels: { regular: { istio: "1.3.0" } } });
    const now: LiveState = { ...edited(liveOf(old), "istio", foreign), records: { kind: "none" } };
    const gate = {
      holds: new Map([["regular/istio", { reason: "r" }]]),
      waves: new Map(),
      accepted: new Set<string>(),
    };
    const item = byName(plan(inputOf(desired, now, { gate, options: { ...PRUNING, adopt: true } })))["istio"];

    // Otherwise every later plan would contain the same adoption.
    if (item?.kind === "change") expect(item.desired.metadata.labels).toHaveProperty([APPLY_SET_LABEL]);
  });
});

describe("a template that another client changed and put back", () => {
  it("is taken back: it is unknown whether its content is ours as long as that client owns a field", () => {
    const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
    const managedFields = [
      { manager: "kubectl-edit", operation: "Update", fieldsV1: { "f:spec": { "f:version": {} } } },
    ];
    const live = edited(liveOf(desired), "istio-1.3.0", (object) => marked(object, { managedFields }));

    expect(byName(plan(inputOf(desired, live)))["istio-1.3.0"]).toMatchObject({
      ...{ kind: "change", cause: "drift", by: ["kubectl-edit"], differences: [], takeOver: "judged" },
    });
  });
});
