import { describe, expect, it } from "vitest";
import type { Generation } from "../../src/catalogue/settings.ts";
import { plan } from "../../src/sync/plan.ts";
import type { LiveState, PlanInput, PlanItem } from "../../src/sync/planItem.ts";
import type { Sample } from "./catalogueFiles.ts";
import { byName, CAREFUL, desiredOf, edited, inputOf, liveOf, marked, respecified, usedBy } from "./planning.ts";

const mandatory = (version: string): Sample => ({ channels: { must: { audit: version } }, mandatory: ["must"] });

function judge(
  name: string,
  wanted: Sample,
  now: LiveState,
  given: Partial<PlanInput> & { generation?: Generation } = {},
): PlanItem | undefined {
  return byName(plan(inputOf(desiredOf(wanted, given.generation), now, given)))[name];
}

describe("a lower version of a mandatory module", () => {
  const live = liveOf(desiredOf(mandatory("1.2.0")));

  it("is refused, since it would be installed at once on every cluster", () => {
    expect(judge("audit", mandatory("1.1.9"), live)).toEqual({
      kind: "refused",
      object: { kind: "ModuleReleaseMeta", name: "audit" },
      refusal: "mandatory-downgrade",
      reason:
        "Mandatory modules are not protected against downgrades: 1.1.9 would replace 1.2.0 at once, on every cluster.",
      remedy: "Release a version higher than 1.2.0.",
    });
  });

  it("is refused where lifecycle-manager reads it from the template", () => {
    const generation = "channel-templates";
    const old = liveOf(desiredOf(mandatory("1.2.0"), generation));

    expect(judge("audit-must", mandatory("1.1.9"), old, { generation })).toMatchObject({
      refusal: "mandatory-downgrade",
    });
    expect(judge("audit-must", mandatory("1.3.0"), old, { generation })).toMatchObject({ kind: "change" });
  });

  it("is one by number: a higher one is served", () => {
    expect(judge("audit", mandatory("1.10.0"), live)).toMatchObject({ kind: "change" });
  });

  it("is not known where the live version is none", () => {
    const broken = edited(live, "audit", (object) => respecified(object, { mandatory: { version: "" } }));

    expect(judge("audit", mandatory("1.1.0"), broken)).toMatchObject({ kind: "change" });
  });

  it("is none where the module was not mandatory", () => {
    const optional = liveOf(desiredOf({ channels: { fast: { audit: "2.0.0" } } }));

    expect(judge("audit", mandatory("1.0.0"), optional)).toMatchObject({ kind: "change", takeOver: "judged" });
  });
});

describe("a channel that would lose a module", () => {
  const both: Sample = { channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.2.0" } } };
  const one: Sample = { channels: { fast: { istio: "1.3.0" }, regular: {} } };
  const live = liveOf(desiredOf(both));

  it("loses it when nobody uses it there", () => {
    expect(judge("istio", one, live, { references: usedBy("istio/fast") })).toMatchObject({
      kind: "change",
      cause: "repository",
    });
  });

  it("keeps it while somebody uses it there", () => {
    expect(judge("istio", one, live, { references: usedBy("istio/regular") })).toEqual({
      kind: "refused",
      object: { kind: "ModuleReleaseMeta", name: "istio" },
      refusal: "channel-in-use",
      reason: "The channel regular would lose istio, which has 1 user (Kyma k) there.",
      remedy: "Move them to another channel first, or serve it again.",
    });
  });

  it("keeps it when nobody may know who uses it", () => {
    expect(judge("istio", one, live, { references: { kind: "unknown", because: "not allowed" } })).toMatchObject({
      refusal: "references-unknown",
      reason: "The channel regular would lose istio, and nobody can tell who uses it there: not allowed",
    });
  });

  it("keeps it when the module becomes mandatory", () => {
    const now: Sample = { channels: { must: { istio: "1.3.0" } }, mandatory: ["must"] };

    expect(judge("istio", now, live, { references: usedBy("istio/fast") })).toMatchObject({
      refusal: "channel-in-use",
    });
  });
});

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

  it("is served with a warning where the user wants that", () => {
    expect(judge(NAME, changed, live, { options: { ...CAREFUL, changedContent: "apply" } })).toMatchObject({
      kind: "change",
      cause: "repository",
      warning: "other content under a version that was served already",
    });
  });

  it("is repaired where somebody else wrote it", () => {
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
    const mandatory: Sample = { channels: { must: { istio: "1.3.0" } }, mandatory: ["must"] };

    expect(judge(NAME, mandatory, live)).toMatchObject({ kind: "change", cause: "repository" });
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

  it("is repaired where somebody emptied the whole template", () => {
    const { [NAME]: item } = byName(
      plan(
        inputOf(
          desiredOf(istio({})),
          edited(live, NAME, ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata })),
        ),
      ),
    );

    expect(item).toMatchObject({ kind: "change", cause: "drift" });
  });
});
