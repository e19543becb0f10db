import { describe, expect, it } from "vitest";
import { readChannelTemplate } from "../../../src/catalogue/templateFile.ts";
import type { Generation } from "../../../src/catalogue/settings.ts";
import type { Template } from "../../../src/catalogue/template.ts";
import { readYaml } from "../../../src/document/yaml/read.ts";
import { isRendered, type RenderedModule } from "../../../src/sync/render/decide.ts";
import { fileOf } from "../../catalogue/repository.ts";
import { filesOf, type Sample, type TemplateSpec } from "../catalogueFiles.ts";
import { rendering, type Given } from "./rendering.ts";

const LABELS = (name: string): TemplateSpec => ({ labels: { [`operator.kyma-project.io/${name}`]: "true" } });
const OLD = { "istio/1.0.0": {}, "istio/1.1.0": {}, "istio/1.2.0": {} };
const UNTIL = { reason: "r", until: "2027-01-01T00:00:00Z" };

const before = (version: string, more: Partial<Given["before"]> = {}): Given => ({
  before: { entries: { "fast/istio": version }, ...more },
});
const serving = (spec: TemplateSpec, more: Partial<Sample> = {}): Sample => ({
  channels: { fast: { istio: { version: "1.1.0", ...spec } } },
  versions: { "istio/1.0.0": {} },
  ...more,
});
const accepting = (...accepts: readonly object[]): Partial<Sample> => ({
  modules: { istio: { owners: ["@org/istio"], accepts: accepts.map((one) => ({ ...one, ...UNTIL })) } },
});

/** The rules that refuse something, each once; empty if everything is rendered. */
function refusals(modules: readonly RenderedModule[]): readonly string[] {
  const all = modules.flatMap(({ entries, refused }) => [
    ...entries.flatMap((entry) => (entry.kind === "refused" ? [entry.because] : [])),
    ...refused.map(({ because }) => because),
  ]);
  expect(modules.every(isRendered)).toBe(all.length === 0);
  return [...new Set(all.map((because) => /\[([a-z-]+)\]$/.exec(because)?.[1] ?? because))];
}

/** A template as a channel file has it. */
function templateOf(spec: TemplateSpec): Template | undefined {
  const text = filesOf({ channels: { fast: { istio: spec } } }).get("channels/fast/istio.yaml") ?? "";
  const reading = readYaml("channels/fast/istio.yaml", fileOf(text));
  return reading.kind === "read" ? readChannelTemplate(reading.file, "fast", "istio").template : undefined;
}

