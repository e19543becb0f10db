import { describe, expect, it } from "vitest";
import type { Generation } from "../../src/catalogue/settings.ts";
import { OPEN_GATE, type LiveState } from "../../src/sync/plan/input.ts";
import { knownKey } from "../../src/sync/plan/state.ts";
import type { PlanItem } from "../../src/sync/plan/item.ts";
import { mentions } from "../support/mentions.ts";
import type { Sample, TemplateSpec } from "./catalogueFiles.ts";
import {
  byName,
  CAREFUL,
  desiredOf,
  edited,
  entrySummary,
  liveOf,
  marked,
  planOf,
  respecified,
  summary,
  usersOf,
} from "./planning.ts";

function judge(name: string, ...args: Parameters<typeof planOf>): PlanItem | undefined {
  return byName(planOf(...args))[name];
}

describe("different content for the same version", () => {
  const NAME = "istio-1.3.0";
  const istio = (spec: object): Sample => ({ channels: { fast: { istio: { version: "1.3.0", ...spec } } } });
  const live = liveOf(desiredOf(istio({})));
  const changed = istio({ data: { apiVersion: "example.com/v1", kind: "Other" } });

  it("is refused if the repository has it", () => {
    expect(judge(NAME, changed, live)).toEqual({
      kind: "refused",
      object: { kind: "ModuleTemplate", name: NAME },
      refusal: "content-changed",
      reason: mentions("istio-1.3.0"),
      remedy: mentions("new version"),
    });
  });

  it("blocks only the entries that would name it", () => {
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

  it("is served with a warning if the options allow it", () => {
    expect(judge(NAME, changed, live, { options: { ...CAREFUL, changedContent: "apply" } })).toMatchObject({
      kind: "change",
      cause: "repository",
      warning: mentions("different content"),
    });
  });

  it("is repaired if another client wrote it", () => {
    const edit = edited(live, NAME, (object) => respecified(object, { data: { kind: "Other" } }));

    expect(judge(NAME, istio({}), edit)).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("does not include our own labels and annotations", () => {
    const older = edited(live, NAME, (object) =>
      marked(object, { annotations: { "kyma-modules/desired": "as an older program wrote it" } }),
    );

    expect(judge(NAME, istio({}), older)).toMatchObject({ kind: "change", cause: "repository" });
    expect(judge(NAME, istio({}), older)).not.toHaveProperty("warning");
  });

  it("does not include another version in a channel template", () => {
    const generation = "channel-templates";
    const old = liveOf(desiredOf(istio({}), generation));

    expect(judge("istio-fast", istio({ version: "1.4.0" }), old, { generation })).toMatchObject({
      cause: "repository",
    });
    expect(judge("istio-fast", changed, old, { generation })).toMatchObject({ refusal: "content-changed" });
  });

  it("does not include a change of the channel or its kind", () => {
    const must: Sample = { channels: { must: { istio: "1.3.0" } }, mandatory: ["must"] };
    const elsewhere: Sample = { channels: { slow: { istio: { version: "1.3.0" } } } };

    expect(judge(NAME, must, live)).toMatchObject({ kind: "unchanged" });
    expect(judge(NAME, elsewhere, live)).toMatchObject({ kind: "unchanged" });
  });

  it("does not include a change of the kind of a template's channel", () => {
    const generation = "channel-templates";
    const old = liveOf(desiredOf(istio({}), generation));
    const flipped: Sample = { channels: { fast: { istio: "1.3.0" } }, mandatory: ["fast"] };

    expect(judge("istio-fast", flipped, old, { generation })).toMatchObject({ kind: "change", cause: "repository" });
  });

  it("is repaired if the annotation of the wanted content is gone", () => {
    const edit = edited(live, NAME, (object) => respecified(marked(object, { annotations: {} }), { info: null }));

    expect(judge(NAME, istio({}), edit)).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("is refused by the records if the template or its annotation is gone", () => {
    const unmarked = edited(live, NAME, (object) => marked(object, { annotations: {} }));
    const gone = edited(live, NAME, () => undefined);

    for (const found of [unmarked, gone]) {
      expect(judge(NAME, changed, found)).toMatchObject({ kind: "refused", refusal: "content-changed" });
      expect(judge(NAME, istio({}), found)).toMatchObject({ kind: found === gone ? "create" : "change" });
    }
    const options = { ...CAREFUL, changedContent: "apply" } as const;
    expect(judge(NAME, changed, gone, { options })).toMatchObject({ kind: "create" });
  });

  it("is refused if a person removed the version from the template", () => {
    const versionless = edited(live, NAME, (object) => respecified(object, { version: undefined }));

    expect(judge(NAME, changed, versionless)).toMatchObject({ refusal: "content-changed" });
    expect(judge(NAME, istio({}), versionless)).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("is refused if a person removed the version from the template of a channel", () => {
    const generation = "channel-templates";
    const versionless = edited(liveOf(desiredOf(istio({}), generation)), "istio-fast", (object) =>
      respecified(object, { version: undefined }),
    );

    expect(entrySummary(planOf(changed, versionless, { generation }))).toEqual([
      "refused fast/istio  → 1.3.0: content-changed",
    ]);
    expect(judge("istio-fast", istio({}), versionless, { generation })).toMatchObject({ cause: "drift" });
  });

  it("is refused if it restricts a template from which a person removed the version", () => {
    const restricted = istio({ labels: { "operator.kyma-project.io/beta": "true" } });
    const versionless = edited({ ...live, records: { kind: "none" } }, NAME, (object) =>
      respecified(marked(object, { annotations: {} }), { version: undefined }),
    );
    const users = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });

    expect(judge(NAME, restricted, versionless, { users })).toMatchObject({ refusal: "restriction-changed" });
  });

  it("includes a label of the module", () => {
    const older = edited(live, NAME, (object) =>
      marked(object, {
        labels: { ...object.metadata.labels, "operator.kyma-project.io/beta": "true" },
        annotations: { "kyma-modules/desired": "as the repository had it" },
      }),
    );

    expect(judge(NAME, istio({}), older)).toMatchObject({ refusal: "content-changed" });
  });

  it("is repaired if a person emptied the whole template", () => {
    const emptied = edited(live, NAME, ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }));

    expect(judge(NAME, istio({}), emptied)).toMatchObject({ kind: "change", cause: "drift" });
  });
});

describe.each<Generation>(["version-templates", "channel-templates"])(
  "a lost template of a version that an entry keeps (%s)",
  (generation) => {
    const served = desiredOf({ channels: { fast: { istio: "1.3.0" } } }, generation);
    const wanted: Sample = { channels: { fast: { istio: "1.4.0" } } };
    const lost: LiveState = { ...liveOf(served), templates: [] };
    const gate = { ...OPEN_GATE, holds: new Map([["fast/istio", { reason: "it is held" }]]) };
    const users = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });
    const restored = (spec: TemplateSpec): readonly string[] => {
      const { entries } = desiredOf({ channels: { fast: { istio: { version: "1.3.0", ...spec } } } }, generation);
      const known = new Map(
        entries.map((one) => [knownKey(one.module, one.version, one.channel, generation), one.template]),
      );
      return summary(planOf(wanted, lost, { generation, gate, users, known })).filter((line) =>
        line.includes("istio-"),
      );
    };

    it("comes back as it was applied", () => {
      expect(restored({})).toEqual(generation === "version-templates" ? ["create istio-1.3.0"] : ["create istio-fast"]);
    });

    it("does not come back with other content or labels: with beta, it would uninstall the module", () => {
      // Up to 1.7, the template of a channel is its entry, and the entry waits.
      const left = generation === "version-templates" ? ["refused istio-1.3.0: content-changed"] : [];
      for (const spec of [{ requiresDowntime: true }, { labels: { "operator.kyma-project.io/beta": "true" } }])
        expect(restored(spec)).toEqual(left);
    });

    it("does not come back with its entry either, which would name it", () => {
      const both = liveOf(desiredOf({ channels: { fast: { istio: "1.3.0" }, slow: { istio: "1.2.0" } } }, generation));
      const gone = edited(both, "istio", (meta) =>
        respecified(meta, { channels: [{ channel: "slow", version: "1.2.0" }] }),
      );
      const left = { ...gone, templates: gone.templates.filter(({ metadata }) => /2\.0$|slow$/.test(metadata.name)) };
      const { entries } = desiredOf(
        { channels: { fast: { istio: { version: "1.3.0", requiresDowntime: true } } } },
        generation,
      );
      const known = new Map(
        entries.map((one) => [knownKey(one.module, one.version, one.channel, generation), one.template]),
      );
      const decided = planOf({ channels: { slow: { istio: "1.2.0" } } }, left, { generation, users, known });

      expect(entrySummary(decided)).toEqual(["refused fast/istio – → 1.3.0: content-changed"]);
    });
  },
);
