import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import type { LiveState, PlanInput } from "../../src/sync/plan/input.ts";
import type { PlanItem } from "../../src/sync/plan/item.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import { mentions } from "../support/mentions.ts";
import { CAREFUL, claimedParent, desiredOf, inputOf, liveOf, marked } from "./planning.ts";

const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const live = liveOf(desired);
const ADOPTING = { ...CAREFUL, adopt: true };

function judge(now: LiveState, given: Partial<PlanInput> = {}): PlanItem {
  return plan(inputOf(desired, now, given)).parent;
}

describe("the parent of the set", () => {
  const NAME = "kyma-modules";
  const parent = claimedParent();
  const withParent = (now: KubernetesObject): LiveState => ({ ...live, parent: now });

  it("is repaired if it was changed", () => {
    const item = judge(withParent(marked(parent, { labels: {} })));

    expect(item).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("is still recognized by the id of the set without the annotation of the tool", () => {
    expect(judge(withParent(marked(parent, { annotations: {} })))).toMatchObject({
      kind: "change",
      cause: "drift",
    });
  });

  it("is still recognized by our claim alone", () => {
    const annotations = { "kyma-modules/landscape": "dev" };

    expect(judge(withParent(marked(parent, { labels: {}, annotations })))).toMatchObject({
      kind: "change",
      cause: "drift",
    });
  });

  it("is refused as the parent of a set of another tool, and nothing else is planned", () => {
    const theirs = marked(parent, { annotations: { "applyset.kubernetes.io/tooling": "kubectl/v1.36" } });

    for (const options of [CAREFUL, ADOPTING]) {
      expect(plan(inputOf(desired, withParent(theirs), { options }))).toMatchObject({
        parent: {
          kind: "refused",
          object: { kind: "ConfigMap", name: NAME },
          refusal: "not-ours",
          reason: mentions("ApplySet", "kubectl/v1.36"),
          remedy: mentions("rename", "kyma-modules"),
        },
        modules: [],
      });
    }
  });

  it("is refused as a ConfigMap that is not a parent, unless it is adopted", () => {
    const { labels: _labels, annotations: _annotations, ...metadata } = parent.metadata;
    const plain = withParent({ ...parent, metadata });

    expect(judge(plain)).toMatchObject({ kind: "refused", refusal: "not-ours" });
    expect(judge(plain, { options: ADOPTING })).toMatchObject({ kind: "change" });
  });
});
