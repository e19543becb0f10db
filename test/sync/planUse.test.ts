import { describe, expect, it } from "vitest";
import { MODULE_LABEL } from "../../src/catalogue/template.ts";
import { NO_USERS, type Users } from "../../src/fleet/users.ts";
import type { LiveState, PlanInput } from "../../src/sync/plan/input.ts";
import type { Plan } from "../../src/sync/plan/item.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import { mentions } from "../support/mentions.ts";
import {
  byEntry,
  byName,
  CAREFUL,
  desiredOf,
  edited,
  entrySummary,
  inputOf,
  liveOf,
  marked,
  respecified,
  stored,
  summary,
  usersOf,
} from "./planning.ts";

const PRUNING = { ...CAREFUL, prune: true };
const old = desiredOf({ channels: { fast: { istio: "1.2.0", keda: "2.0.0" }, regular: { istio: "1.2.0" } } });
const desired = desiredOf({ channels: { fast: { istio: "1.3.0", keda: "2.0.0" }, regular: { istio: "1.3.0" } } });
const live = liveOf(old);
const unknown: Users = { kind: "unknown", because: "not allowed" };
/** One Kyma that still has the old version. */
const oneUser = usersOf({ module: "istio", channel: "fast", version: "1.2.0", installed: null });
/** The control plane after the sync: no release meta names the old version any more. */
const moved: LiveState = {
  ...liveOf(desired),
  templates: [...liveOf(desired).templates, ...live.templates.slice(0, 1)],
};

const planOf = (now: LiveState, given: Partial<PlanInput> = {}): readonly string[] =>
  summary(plan(inputOf(desired, now, given)));

describe("a version that no channel serves any more", () => {
  it("is left over, and removed only if requested", () => {
    expect(planOf(live)).toContain("left over istio-1.2.0");
    expect(planOf(live, { options: PRUNING })).toContain("prune istio-1.2.0");
  });

  it("is retained while a Kyma or a Manifest uses it", () => {
    const given = { options: PRUNING, users: oneUser };

    expect(byName(plan(inputOf(desired, live, given)))["istio-1.2.0"]).toEqual({
      kind: "retained",
      object: { kind: "ModuleTemplate", name: "istio-1.2.0" },
      because: "still in use: 1 user (Kyma k)",
    });
    const installed = usersOf({ module: "istio", channel: "fast", version: undefined, installed: "1.2.0" });

    expect(byName(plan(inputOf(desired, live, { options: PRUNING, users: installed })))["istio-1.2.0"]).toMatchObject({
      kind: "retained",
      because: "still in use: 1 user (Manifest k-istio)",
    });
  });

  it.each([
    ["version", "Kyma k"],
    ["module", "Manifest k-istio without the label operator.kyma-project.io/module-name"],
  ] as const)("is retained while a Manifest does not name its %s, so that it may use it", (lacks, user) => {
    const users = usersOf({ module: "istio", channel: "fast", version: undefined, installed: "1.2.0", lacks });

    expect(byName(plan(inputOf(desired, moved, { options: PRUNING, users })))["istio-1.2.0"]).toMatchObject({
      kind: "retained",
      because: mentions("may", "Manifests", "1 user", user),
    });
  });

  it("is retained while an unchanged release meta names it", () => {
    const meta = stored({
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "ModuleReleaseMeta",
      metadata: { name: "theirs" },
      spec: { moduleName: "istio", channels: [{ channel: "old", version: "1.2.0" }] },
    });
    const crowded = { ...live, releaseMetas: [...live.releaseMetas, meta] };

    expect(byName(plan(inputOf(desired, crowded, { options: PRUNING })))["istio-1.2.0"]).toMatchObject({
      kind: "retained",
      because: mentions("ModuleReleaseMeta theirs"),
    });
  });

  it("is retained while its release meta may not be changed", () => {
    const serving = edited(live, "istio", (object) =>
      respecified(object, { channels: [{ channel: "old", version: "1.2.0" }] }),
    );
    const users = usersOf({ module: "istio", channel: "old", version: "1.1.0" });
    const decided = plan(inputOf(desired, serving, { options: PRUNING, users }));

    expect(entrySummary(decided)).toContain("refused old/istio 1.2.0 → –: channel-in-use");
    expect(byName(decided)["istio-1.2.0"]).toMatchObject({
      kind: "retained",
      because: mentions("ModuleReleaseMeta istio"),
    });
    expect(byName(decided)["istio"]).toMatchObject({
      kind: "change",
      desired: {
        spec: { channels: [{ channel: "fast" }, { channel: "old", version: "1.2.0" }, { channel: "regular" }] },
      },
    });
  });

  it("is not removed if its users are unknown, and a requested removal is refused", () => {
    expect(planOf(moved, { users: unknown })).toEqual(["left over istio-1.2.0"]);
    expect(byName(plan(inputOf(desired, moved, { users: unknown, options: PRUNING })))["istio-1.2.0"]).toMatchObject({
      refusal: "references-unknown",
      reason: mentions("unknown", "not allowed"),
    });
  });

  it("is still served if its users are unknown: no entry moves, and no new template is created", () => {
    const decided = plan(inputOf(desired, live, { users: unknown, options: PRUNING }));

    expect(entrySummary(decided)).toEqual([
      "refused fast/istio 1.2.0 → 1.3.0: references-unknown",
      "refused regular/istio 1.2.0 → 1.3.0: references-unknown",
    ]);
    expect(summary(decided)).toEqual(["retained istio-1.2.0"]);
  });

  it("is compared with the repository, and repaired", () => {
    const known = new Map(old.templates.map((template) => [template.metadata.name, template]));
    const users = oneUser;
    const drifted = edited(live, "istio-1.2.0", (object) => respecified(object, { info: null }));

    expect(planOf(live, { known, users })).toContain("retained istio-1.2.0");
    expect(planOf(drifted, { known, users })).toContain("repair istio-1.2.0");
    expect(planOf(drifted, { users })).toContain("retained istio-1.2.0");
  });

  it("does not get different content, no more than a served one", () => {
    const changed = desiredOf({
      channels: { fast: { istio: { version: "1.2.0", data: { apiVersion: "example.com/v1", kind: "Other" } } } },
    });
    const known = new Map(changed.templates.map((template) => [template.metadata.name, template]));
    const users = oneUser;

    expect(planOf(live, { known, users })).toContain("refused istio-1.2.0: content-changed");
    expect(planOf(live, { known, users, options: { ...CAREFUL, changedContent: "apply" } })).toContain(
      "repair istio-1.2.0",
    );
  });
});

