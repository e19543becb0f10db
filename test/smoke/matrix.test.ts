import { describe, expect, it } from "vitest";
import { parse } from "../../src/catalogue/parse.ts";
import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import type { ServedStates } from "../../src/catalogue/history/history.ts";
import { parseChannelName } from "../../src/catalogue/names.ts";
import type { Template } from "../../src/catalogue/template.ts";
import { type Chosen, smokeMatrix } from "../../src/smoke/matrix.ts";
import { pathText } from "../../src/smoke/path.ts";

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;

/**
 * A catalogue with the version of the module `sample`, or of others as `module@version`, by channel, and with templates of
 * `versions` in their folders.
 */
function catalogue(served: Readonly<Record<string, string>>, versions: readonly string[] = []): Catalogue {
  const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
  const landscapes = [
    { name: "dev", controlPlane: { context: "dev" } },
    { name: "prod", controlPlane: { context: "prod" }, after: { landscape: "dev", soak: "24h" } },
  ];
  const policy = { format: 1, kind: "release", versions: "any", landscapes: ["dev", "prod"] };
  const files: [string, unknown][] = [["kyma-modules.yaml", { format: 1, landscapes }]];
  for (const [channel, what] of Object.entries(served)) {
    const [version = "", module = "sample"] = what.split("@").toReversed();
    files.push(
      [`channels/${channel}.yaml`, policy],
      [`channels/${channel}/${module}.yaml`, template(channel, module, version)],
    );
  }
  for (const version of versions)
    files.push([`modules/sample/${version}/template.yaml`, template(undefined, "sample", version)]);
  const parsing = parse(
    undefined,
    new Map(files.map(([path, value]) => [path, { kind: "bytes", bytes: bytes(value) }])),
  );
  if (parsing.kind === "refused") throw new Error(JSON.stringify(parsing.findings));
  return parsing.catalogue;
}

function template(channel: string | undefined, module: string, version: string): object {
  return {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "ModuleTemplate",
    metadata: {
      name: `${module}-${channel ?? version}`,
      namespace: "kcp-system",
      labels: { "operator.kyma-project.io/module-name": module },
    },
    spec: { ...(channel !== undefined && { channel }), moduleName: module, version, descriptor: {} },
  };
}

/** What the channel fast served, with the hour of each. */
function history(...states: readonly (readonly [atHour: number, version: string | undefined])[]): ServedStates {
  const name = parseChannelName("fast");
  if (name === undefined) throw new Error("fast is a name");
  const templateOf = (version: string): Template | undefined =>
    [...(catalogue({ fast: version }).channels.get(name)?.templates.values() ?? [])][0];
  const served = states.map(([atHour, version], index) => {
    const template = version === undefined ? undefined : templateOf(version);
    const revision = { index, commit: String(index), atMs: atHour * HOUR };
    return { revision, version: template?.version, hash: () => "", template: () => template };
  });
  return new Map([[name, served]]);
}

interface Given {
  readonly base?: Catalogue;
  readonly served?: ServedStates;
  readonly chosen?: Chosen;
  readonly only?: readonly string[];
}

function paths(
  head: Catalogue,
  { base = head, served = new Map(), chosen = { kind: "all" }, only = [] }: Given = {},
): readonly string[] {
  return smokeMatrix({ head, base, servedOf: () => served, chosen, only, nowMs: NOW }).map(pathText);
}