describe.each<Generation>(["version-templates", "channel-templates"])("a rendering for %s", (generation) => {
  const judged = (sample: Sample, given: Given): readonly string[] =>
    refusals(rendering(sample, { ...given, generation }));

  it.each(["beta", "internal"])("refuses a new version with the label %s, which uninstalls the module", (label) => {
    expect(judged(serving(LABELS(label)), before("1.0.0"))).toEqual(["restriction-changed"]);
    expect(judged(serving({}, { versions: { "istio/1.0.0": LABELS(label) } }), before("1.0.0"))).toEqual([
      "restriction-changed",
    ]);
  });

  it("allows such a label in a first rendering, and if a release manager accepted it", () => {
    const step = { refusal: "restriction-changed", channel: "fast", from: "1.0.0", to: "1.1.0" };

    expect(judged(serving(LABELS("beta")), {})).toEqual([]);
    expect(judged(serving(LABELS("beta"), accepting(step)), before("1.0.0"))).toEqual([]);
  });

  it("refuses other content of the rendered version", () => {
    const rendered = (): Template | undefined => templateOf({ version: "1.1.0" });

    expect(judged(serving({ requiresDowntime: true }), before("1.1.0", { rendered }))).toEqual(["content-changed"]);
    expect(judged(serving({}), before("1.1.0", { rendered }))).toEqual([]);
  });

  it("refuses to make a module mandatory or not, also with --prune, unless that is accepted", () => {
    const must: Sample = { channels: { must: { istio: "1.1.0" } }, mandatory: ["must"], versions: OLD };
    const back: Given = { before: { entries: { "must/istio": "1.1.0" } } };
    const steps = [
      { channel: "fast", from: "1.0.0", to: null },
      { channel: "must", from: null, to: "1.1.0" },
    ].map((step) => ({ refusal: "mandatory-flip", ...step }));

    for (const prune of [false, true]) {
      expect(judged(must, { ...before("1.0.0"), prune })).toContain("mandatory-flip");
      expect(judged(serving({}, { versions: OLD }), { ...back, prune })).toContain("mandatory-flip");
    }
    expect(judged(must, back)).toEqual([]);
    // A plan never removes all templates.
    const beside: Sample = { ...must, channels: { ...must.channels, fast: { keda: "1.0.0" } }, ...accepting(...steps) };
    const two = { before: { entries: { "fast/istio": "1.0.0", "fast/keda": "1.0.0" } } };
    expect(judged(beside, two)).toEqual([]);
  });

  it("refuses to omit a mandatory module, which is on every cluster", () => {
    const nothing: Sample = { channels: { must: {}, fast: { keda: "1.0.0" } }, mandatory: ["must"], versions: OLD };
    const given = { before: { entries: { "must/istio": "1.1.0", "fast/keda": "1.0.0" } }, prune: true };
    const step = { refusal: "mandatory-removed", channel: "must", from: "1.1.0", to: null };

    expect(judged(nothing, given)).toEqual(["mandatory-removed"]);
    expect(judged({ ...nothing, ...accepting(step) }, given)).toEqual([]);
  });

  it("refuses to omit more than --max-prune allows", () => {
    const names = ["aaa", "bbb", "ccc", "ddd", "eee", "fff"];
    const entries = Object.fromEntries([...names, "istio"].map((name) => [`fast/${name}`, "1.0.0"]));
    const versions = Object.fromEntries([...names, "istio"].map((name) => [`${name}/1.0.0`, {}]));
    const given = { before: { entries }, prune: true };

    expect(judged(serving({}, { versions }), given)).toEqual(["too-many-prunes"]);
    expect(judged(serving({}, { versions }), { ...given, maxPrune: 12 })).toEqual([]);
  });

  it("goes down to a version if a release manager accepted it", () => {
    const step = { refusal: "user-endangered", channel: "fast", from: "1.2.0", to: "1.1.0" };
    const [module] = rendering(serving({}, { versions: OLD, ...accepting(step) }), { ...before("1.2.0"), generation });

    expect(module?.entries).toMatchObject([{ kind: "current", version: "1.1.0" }]);
  });

  it("keeps a higher pre-release, and a higher mandatory version", () => {
    const rc = serving({ version: "1.1.0-rc1" }, { versions: { "istio/1.1.0-rc2": {} } });
    const must: Sample = { channels: { must: { istio: "1.1.0" } }, mandatory: ["must"], versions: OLD };

    expect(rendering(rc, { ...before("1.1.0-rc2"), generation })).toMatchObject([{ entries: [{ kind: "kept" }] }]);
    expect(rendering(must, { before: { entries: { "must/istio": "1.2.0" } }, generation })).toMatchObject([
      { entries: [{ kind: "kept", version: "1.2.0" }] },
    ]);
  });

  it("takes annotations of Argo CD in a template for its own", () => {
    const sample = serving({});
    const marked = (): Template | undefined => {
      const template = templateOf({ version: "1.1.0" });
      const annotations = { "argocd.argoproj.io/sync-wave": "7" };
      return (
        template && {
          ...template,
          object: { ...template.object, metadata: { ...template.object.metadata, annotations } },
        }
      );
    };

    expect(judged(sample, before("1.1.0", { rendered: marked }))).toEqual([]);
  });
});

describe("a rendering without a base", () => {
  const unsure = (served: readonly (string | Template | undefined)[]): Given =>
    before("1.1.0", { isKnown: false, served: served.filter((one) => one !== undefined) });
  const UNKNOWN = /The previous rendering is unknown$/;

  it("refuses what has other labels or content than a version that may have been rendered last", () => {
    const [labelled] = refusals(rendering(serving(LABELS("beta")), unsure(["1.0.0", "1.1.0"])));
    const changed = [templateOf({ version: "1.1.0", requiresDowntime: true }), templateOf({ version: "1.1.0" })];
    const [other] = refusals(rendering(serving({}), unsure(changed)));

    expect([labelled, other]).toEqual([expect.stringMatching(UNKNOWN), expect.stringMatching(UNKNOWN)]);
    expect(refusals(rendering(serving({}), unsure(["1.0.0", "9.9.9", "1.1.0"])))).toEqual([]);
  });

  it("refuses a module whose terms or channels were different once", () => {
    const given = before("1.1.0", { doubts: { istio: "its beta was different once" } });

    expect(refusals(rendering(serving({}), given))).toEqual([expect.stringMatching(UNKNOWN)]);
  });

  it("refuses to omit what may have been mandatory, or in the place of a mandatory module", () => {
    const sample: Sample = { channels: { must: {}, fast: {} }, mandatory: ["must"], versions: OLD };
    const mandatory = { before: { entries: { "must/istio": "1.1.0" }, isKnown: false }, prune: true };
    const must: Sample = { channels: { must: { istio: "1.1.0" } }, mandatory: ["must"], versions: OLD };

    expect(refusals(rendering(sample, mandatory))).toEqual([expect.stringMatching(UNKNOWN)]);
    expect(refusals(rendering(must, { ...before("1.0.0", { isKnown: false }), prune: true }))).toEqual([
      expect.stringMatching(UNKNOWN),
    ]);
  });
});