describe("a module that no channel serves any more", () => {
  const without = desiredOf({ channels: { fast: { istio: "1.2.0" }, regular: { istio: "1.2.0" } } });
  const planWith = (users: Users, options = PRUNING): Plan => plan(inputOf(without, live, { users, options }));

  it("is removed, first its release meta and then its template", () => {
    const decided = planWith(NO_USERS);

    expect(summary(decided)).toEqual(["prune keda", "prune keda-2.0.0"]);
    expect(entrySummary(decided)).toEqual(["remove fast/keda 2.0.0 → –"]);
  });

  it("stays completely while it has users", () => {
    const decided = planWith(usersOf({ module: "keda", channel: "fast", version: "2.0.0" }));

    expect(summary(decided)).toEqual(["retained keda-2.0.0"]);
    expect(byEntry(decided)["fast/keda"]).toMatchObject({
      kind: "refused",
      refusal: "channel-in-use",
      reason: expect.stringContaining("1 user (Kyma k)") as string,
    });
    expect(byName(decided)["keda"]).toMatchObject({ kind: "unchanged" });
  });

  it("stays completely while it has users in channels that did not serve it either", () => {
    const decided = planWith(usersOf({ module: "keda", chosen: "regular", channel: "regular", installed: null }));

    expect(byEntry(decided)["fast/keda"]).toMatchObject({ kind: "refused", refusal: "module-in-use" });
    expect(byName(decided)["keda"]).toMatchObject({ kind: "unchanged" });
    expect(byName(decided)["keda-2.0.0"]).toMatchObject({ kind: "retained" });
  });

  it("stays completely if its users are unknown", () => {
    const decided = planWith(unknown);

    expect(entrySummary(decided)).toEqual(["refused fast/keda 2.0.0 → –: references-unknown"]);
    expect(summary(decided)).toEqual(["retained keda-2.0.0"]);
  });

  it("stays completely without a requested removal", () => {
    const decided = planWith(NO_USERS, CAREFUL);

    expect(entrySummary(decided)).toEqual(["left over fast/keda 2.0.0 → –"]);
    expect(byName(decided)["keda"]).toMatchObject({ kind: "unchanged" });
    expect(byName(decided)["keda-2.0.0"]).toMatchObject({
      kind: "retained",
      because: mentions("ModuleReleaseMeta keda"),
    });
  });

  it("has the name of its release meta, whatever its labels", () => {
    const users = usersOf({ module: "keda", channel: "fast", version: "2.0.0" });
    const renamed = edited(live, "keda", (object) =>
      marked(object, { labels: { ...object.metadata.labels, [MODULE_LABEL]: "scaler" } }),
    );
    const nameless = edited(live, "keda", (object) => {
      const { [MODULE_LABEL]: _module, ...labels } = object.metadata.labels ?? {};
      return marked(object, { labels });
    });

    for (const now of [renamed, nameless]) {
      const decided = plan(inputOf(without, now, { options: PRUNING, users }));

      expect(entrySummary(decided)).toEqual(["refused fast/keda 2.0.0 → –: channel-in-use"]);
      expect(summary(decided)).not.toContain("prune keda");
    }
  });

  it.each(["scaler", undefined])(
    "keeps the template that its release meta names, with the foreign label %s",
    (label) => {
      const users = usersOf({ module: "keda", chosen: "fast", channel: "fast", installed: null });
      const relabelled = edited(live, "keda-2.0.0", (object) => {
        const { [MODULE_LABEL]: _module, ...labels } = object.metadata.labels ?? {};
        return marked(object, { labels: { ...labels, ...(label && { [MODULE_LABEL]: label }) } });
      });
      const decided = plan(inputOf(without, relabelled, { options: PRUNING, users }));

      expect(entrySummary(decided)).toEqual(["refused fast/keda 2.0.0 → –: channel-in-use"]);
      expect(summary(decided)).toEqual(["retained keda-2.0.0"]);
    },
  );
});
