import { describe, expect, it } from "vitest";
import { APPLY_SET_LABEL } from "../../src/kubernetes/applySet.ts";
import { fieldText } from "../../src/kubernetes/compare.ts";
import type { KubernetesObject, ManagedFieldsEntry } from "../../src/kubernetes/object.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import type { LiveState } from "../../src/sync/plan/input.ts";
import type { PlanItem } from "../../src/sync/plan/item.ts";
import { mentions } from "../support/mentions.ts";
import { MODULE_LABEL } from "./catalogueFiles.ts";
import {
  byEntry,
  byName,
  CAREFUL,
  desiredOf,
  edited,
  foreign,
  inputOf,
  liveOf,
  marked,
  NOW,
  respecified,
  stored,
  usersOf,
} from "./planning.ts";

const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } }, versions: {} });
const live = liveOf(desired);
const TEMPLATE = "istio-1.3.0";
const ADOPTING = { ...CAREFUL, adopt: true };
const BETA = "operator.kyma-project.io/beta";

function judge(name: string, now: LiveState, given: Parameters<typeof inputOf>[2] = {}): PlanItem | undefined {
  return byName(plan(inputOf(desired, now, given)))[name];
}

function fieldsOf(item: PlanItem | undefined): readonly string[] {
  if (item?.kind !== "change") return [];
  return item.differences.map(({ kind, path }) => `${kind} ${fieldText(path)}`);
}

const labelled = (object: KubernetesObject, labels: Readonly<Record<string, string>>): KubernetesObject =>
  marked(object, { labels: { ...object.metadata.labels, ...labels } });

const unlabelled = (object: KubernetesObject, label: string): KubernetesObject => {
  const labels = Object.entries(object.metadata.labels ?? {}).filter(([key]) => key !== label);
  return marked(object, { labels: Object.fromEntries(labels) });
};

const written = (manager: string, fields: object, time = "2026-05-04T10:00:00Z"): ManagedFieldsEntry =>
  ({ manager, operation: "Update", time, fieldsV1: fields }) as ManagedFieldsEntry;

describe("drift", () => {
  it("is repaired, and names the client", () => {
    const managedFields = [
      written("kubectl-edit", { "f:spec": { "f:version": {} } }),
      written("other", { "f:data": {} }),
    ];
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) => respecified(marked(object, { managedFields }), { version: "9.9.9" })),
    );

    expect(item).toMatchObject({ kind: "change", cause: "drift", by: ["kubectl-edit"] });
    expect(item).not.toHaveProperty("takeOver");
    expect(fieldsOf(item)).toEqual(["changed spec.version"]);
  });

  it("names the last writer if the field has no owner any more", () => {
    const managedFields = [written("early", {}, "2026-05-01T10:00:00Z"), written("late", {}, "2026-05-02T10:00:00Z")];
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) => respecified(marked(object, { managedFields }), { info: null })),
    );

    expect(item).toMatchObject({ cause: "drift", by: ["late"] });
  });

  it("names no client if none is recorded", () => {
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) => respecified(object, { info: null })),
    );

    expect(item).toMatchObject({ cause: "drift", by: [] });
  });

  it("takes over added fields, because an apply alone would leave them", () => {
    const managedFields = [written("labeller", { "f:metadata": { "f:labels": { [`f:${BETA}`]: {} } } })];
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) => labelled(marked(object, { managedFields }), { [BETA]: "true" })),
    );

    expect(item).toMatchObject({ kind: "change", takeOver: "judged", by: ["labeller"] });
    expect(fieldsOf(item)).toEqual([`extra metadata.labels["${BETA}"]`]);
  });

  it("takes over nothing if only we wrote: the apply removes it", () => {
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) => respecified(object, { requiresDowntime: true })),
    );

    expect(item).toMatchObject({ kind: "change", cause: "drift" });
    expect(item).not.toHaveProperty("takeOver");
  });

  it("that changes the clusters of a template is repaired only if its module has no users", () => {
    const now = edited(live, TEMPLATE, (object) => labelled(object, { [BETA]: "true" }));
    const users = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });
    const unknown = { kind: "unknown", because: "not allowed" } as const;

    expect(judge(TEMPLATE, now)).toMatchObject({ kind: "change", cause: "drift" });
    expect(judge(TEMPLATE, now, { users })).toMatchObject({ kind: "refused", refusal: "restriction-changed" });
    expect(judge(TEMPLATE, now, { users: unknown })).toMatchObject({ kind: "refused", refusal: "references-unknown" });
  });

  it("of any other field is repaired with users, and with unknown users", () => {
    const now = edited(live, TEMPLATE, (object) => respecified(object, { info: null }));
    const users = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });
    const unknown = { kind: "unknown", because: "not allowed" } as const;

    expect(judge(TEMPLATE, now, { users })).toMatchObject({ kind: "change", cause: "drift" });
    expect(judge(TEMPLATE, now, { users: unknown })).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("is counted in an annotation, and is contested after three repairs of the same fields within an hour", () => {
    const minute = 60_000;
    let now = live;
    const kinds = [0, 1, 2, 3].map((round) => {
      now = edited(now, TEMPLATE, (object) => respecified(object, { info: null }));
      const item = judge(TEMPLATE, now, { nowMs: NOW + round * minute });
      now = edited(now, TEMPLATE, (object) => (item?.kind === "change" ? stored(item.desired) : object));
      return item?.kind;
    });

    expect(kinds).toEqual(["change", "change", "change", "contested"]);
    expect(judge(TEMPLATE, now, { nowMs: NOW + 62 * minute })).toMatchObject({ kind: "change", cause: "drift" });
    const other = edited(now, TEMPLATE, (object) => respecified(object, { info: {}, requiresDowntime: true }));

    expect(judge(TEMPLATE, other, { nowMs: NOW + 3 * minute })).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("does not include foreign annotations and labels without effect", () => {
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) =>
        labelled(marked(object, { annotations: { ...object.metadata.annotations, note: "n" } }), { team: "a" }),
      ),
    );

    expect(item).toMatchObject({ kind: "unchanged" });
  });
});

