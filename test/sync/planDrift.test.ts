import { describe, expect, it } from "vitest";
import { APPLY_SET_LABEL, applySetParent } from "../../src/kubernetes/applySet.ts";
import { fieldText } from "../../src/kubernetes/compare.ts";
import type { KubernetesObject, ManagedFieldsEntry } from "../../src/kubernetes/object.ts";
import { plan } from "../../src/sync/plan.ts";
import type { LiveState, PlanItem } from "../../src/sync/planItem.ts";
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
  usedBy,
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
  it("is repaired, and says who made it", () => {
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

  it("names who wrote last where the field has no owner left", () => {
    const managedFields = [written("early", {}, "2026-05-01T10:00:00Z"), written("late", {}, "2026-05-02T10:00:00Z")];
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) => respecified(marked(object, { managedFields }), { info: null })),
    );

    expect(item).toMatchObject({ cause: "drift", by: ["late"] });
  });

  it("names nobody where nobody is recorded", () => {
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) => respecified(object, { info: null })),
    );

    expect(item).toMatchObject({ cause: "drift", by: [] });
  });

  it("takes over what was added, since applying alone would leave it", () => {
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) => labelled(object, { [BETA]: "true" })),
    );

    expect(item).toMatchObject({ kind: "change", takeOver: "judged" });
    expect(fieldsOf(item)).toEqual([`extra metadata.labels["${BETA}"]`]);
  });

  it("leaves foreign annotations and labels that steer nothing alone", () => {
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) =>
        labelled(marked(object, { annotations: { ...object.metadata.annotations, note: "n" } }), { team: "a" }),
      ),
    );

    expect(item).toMatchObject({ kind: "unchanged" });
  });

  it("includes the label of the set, as long as the record of what was wanted is there", () => {
    const item = judge(
      TEMPLATE,
      edited(live, TEMPLATE, (object) => unlabelled(object, APPLY_SET_LABEL)),
    );

    expect(item).toMatchObject({ kind: "change", cause: "drift" });
    expect(fieldsOf(item)).toEqual([`missing metadata.labels["${APPLY_SET_LABEL}"]`]);
  });
});

describe("an object that is not ours", () => {
  const bare = (object: KubernetesObject): KubernetesObject =>
    unlabelled(marked(object, { annotations: {} }), APPLY_SET_LABEL);
  const foreign = edited(live, TEMPLATE, bare);

  it("is refused, with who wrote it and what to do", () => {
    const managedFields = [
      written("kubectl-client-side-apply", {}),
      written("kubectl-client-side-apply", {}),
      { operation: "Update" },
    ];
    const item = judge(
      TEMPLATE,
      edited(foreign, TEMPLATE, (object) => marked(object, { managedFields })),
    );

    expect(item).toEqual({
      kind: "refused",
      object: { kind: "ModuleTemplate", name: TEMPLATE },
      refusal: "not-ours",
      reason: "It is not ours; written by kubectl-client-side-apply, unknown.",
      remedy: "Take it over: sync --adopt shows and removes what else it holds.",
    });
  });

  it("is refused as a member of another set, too", () => {
    const other = edited(live, TEMPLATE, (object) => labelled(object, { [APPLY_SET_LABEL]: "applyset-other-v1" }));

    expect(judge(TEMPLATE, other)).toMatchObject({
      refusal: "not-ours",
      reason: "It belongs to another ApplySet (applyset-other-v1).",
    });
  });

  it("is refused without a single label", () => {
    expect(
      judge(
        TEMPLATE,
        edited(live, TEMPLATE, (object) => stored({ ...object, metadata: { name: TEMPLATE } })),
      ),
    ).toMatchObject({
      refusal: "not-ours",
      reason: "It is not ours.",
    });
  });

  it("is taken over when that is asked for, with every label and annotation that it has too many", () => {
    const crowded = edited(foreign, TEMPLATE, (object) =>
      labelled(marked(object, { annotations: { note: "n" } }), { team: "a" }),
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

  it("is not taken over where that would take a channel from its users", () => {
    const channels = [
      { channel: "fast", version: "1.3.0" },
      { channel: "old", version: "1.0.0" },
    ];
    const serving = edited(live, "istio", (object) => respecified(bare(object), { channels }));

    expect(judge("istio", serving, { options: ADOPTING, references: usedBy("istio/old") })).toMatchObject({
      kind: "refused",
      refusal: "channel-in-use",
    });
    expect(judge("istio", serving, { options: ADOPTING })).toMatchObject({ kind: "change", cause: "adoption" });
  });
});

describe("the parent of the set", () => {
  const NAME = "kyma-modules";
  const parent = stored(applySetParent("kcp-system"));
  const withParent = (now: KubernetesObject): LiveState => ({ ...live, parent: now });

  it("is repaired when somebody changed it", () => {
    const item = judge(NAME, withParent(marked(parent, { labels: {} })));

    expect(item).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("is still known by the set's id when somebody removed the name of the tool", () => {
    expect(judge(NAME, withParent(marked(parent, { annotations: {} })))).toMatchObject({
      kind: "change",
      cause: "drift",
    });
  });

  it("is refused as the parent of another tool's set, and then nothing else is planned", () => {
    const theirs = marked(parent, { annotations: { "applyset.kubernetes.io/tooling": "kubectl/v1.36" } });

    for (const options of [CAREFUL, ADOPTING]) {
      expect(plan(inputOf(desired, withParent(theirs), { options })).items).toEqual([
        {
          kind: "refused",
          object: { kind: "ConfigMap", name: NAME },
          refusal: "not-ours",
          reason: "The ConfigMap is the parent of an ApplySet of kubectl/v1.36.",
          remedy: "Remove or rename it: the set of kyma-modules needs that name.",
        },
      ]);
    }
  });

  it("is refused as a ConfigMap that is no parent, unless it shall be taken over", () => {
    const { labels: _labels, annotations: _annotations, ...metadata } = parent.metadata;
    const plain = withParent({ ...parent, metadata });

    expect(judge(NAME, plain)).toMatchObject({ kind: "refused", refusal: "not-ours" });
    expect(judge(NAME, plain, { options: ADOPTING })).toMatchObject({ kind: "change" });
  });
});
