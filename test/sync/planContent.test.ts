import { describe, expect, it } from "vitest";
import type { Generation } from "../../src/catalogue/settings.ts";
import type { LiveState, PlanInput } from "../../src/sync/plan/input.ts";
import type { Plan, PlanItem } from "../../src/sync/plan/item.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import type { Sample } from "./catalogueFiles.ts";
import {
  byName,
  CAREFUL,
  desiredOf,
  edited,
  entrySummary,
  inputOf,
  liveOf,
  marked,
  respecified,
  summary,
} from "./planning.ts";

type Given = Partial<PlanInput> & { readonly generation?: Generation };

function planOf(wanted: Sample, now: LiveState, { generation, ...given }: Given = {}): Plan {
  return plan(inputOf(desiredOf(wanted, generation), now, given));
}

function judge(name: string, ...args: Parameters<typeof planOf>): PlanItem | undefined {
  return byName(planOf(...args))[name];
}

describe("other content under the same version", () => {
  const NAME = "istio-1.3.0";
  const istio = (spec: object): Sample => ({ channels: { fast: { istio: { version: "1.3.0", ...spec } } } });
  const live = liveOf(desiredOf(istio({})));
  const changed = istio({ data: { apiVersion: "example.com/v1", kind: "Other" } });

  it("is refused when the repository has it", () => {
    expect(judge(NAME, changed, live)).toEqual({
      kind: "refused",
      object: { kind: "ModuleTemplate", name: NAME },
      refusal: "content-changed",
      reason: "The content of istio-1.3.0 changed, but its version did not.",
      remedy: "Give the new content a new version, and put the old file back.",
    });
  });

  it("keeps back the entries that would name it, and no others", () => {
    const data = { apiVersion: "example.com/v1", kind: "Other" };
    const more: Sample = {
      channels: {
        fast: { istio: { version: "1.3.0", data } },
        slow: { istio: { version: "1.3.0", data } },
        next: { istio: "1.4.0" },
      },
    };
    const decided = planOf(more, live);

    expect(entrySummary(decided)).toEqual([
      "create next/istio – → 1.4.0",
      "refused slow/istio – → 1.3.0: content-changed",
    ]);
    expect(summary(decided)).toEqual([
      "refused istio-1.3.0: content-changed",
      "create istio-1.4.0",
      "repository istio",
    ]);
  });

  it("is served with a warning where the user wants that", () => {
    expect(judge(NAME, changed, live, { options: { ...CAREFUL, changedContent: "apply" } })).toMatchObject({
      kind: "change",
      cause: "repository",
      warning: "different content for a version that was already served",
    });
  });

  it("is repaired where someone else wrote it", () => {
    const edit = edited(live, NAME, (object) => respecified(object, { data: { kind: "Other" } }));

    expect(judge(NAME, istio({}), edit)).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("is none where only labels and annotations of ours differ", () => {
    const older = edited(live, NAME, (object) =>
      marked(object, { annotations: { "kyma-modules/desired": "as an older program wrote it" } }),
    );

    expect(judge(NAME, istio({}), older)).toMatchObject({ kind: "change", cause: "repository" });
    expect(judge(NAME, istio({}), older)).not.toHaveProperty("warning");
  });

  it("is none under another version, as channel templates have it", () => {
    const generation = "channel-templates";
    const old = liveOf(desiredOf(istio({}), generation));

    expect(judge("istio-fast", istio({ version: "1.4.0" }), old, { generation })).toMatchObject({
      cause: "repository",
    });
    expect(judge("istio-fast", changed, old, { generation })).toMatchObject({ refusal: "content-changed" });
  });

  it("is none where only the channel or the kind of channel changed", () => {
    const must: Sample = { channels: { must: { istio: "1.3.0" } }, mandatory: ["must"] };
    const elsewhere: Sample = { channels: { slow: { istio: { version: "1.3.0" } } } };

    expect(judge(NAME, must, live)).toMatchObject({ kind: "unchanged" });
    expect(judge(NAME, elsewhere, live)).toMatchObject({ kind: "unchanged" });
  });

  it("is none where only the kind of the channel changed that a template stands in", () => {
    const generation = "channel-templates";
    const old = liveOf(desiredOf(istio({}), generation));
    const flipped: Sample = { channels: { fast: { istio: "1.3.0" } }, mandatory: ["fast"] };

    expect(judge("istio-fast", flipped, old, { generation })).toMatchObject({ kind: "change", cause: "repository" });
  });

  it("is repaired where the record of what was wanted is gone", () => {
    const edit = edited(live, NAME, (object) => respecified(marked(object, { annotations: {} }), { info: null }));

    expect(judge(NAME, changed, edit)).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("is a label of the module's, too", () => {
    const older = edited(live, NAME, (object) =>
      marked(object, {
        labels: { ...object.metadata.labels, "operator.kyma-project.io/beta": "true" },
        annotations: { "kyma-modules/desired": "as the repository had it" },
      }),
    );

    expect(judge(NAME, istio({}), older)).toMatchObject({ refusal: "content-changed" });
  });

  it("is repaired where a person emptied the whole template", () => {
    const emptied = edited(live, NAME, ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }));

    expect(judge(NAME, istio({}), emptied)).toMatchObject({ kind: "change", cause: "drift" });
  });
});