describe("an object that is not ours", () => {
  const theirs = edited(live, TEMPLATE, foreign);

  it("is refused, with its writer and a remedy", () => {
    const managedFields = [
      written("kubectl-client-side-apply", {}),
      written("kubectl-client-side-apply", {}),
      { operation: "Update" },
    ];
    const item = judge(
      TEMPLATE,
      edited(theirs, TEMPLATE, (object) => marked(object, { managedFields })),
    );

    expect(item).toEqual({
      kind: "refused",
      object: { kind: "ModuleTemplate", name: TEMPLATE },
      refusal: "not-ours",
      reason: mentions("kubectl-client-side-apply, unknown"),
      remedy: mentions("sync --adopt"),
    });
  });

  it("is also refused as a member of another set", () => {
    const other = edited(live, TEMPLATE, (object) => labelled(object, { [APPLY_SET_LABEL]: "applyset-other-v1" }));

    expect(judge(TEMPLATE, other)).toMatchObject({
      refusal: "not-ours",
      reason: expect.stringMatching(/ApplySet \W?applyset-other-v1\W*$/) as string,
    });
  });

  it("is refused even with the annotation of the wanted content: it may be a copy", () => {
    const copied = edited(live, TEMPLATE, (object) => {
      const { managedFields = [] } = foreign(object).metadata;
      return marked(unlabelled(object, APPLY_SET_LABEL), { managedFields });
    });

    expect(judge(TEMPLATE, copied)).toMatchObject({ kind: "refused", refusal: "not-ours" });
    const item = judge(TEMPLATE, copied, { options: ADOPTING });

    expect(item).toMatchObject({ kind: "change", cause: "adoption" });
    expect(fieldsOf(item)).toEqual([`missing metadata.labels["${APPLY_SET_LABEL}"]`]);
  });

  it("is refused if nothing tells who wrote it", () => {
    const unknown = edited(theirs, TEMPLATE, (object) => marked(object, { managedFields: [] }));

    expect(judge(TEMPLATE, unknown)).toMatchObject({
      refusal: "not-ours",
      reason: expect.stringMatching(/not ours\.$/) as string,
    });
  });

  it("is adopted if requested, and loses its extra labels and annotations", () => {
    const crowded = edited(live, TEMPLATE, (object) =>
      marked(foreign(object), { annotations: { note: "n" }, labels: { [MODULE_LABEL]: "istio", team: "a" } }),
    );
    const item = judge(TEMPLATE, crowded, { options: ADOPTING });

    expect(item).toMatchObject({ kind: "change", cause: "adoption", takeOver: "everything", by: [] });
    expect(fieldsOf(item)).toEqual([
      `missing metadata.labels["${APPLY_SET_LABEL}"]`,
      'missing metadata.annotations["kyma-modules/desired"]',
      "extra metadata.labels.team",
      "extra metadata.annotations.note",
    ]);
  });

  it("is not adopted if that would remove a channel with users", () => {
    const channels = [
      { channel: "fast", version: "1.3.0" },
      { channel: "old", version: "1.0.0" },
    ];
    const serving = edited(live, "istio", (object) => respecified(foreign(object), { channels }));

    const users = usersOf({ module: "istio", channel: "old", version: "1.0.0" });
    const inUse = plan(inputOf(desired, serving, { options: ADOPTING, users }));

    expect(byEntry(inUse)["old/istio"]).toMatchObject({ kind: "refused", refusal: "channel-in-use", from: "1.0.0" });
    expect(byName(inUse)["istio"]).toMatchObject({ cause: "adoption", desired: { spec: { channels } } });
    const unused = plan(inputOf(desired, serving, { options: ADOPTING }));

    expect(byEntry(unused)["old/istio"]).toMatchObject({ kind: "remove", cause: "drift", carriedOut: true });
    expect(byName(unused)["istio"]).toMatchObject({
      cause: "adoption",
      desired: { spec: { channels: channels.slice(0, 1) } },
    });
  });
});
