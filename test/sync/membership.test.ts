import { describe, expect, it } from "vitest";
import { APPLY_SET_LABEL } from "../../src/kubernetes/applySet.ts";
import { fieldText } from "../../src/kubernetes/compare.ts";
import { DESIRED_ANNOTATION, FIELD_MANAGER, type ManagedFieldsEntry } from "../../src/kubernetes/object.ts";
import { isOurs, type LiveState } from "../../src/sync/plan/input.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import type { Records } from "../../src/sync/plan/records.ts";
import { byName, CAREFUL, desiredOf, edited, entrySummary, foreign, inputOf, liveOf, marked } from "./planning.ts";

const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const live = liveOf(desired);
const NONE: Records = { kind: "none" };
const SPEC = { "f:channels": { ".": {} }, "f:moduleName": {}, "f:ocmComponentName": {} };

const entry = (manager: string, operation: string, spec: object): ManagedFieldsEntry =>
  ({ manager, operation, fieldsV1: { "f:spec": spec } }) as ManagedFieldsEntry;
const OURS = entry(FIELD_MANAGER, "Apply", SPEC);

interface Left {
  readonly annotation?: boolean;
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** The release meta without the label of the set, and with what is left of our other marks. */
const unlabelled = ({ annotation = true, ...more }: Left = {}): LiveState =>
  edited(live, "istio", (object) =>
    marked(object, { labels: {}, ...(annotation ? {} : { annotations: {} }), ...more }),
  );

describe("an object that lost the label of the set", () => {
  const whose = (left: Left, records: Records): boolean | undefined => {
    const now = { ...unlabelled(left), records };
    const [meta] = now.releaseMetas;
    return meta && isOurs(meta, { desired, live: now });
  };

  it.each<readonly [why: string, left: Left, records: Records]>([
    ["the annotation and our only field manager", {}, NONE],
    [
      "the annotation, and a part of the spec that only we manage",
      { managedFields: [OURS, entry("kubectl-edit", "Update", { "f:channels": {} })] },
      NONE,
    ],
    ["our field manager and the records", { annotation: false }, live.records],
    ["the annotation and the records, if no manager is named", { managedFields: [] }, live.records],
  ])("is ours by %s", (_why, left, records) => {
    expect(whose(left, records)).toBe(true);
  });

  it.each<readonly [why: string, left: Left, records: Records]>([
    ["of the annotation, which may have been copied", { managedFields: [] }, NONE],
    ["of our field manager, which a killed adoption leaves", { annotation: false }, NONE],
    ["of the records, if no manager is named", { annotation: false, managedFields: [] }, live.records],
    [
      "of the annotation and the records, if another client made it",
      { managedFields: [entry("kubectl-create", "Update", SPEC)] },
      live.records,
    ],
    [
      "of everything, if another client took over all that we manage",
      { managedFields: [OURS, entry("argocd", "Apply", SPEC)] },
      live.records,
    ],
  ])("is not ours only because %s", (_why, left, records) => {
    expect(whose(left, records)).toBe(false);
  });

  it("is repaired like other drift", () => {
    const item = byName(plan(inputOf(desired, unlabelled())))["istio"];

    expect(item).toMatchObject({ kind: "change", cause: "drift" });
    expect(item?.kind === "change" && item.differences.map(({ path }) => fieldText(path))).toContain(
      `metadata.labels["${APPLY_SET_LABEL}"]`,
    );
  });

  it("does not stop the next version", () => {
    const next = desiredOf({ channels: { fast: { istio: "1.4.0" } } });

    expect(entrySummary(plan(inputOf(next, unlabelled())))).toEqual(["raise fast/istio 1.3.0 → 1.4.0"]);
  });

  it("is removed when it is left over", () => {
    const next = desiredOf({ channels: { fast: { istio: "1.4.0" } } });
    const now = edited(live, "istio-1.3.0", (object) => marked(object, { labels: {} }));
    const options = { ...CAREFUL, prune: true };

    expect(byName(plan(inputOf(next, now)))["istio-1.3.0"]).toMatchObject({ kind: "prune", carriedOut: false });
    expect(byName(plan(inputOf(next, now, { options })))["istio-1.3.0"]).toMatchObject({ carriedOut: true });
  });

  it("stays as it is if another client made it", () => {
    const theirs = edited(live, "istio", (object) => {
      const { annotations = {} } = object.metadata;
      return marked(foreign(object), { annotations: { [DESIRED_ANNOTATION]: annotations[DESIRED_ANNOTATION] ?? "" } });
    });

    expect(byName(plan(inputOf(desired, theirs)))["istio"]).toMatchObject({ kind: "refused", refusal: "not-ours" });
  });
});