describe("the paths", () => {
  it("are the install, and the upgrades from every lower version in service, each once", () => {
    const head = catalogue({ fast: "1.3.0", beta: "1.3.0", regular: "1.1.0", early: "2.0.0" });

    expect(paths(head)).toEqual([
      "sample 1.1.0",
      "sample 1.3.0",
      "sample 1.1.0 → 1.3.0",
      "sample 2.0.0",
      "sample 1.3.0 → 2.0.0",
      "sample 1.1.0 → 2.0.0",
    ]);
    const [, shared] = smokeMatrix({
      head,
      base: head,
      servedOf: () => new Map(),
      chosen: { kind: "all" },
      nowMs: NOW,
    });
    expect(shared?.channels).toEqual(["beta", "fast"]);
  });

  it("lead to a version that the channel served before, if they are named: the next channel may still take it", () => {
    const head = catalogue({ fast: "1.3.0", regular: "1.0.0" });
    const served = history([1, "1.0.0"], [2, "1.1.0"], [3, "1.2.0"], [4, undefined], [5, "1.3.0"]);
    const to = (...only: readonly string[]): readonly string[] =>
      paths(head, { served, only }).filter((path) => !path.endsWith("1.3.0"));

    expect(to()).toEqual(["sample 1.0.0"]);
    expect(to("sample@1.2.0")).toEqual(["sample 1.0.0", "sample 1.2.0", "sample 1.0.0 → 1.2.0"]);
    expect(to("sample@1.0.0..1.1.0")).toContain("sample 1.0.0 → 1.1.0");
    expect(to("sample@1.4.0")).toEqual(["sample 1.0.0"]);
  });

  it("come from what the base serves, and not from what the change brings", () => {
    const base = catalogue({ fast: "1.2.0" });

    expect(paths(catalogue({ fast: "1.3.0" }), { base })).toEqual(["sample 1.3.0", "sample 1.2.0 → 1.3.0"]);
    expect(paths(catalogue({ fast: "1.1.0" }), { base })).toEqual(["sample 1.1.0"]);
  });

  it("come from what landscapes may still serve: what a channel served within the soaks of the waves", () => {
    const served = history([1, "1.0.0"], [900, "1.1.0"], [980, "1.2.0"], [990, undefined], [995, "1.2.0"]);
    const base = catalogue({ fast: "1.2.0" });

    expect(paths(catalogue({ fast: "1.3.0" }), { base, served })).toEqual([
      "sample 1.3.0",
      "sample 1.2.0 → 1.3.0",
      "sample 1.1.0 → 1.3.0",
    ]);
  });

  it("come from a withdrawn version until the channel has served a higher one: clusters refuse to go down", () => {
    const base = catalogue({ fast: "1.0.0" });
    const withdrawn = history([1, "1.0.0"], [2, "1.2.0"], [3, "1.0.0"]);
    const cured = history([1, "1.0.0"], [2, "1.2.0"], [3, "1.0.0"], [4, "1.2.1"], [5, "1.2.2"]);
    const removed = history([1, "1.0.0"], [2, "1.2.0"], [3, undefined], [4, "1.0.0"]);

    expect(paths(catalogue({ fast: "1.2.1" }), { base, served: withdrawn })).toEqual([
      "sample 1.2.1",
      "sample 1.2.0 → 1.2.1",
      "sample 1.0.0 → 1.2.1",
    ]);
    const later = catalogue({ fast: "1.2.2" });
    expect(paths(later, { served: cured })).toEqual(["sample 1.2.2", "sample 1.2.1 → 1.2.2"]);
    // Without the entry, clusters forget their version, and take any.
    expect(paths(catalogue({ fast: "1.2.1" }), { base, served: removed })).not.toContain("sample 1.2.0 → 1.2.1");
  });

  it("come from the version that the channel served before, however long ago", () => {
    const served = history([1, "1.0.0"], [2, "1.1.0"], [3, "1.2.0"]);

    expect(paths(catalogue({ fast: "1.2.0" }), { served })).toEqual(["sample 1.2.0", "sample 1.1.0 → 1.2.0"]);
  });
});

it("counts versions of a removed channel as served by no landscape", () => {
  const served = history([999, "1.0.0"]);

  expect(paths(catalogue({ slow: "1.2.0" }), { served })).toEqual(["sample 1.2.0", "sample 1.0.0 → 1.2.0"]);
});

describe("a version that a change brings without a channel", () => {
  const base = catalogue({ fast: "1.2.0" }, ["1.1.0"]);
  const changed: Chosen = { kind: "changed", paths: new Set() };

  it("is tested, also as an upgrade", () => {
    const head = catalogue({ fast: "1.2.0" }, ["1.1.0", "1.2.0", "1.3.0"]);
    const input = { head, base, servedOf: () => new Map(), chosen: changed, nowMs: NOW };

    expect(paths(head, { base, chosen: changed })).toEqual(["sample 1.3.0", "sample 1.2.0 → 1.3.0"]);
    expect(smokeMatrix(input).map(({ channels }) => channels)).toEqual([[], []]);
  });

  it("is tested again when its inputs change", () => {
    const inputs = new Set(["modules/sample/1.1.0/manifest.yaml"]);

    expect(paths(base, { base, chosen: { kind: "changed", paths: inputs } })).toEqual(["sample 1.1.0"]);
    expect(paths(base, { base })).toEqual(["sample 1.2.0"]);
  });
});

describe("the chosen modules", () => {
  const base = catalogue({ fast: "1.2.0", slow: "other@1.0.0" });
  const chosenBy = (head: Catalogue, ...changed: readonly string[]): readonly string[] =>
    paths(head, { base, chosen: { kind: "changed", paths: new Set(changed) } });

  it("are the named modules", () => {
    expect(paths(base, { chosen: { kind: "named", modules: ["other"] } })).toEqual(["other 1.0.0"]);
  });

  it("are those that a change serves differently, adds, or builds differently", () => {
    expect(chosenBy(base)).toEqual([]);
    expect(chosenBy(catalogue({ fast: "1.3.0", slow: "other@1.0.0" }))).toEqual([
      "sample 1.3.0",
      "sample 1.2.0 → 1.3.0",
    ]);
    expect(chosenBy(catalogue({ fast: "1.2.0", slow: "other@1.0.0", late: "third@1.0.0" }))).toEqual(["third 1.0.0"]);
    expect(chosenBy(base, "modules/other/1.0.0/manifest.yaml", "modules/sample/1.1.0/manifest.yaml")).toEqual([
      "other 1.0.0",
    ]);
  });
});
