import { describe, expect, it, test } from "vitest";
import {
  CODEOWNERS,
  edit,
  FAST,
  FAST_POLICY,
  manifestPath,
  MODULE,
  REGULAR,
  REGULAR_POLICY,
  SAMPLE,
  SETTINGS,
  templateText,
  type ExampleFiles,
} from "../../src/check/example.ts";
import { load, type Loaded } from "../../src/check/load.ts";
import type { Source } from "../../src/ports.ts";
import { quietRun } from "../support/quietRun.ts";
import { filesWith, sourceOf } from "./exampleWorld.ts";

const OTHER: ExampleFiles = {
  "channels/fast/other.yaml": templateText("fast", "1.1.0").replaceAll("sample", "other"),
  "modules/other/module.yaml": SAMPLE[MODULE],
};
const BROKEN = edit(templateText("fast", "1.1.0"), "channel: fast", "channel: slow");

/** What the sample catalogue with `change` says, compared with `base`. */
function loadChange(change: ExampleFiles, paths: readonly string[], base: ExampleFiles = {}): Promise<Loaded> {
  const head = sourceOf(filesWith(base, change));
  return load({ head, base: sourceOf(filesWith(base), "b".repeat(40)), paths }, quietRun());
}

function loadWhole(change: ExampleFiles, paths?: readonly string[]): Promise<Loaded> {
  return load({ head: sourceOf(filesWith(change)), base: undefined, paths }, quietRun());
}

function judged({ templates }: Loaded): readonly string[] {
  return templates.map(({ file }) => file.path).toSorted();
}

function places({ findings }: Loaded): readonly string[] {
  return findings.map(({ rule, file }) => `${rule} ${file}`);
}

describe("the judged part of a change", () => {
  it("is the template that changed, and the step that it makes", async () => {
    const loaded = await loadChange({ [FAST]: templateText("fast", "1.2.0") }, [FAST]);

    expect(judged(loaded)).toEqual([FAST]);
    expect(
      loaded.steps.map(({ channel, module, from, to }) => [channel.name, module, from?.version, to?.version]),
    ).toEqual([["fast", "sample", "1.1.0", "1.2.0"]]);
    expect(loaded.files).toBe(1);
  });

  it("is the template whose inputs changed", async () => {
    const manifest = manifestPath("1.0.0");

    const loaded = await loadChange({ [manifest]: "a: b\n" }, [manifest]);

    expect(judged(loaded)).toEqual([REGULAR]);
    expect(loaded.files).toBe(1);
  });

  it("is every template when a policy changed", async () => {
    expect(
      judged(await loadChange({ ...OTHER, [FAST_POLICY]: "format: 1\nlandscapes: [dev] \n" }, [FAST_POLICY])),
    ).toEqual(["channels/fast/other.yaml", FAST, REGULAR]);
  });

  it("is not a template when its module.yaml changed", async () => {
    expect(judged(await loadChange({ [MODULE]: `${String(SAMPLE[MODULE])}# x\n` }, [MODULE]))).toEqual([]);
  });

  it("is the removal of an entry", async () => {
    const { steps, templates } = await loadChange({ [FAST]: undefined }, [FAST]);

    expect(templates).toEqual([]);
    expect(steps.map(({ from, to }) => [from?.version, to])).toEqual([["1.1.0", undefined]]);
  });

  it("has no steps if only the working tree is read", async () => {
    const { steps, base } = await loadWhole({});

    expect([steps, base]).toEqual([[], undefined]);
  });
});

