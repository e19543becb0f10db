import { describe, expect, it } from "vitest";
import { isRendered, type RenderedModule } from "../../../src/sync/render/decide.ts";
import type { Sample } from "../catalogueFiles.ts";
import { mentions } from "../../support/mentions.ts";
import { rendering, type Given } from "./rendering.ts";

const OLD = { "istio/1.1.0": {}, "istio/1.0.0": {} };
const FAST: Sample = { channels: { fast: { istio: "1.1.0" } }, versions: { "istio/1.2.0": {}, ...OLD } };
const HOLD = { version: "1.1.0", reason: "it leaks", by: "alice", since: "2026-05-01T00:00:00Z" };
const HELD: Sample = { ...FAST, holds: { istio: [HOLD] } };

/** `fast/istio kept 1.2.0`, of every entry. */
function entries(sample: Sample, given: Given = {}): readonly string[] {
  return rendering(sample, given).flatMap(({ entries: all }) =>
    all.map((entry) => {
      const version = "version" in entry ? ` ${entry.version}` : "";
      return `${entry.channel}/${entry.module} ${entry.kind}${version}`;
    }),
  );
}

const before = (version: string, isKnown = true): Given => ({
  before: { entries: { "fast/istio": version }, isKnown },
});

function reasons([module]: readonly RenderedModule[]): readonly string[] {
  return [...(module?.entries ?? []), ...(module?.refused ?? [])].flatMap((one) =>
    "because" in one ? [one.because] : [],
  );
}

describe("an entry", () => {
  it.each<readonly [name: string, given: Given]>([
    ["that is new", {}],
    ["that goes up", before("1.0.0")],
    ["that was rendered", before("1.1.0")],
    ["that is the highest that its channel ever served", before("1.1.0", false)],
  ])("is rendered at the wanted version: one %s", (_name, given) => {
    expect(entries(FAST, given)).toEqual(["fast/istio current 1.1.0"]);
  });

  it("stays if it would go down", () => {
    expect(entries(FAST, before("1.2.0"))).toEqual(["fast/istio kept 1.2.0"]);
    expect(reasons(rendering(FAST, before("1.2.0")))).toEqual(["1.1.0 is lower than 1.2.0, which was rendered"]);
  });

  it("stays at the highest version that its channel ever served, if the previous rendering is unknown", () => {
    expect(entries(FAST, before("1.2.0", false))).toEqual(["fast/istio kept 1.2.0"]);
    expect(reasons(rendering(FAST, before("1.2.0", false)))[0]).toEqual(
      mentions("1.1.0", "1.2.0", "channel", "served"),
    );
  });

  it("is refused if that version is held, and so may not have been rendered", () => {
    const withdrawn = { ...FAST, holds: { istio: [{ ...HOLD, version: "1.2.0" }] } };

    expect(entries(withdrawn, before("1.2.0", false))).toEqual(["fast/istio refused"]);
    expect(entries(withdrawn, before("1.2.0"))).toEqual(["fast/istio kept 1.2.0"]);
    expect(entries(withdrawn, before("1.0.0"))).toEqual(["fast/istio current 1.1.0"]);
  });

  it("is refused if the repository has no template of the rendered version", () => {
    expect(entries(FAST, before("1.9.0"))).toEqual(["fast/istio refused"]);
  });
});

describe("a held version", () => {
  it("stays if it was rendered, and replaces no other version", () => {
    expect(entries(HELD, before("1.1.0"))).toEqual(["fast/istio current 1.1.0"]);
    expect(entries(HELD, before("1.0.0"))).toEqual(["fast/istio kept 1.0.0"]);
    expect(reasons(rendering(HELD, before("1.0.0")))).toEqual(["alice holds 1.1.0: it leaks"]);
  });

  it("waits in a first rendering", () => {
    expect(entries(HELD)).toEqual(["fast/istio waiting"]);
  });

  it("is refused if the previous rendering is unknown", () => {
    expect(entries(HELD, before("1.1.0", false))).toEqual(["fast/istio refused"]);
  });

  it("is also one from which a channel went down by hand", () => {
    const decreases = [{ module: "istio", version: "1.1.0", reason: "fast went down" }];

    expect(entries(FAST, { ...before("1.0.0"), decreases })).toEqual(["fast/istio kept 1.0.0"]);
  });
});

describe("an entry that the repository no longer has", () => {
  const gone: Sample = { channels: { fast: {}, regular: { istio: "1.0.0" } }, versions: FAST.versions ?? {} };

  it("stays as it was rendered, and its module with it", () => {
    expect(entries(gone, before("1.1.0"))).toEqual(["fast/istio kept 1.1.0", "regular/istio current 1.0.0"]);
    const terms = { istio: { ocmComponentName: "example.com/istio" } };
    const alone: Sample = { channels: { fast: {} }, versions: OLD };
    expect(rendering(alone, { before: { entries: { "fast/istio": "1.1.0" }, terms } })).toMatchObject([
      { module: "istio", terms: terms.istio, refused: [] },
    ]);
  });

  it("is refused if the previous rendering is unknown", () => {
    const modules = rendering(gone, before("1.1.0", false));

    expect(entries(gone, before("1.1.0", false))).toEqual(["fast/istio refused", "regular/istio current 1.0.0"]);
    expect(modules.map(isRendered)).toEqual([false]);
  });

  it("is omitted with --prune", () => {
    expect(entries(gone, { ...before("1.1.0", false), prune: true })).toEqual([
      "fast/istio left-out 1.1.0",
      "regular/istio current 1.0.0",
    ]);
  });
});

describe("a module", () => {
  const terms = { istio: { ocmComponentName: "example.com/module/istio" } };
  const known = (more: object = {}): Given => ({
    before: { entries: { "fast/istio": "1.1.0" }, terms: { istio: { ...terms.istio, ...more } } },
  });

  it("comes in the order of names", () => {
    expect(entries({ channels: { fast: { keda: "1.0.0", istio: "1.0.0" } } })).toEqual([
      "fast/istio current 1.0.0",
      "fast/keda current 1.0.0",
    ]);
  });

  it("is skipped if its files contradict each other", () => {
    const contradiction = {
      channels: { fast: { istio: "1.0.0" }, regular: { istio: { version: "1.0.0", requiresDowntime: true } } },
    };

    expect(entries(contradiction, before("1.0.0"))).toEqual([]);
  });

  it("is rendered if its terms are unchanged", () => {
    expect(rendering(FAST, known()).map(isRendered)).toEqual([true]);
  });

  it.each([
    ["beta", { beta: true }, "[restriction-changed]"],
    ["ocmComponentName", { ocmComponentName: "example.com/other" }, "[component-changed]"],
  ])("is refused if %s would change", (_field, more, reason) => {
    const modules = rendering(FAST, known(more));

    expect(modules.map(isRendered)).toEqual([false]);
    expect(reasons(modules)[0]).toContain(reason);
  });

  it("is rendered if a release manager accepted that", () => {
    const accepts = [
      {
        refusal: "restriction-changed",
        field: "beta",
        from: true,
        to: null,
        reason: "r",
        until: "2027-01-01T00:00:00Z",
      },
    ];
    const sample: Sample = { ...FAST, modules: { istio: { owners: ["@org/istio"], accepts } } };

    expect(rendering(sample, known({ beta: true })).map(isRendered)).toEqual([true]);
  });
});