describe("a finding", () => {
  it("is reported in files that changed", async () => {
    expect(places(await loadChange({ [FAST]: BROKEN }, [FAST]))).toEqual([`place-channel ${FAST}`]);
  });

  it("is not reported in files that did not change, if it existed before", async () => {
    expect(
      places(await loadChange({ [MODULE]: `${String(SAMPLE[MODULE])}# x\n` }, [MODULE], { [FAST]: BROKEN })),
    ).toEqual([]);
  });

  it("is reported if it existed before in a file that changed, or if the change caused it elsewhere", async () => {
    expect(places(await loadChange({ [FAST]: `${BROKEN}# x\n` }, [FAST], { [FAST]: BROKEN }))).toEqual([
      `place-channel ${FAST}`,
    ]);
    expect(places(await loadChange({ [FAST_POLICY]: undefined }, [FAST_POLICY]))).toContainEqual(
      expect.stringContaining("channel-policy"),
    );
  });

  it("is reported in the settings, the policy and the module.yaml without which a changed file cannot be judged", async () => {
    const twice = (path: string): ExampleFiles => ({ [path]: `${String(SAMPLE[path])}format: 1\n` });
    const bump = { [FAST]: templateText("fast", "1.2.0") };

    for (const path of [SETTINGS, FAST_POLICY, MODULE]) {
      expect(places(await loadChange(bump, [FAST], twice(path)))).toEqual([`yaml-duplicate-key ${path}`]);
      expect(places(await loadWhole({ ...bump, ...twice(path) }, [FAST]))).toEqual([`yaml-duplicate-key ${path}`]);
      expect(places(await loadChange({ [FAST]: undefined }, [FAST], twice(path)))).toEqual([
        `yaml-duplicate-key ${path}`,
      ]);
    }
    expect(places(await loadChange(bump, [FAST], twice(REGULAR_POLICY)))).toEqual([]);
  });

  it("is reported only in the named files", async () => {
    const change = { [FAST]: BROKEN, [REGULAR]: "a: [" };

    expect(places(await loadWhole(change, [FAST]))).toEqual([`place-channel ${FAST}`]);
    expect(places(await loadWhole(change, ["channels/regular"]))).toEqual([`yaml-syntax ${REGULAR}`]);
    expect(places(await loadWhole(change)).toSorted()).toEqual([`place-channel ${FAST}`, `yaml-syntax ${REGULAR}`]);
  });
});

describe("the read files", () => {
  /** The files of `change` that were read for `paths`. */
  async function readFor(change: ExampleFiles, paths: readonly string[]): Promise<readonly string[]> {
    const read = new Set<string>();
    const files = filesWith(change);
    const head: Source = {
      snapshot: async (wants, run) => {
        const snapshot = await sourceOf(files).snapshot(wants, run);
        for (const path of snapshot.files.keys()) read.add(path);
        return snapshot;
      },
    };
    await load({ head, base: sourceOf(files), paths }, quietRun());
    return [...read];
  }

  it("exclude the templates of other modules, unless their manifests are in the repository", async () => {
    const manifest = { "modules/other/1.1.0/manifest.yaml": "a: b\n" };

    expect(await readFor(OTHER, [FAST])).not.toContain("channels/fast/other.yaml");
    expect(await readFor({ ...OTHER, ...manifest }, [FAST])).toContain("channels/fast/other.yaml");
    expect(await readFor(OTHER, ["kyma-modules.yaml"])).toContain("channels/fast/other.yaml");
  });

  it("include every module.yaml, every policy, the settings and CODEOWNERS, since these decide who may do what", async () => {
    expect(await readFor(OTHER, [FAST])).toEqual(
      expect.arrayContaining(["modules/other/module.yaml", FAST_POLICY, "kyma-modules.yaml", CODEOWNERS]),
    );
  });
});

describe("loose files", () => {
  const loose = (files: ExampleFiles): Promise<Loaded> => {
    const contents = new Map([...filesWith(files)].filter(([path]) => path in files));
    return load({ head: sourceOf(contents), base: undefined, paths: undefined, loose: true }, quietRun());
  };

  test("are templates with any file name, several in a file", async () => {
    const [one, two] = [templateText("fast", "1.1.0"), templateText("regular", "1.0.0")];

    const loaded = await loose({ "x/y.json.txt": `${one}---\n${two}` });

    expect(loaded.templates.map(({ module, version }) => `${module} ${version}`)).toEqual([
      "sample 1.1.0",
      "sample 1.0.0",
    ]);
    expect(loaded.findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(loaded.files).toBe(1);
  });

  test("that are not templates are skipped with a note, and broken ones with an error", async () => {
    const { templates, findings } = await loose({
      a: "kind: Secret\n",
      b: "a: [",
      c: { kind: "too-large", size: 1e9 },
    });

    expect(templates).toEqual([]);
    expect(findings.map(({ file, severity }) => `${severity} ${file}`).toSorted()).toEqual([
      "error b",
      "error c",
      "note a",
    ]);
  });
});
