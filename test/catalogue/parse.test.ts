import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allTemplates } from "../../src/catalogue/lookup.ts";
import type { ChannelName, ModuleName } from "../../src/catalogue/names.ts";
import { parse, type Parsing } from "../../src/catalogue/parse.ts";
import type { SnapshotFile } from "../../src/document/snapshot.ts";
import {
  catalogueOf,
  channelTemplate,
  fileOf,
  findingsOf,
  MANDATORY_POLICY,
  places,
  POLICY,
  REPOSITORY,
  SETTINGS,
  snapshot,
  versionTemplate,
} from "./repository.ts";

const ROOT = join(import.meta.dirname, "../..");
const SAMPLE: ReadonlyMap<string, SnapshotFile> = new Map(
  globSync(["kyma-modules.yaml", "{channels,modules}/**/*.*"], { cwd: ROOT }).flatMap((path) =>
    /\.(yaml|md)$/.test(path) ? [[path, fileOf(readFileSync(join(ROOT, path)))] as const] : [],
  ),
);

/** What is wrong, and what of a parsing can be compared. */
const outcome = (parsing: Parsing): unknown =>
  parsing.kind === "refused" ? parsing.findings : { ...parsing.catalogue, channels: [...parsing.catalogue.channels] };

describe("a catalogue", () => {
  it("reads a file once, also for another catalogue that has it", () => {
    const version = { "modules/istio/0.9.0/template.yaml": versionTemplate("istio", "0.9.0") };
    const files = Object.fromEntries(snapshot({ ...REPOSITORY, ...version }));
    const [before, after] = [files, { ...files, "channels/regular.yaml": POLICY }].map((all) =>
      allTemplates(catalogueOf(all)),
    );

    expect(before).toHaveLength(2);
    expect(after?.every((template, index) => template === before?.[index])).toBe(true);
  });

  it("says what each channel serves, in the order of names", () => {
    const catalogue = catalogueOf({
      ...REPOSITORY,
      "channels/fast/keda.yaml": channelTemplate("fast", "keda"),
      "channels/regular.yaml": `${POLICY}follows: fast\n`,
      "channels/always.yaml": MANDATORY_POLICY,
      "modules/istio/0.9.0/template.yaml": versionTemplate("istio", "0.9.0"),
      "modules/istio/module.yaml": "format: 1\nocmComponentName: kyma-project.io/module/istio\n",
      "modules/zipkin/module.yaml": 'format: 1\nowners: ["@org/zipkin"]\n',
    });

    expect(catalogue.revision).toBe("0123abc");
    expect([...catalogue.channels.values()]).toMatchObject([
      { name: "always", kind: "mandatory", follows: undefined, landscapes: ["dev", "prod"] },
      { name: "fast", kind: "release", follows: undefined },
      { name: "regular", kind: "release", follows: "fast" },
    ]);
    expect([...(catalogue.channels.get("fast" as ChannelName)?.templates.keys() ?? [])]).toEqual(["istio", "keda"]);
    expect([...catalogue.modules.values()]).toMatchObject([
      { name: "istio", owners: [], ocmComponentName: "kyma-project.io/module/istio" },
      { name: "keda", owners: [], ocmComponentName: undefined },
      { name: "zipkin", owners: ["@org/zipkin"], ocmComponentName: undefined },
    ]);
    expect([...(catalogue.modules.get("istio" as ModuleName)?.templates.keys() ?? [])]).toEqual(["0.9.0"]);
  });

  it("of this repository has nothing wrong", () => {
    const parsing = parse(undefined, SAMPLE);

    expect(outcome(parsing)).toMatchObject({ findings: [], withheld: new Set() });
    expect(parsing.kind === "catalogue" && parsing.catalogue.channels.size).toBe(4);
  });

  it("is the same for the same files", () => {
    expect(outcome(parse("a", SAMPLE))).toStrictEqual(outcome(parse("a", SAMPLE)));
  });

  it("does not depend on the order of the files, nor do findings", () => {
    const files = [...snapshot({ ...REPOSITORY, ...BROKEN })];
    const [sound, broken] = [outcome(parse("a", SAMPLE)), outcome(parse("a", new Map(files)))];
    const shuffled = (entries: readonly (readonly [string, SnapshotFile])[]): fc.Arbitrary<Map<string, SnapshotFile>> =>
      fc.shuffledSubarray([...entries], { minLength: entries.length }).map((chosen) => new Map(chosen));

    fc.assert(
      fc.property(shuffled([...SAMPLE]), shuffled(files), (some, others) => {
        expect(outcome(parse("a", some))).toStrictEqual(sound);
        expect(outcome(parse("a", others))).toStrictEqual(broken);
      }),
      { numRuns: 20 },
    );
  });
});

/** One file for each kind of problem. */
const BROKEN: Readonly<Record<string, string | SnapshotFile>> = {
  "kyma-modules.yaml": `${SETTINGS}  - name: dev\n    controlPlane: { embedded: true }\n`,
  "channels/None.yaml": POLICY,
  "channels/none.yaml": POLICY,
  "channels/fast.yaml": "format: 1\nlandscapes: [dev, stage]\nlandscapes: [dev]\nfollow: x\n",
  "channels/fast.yml": POLICY,
  "channels/fast/istio.yaml": channelTemplate("regular").replace("1.0.0", "v1.0.0"),
  "channels/fast/keda.yaml": channelTemplate("fast", "keda").replace("ModuleTemplate", "Kyma"),
  "channels/fast/a-b.yaml": channelTemplate("fast", "keda"),
  "channels/none/keda.yaml": channelTemplate("none", "keda"),
  "channels/regular": { kind: "bad-link", target: "/srv/channels" },
  "channels/late/keda.yaml": { kind: "bad-link", target: "../../../keda.yaml" },
  "modules/istio/module.yaml": "format: 1\nowner: x\n",
  "modules/a-b/module.yaml": "format: 1\n",
  "modules/istio/holds.yaml": "format: 1\nholds: [{ version: 1 }]\n",
  "modules/istio/hotfixes.yaml": "\tformat: 1\n",
  "modules/istio/hold.yaml": "format: 1\n",
  "modules/istio/1.0.0/template.yaml": { kind: "too-large", size: 2_000_000 },
  "modules/istio/1.0.0/manifest.yaml": "a: 1\na: 2\n",
};

describe("what is wrong", () => {
  it("is all reported at once, in the order of files and lines", () => {
    const findings = findingsOf(BROKEN);

    expect(places(findings)).toEqual([
      "channels/None.yaml:1:1 channel-name",
      "channels/fast.yaml:3:1 yaml-duplicate-key",
      "channels/fast.yml:1:1 stray-file (warning)",
      "channels/fast/a-b.yaml:1:1 module-name",
      "channels/fast/istio.yaml:4:9 place-name",
      "channels/fast/istio.yaml:9:12 place-channel",
      "channels/fast/istio.yaml:11:12 schema",
      "channels/fast/keda.yaml:2:7 schema",
      "channels/late/keda.yaml:1:1 file-link",
      "channels/none.yaml:1:1 channel-name",
      "channels/none/keda.yaml:1:1 channel-name",
      "channels/regular:1:1 file-link",
      "kyma-modules.yaml:8:11 landscape-duplicate",
      "modules/a-b/module.yaml:1:1 module-name",
      "modules/istio/1.0.0/template.yaml:1:1 file-size",
      "modules/istio/hold.yaml:1:1 stray-file",
      "modules/istio/holds.yaml:2:9 schema",
      "modules/istio/holds.yaml:2:9 schema",
      "modules/istio/holds.yaml:2:9 schema",
      "modules/istio/holds.yaml:2:20 schema",
      "modules/istio/hotfixes.yaml:1:8 yaml-syntax",
      "modules/istio/module.yaml:2:8 schema",
    ]);
  });

  it("is said in whole sentences, with what to do", () => {
    const incomplete = findingsOf(BROKEN).filter(
      ({ message, remedy }) => !/^\S.*\.$/.test(message) || !/^[A-Z].*\.$/.test(remedy),
    );

    expect(incomplete).toEqual([]);
  });

  it("with an empty repository is that it is none", () => {
    expect(findingsOf({})).toMatchObject([
      { rule: "settings-missing", remedy: expect.stringContaining("import") as string },
    ]);
    expect(places(findingsOf({ "README.md": "hello" }))).toEqual(["kyma-modules.yaml:1:1 settings-missing"]);
  });

  it("with settings that cannot be read is not that there are none", () => {
    expect(places(findingsOf({ ...REPOSITORY, "kyma-modules.yaml": "a: [" }))).toEqual([
      "kyma-modules.yaml:1:5 yaml-syntax",
    ]);
  });

  it.each([
    ["channels/fast.yml", "Rename it to channels/fast.yaml."],
    ["channels/fast/istio.yml", "Rename it to channels/fast/istio.yaml."],
    ["modules/istio/module.YAML", "Rename it to modules/istio/module.yaml."],
    ["channels/fast/istio.json", "Move it to channels/<channel>/<module>.yaml."],
    ["channels/fast/old/istio.yaml", "Move it to channels/<channel>/<module>.yaml."],
    [
      "modules/istio/owners.yaml",
      "Name it modules/<module>/module.yaml, holds.yaml, hotfixes.yaml or <version>/template.yaml.",
    ],
    ["modules/istio/1.0.0/template.yml", "Rename it to modules/istio/1.0.0/template.yaml."],
  ])("with %s is a warning: nothing reads it", (path, remedy) => {
    const { findings } = catalogueOf({ ...REPOSITORY, [path]: "not: [read" });

    expect(findings).toMatchObject([{ file: path, rule: "stray-file", severity: "warning", remedy }]);
  });

  it("with a linked folder is an error: its files would seem to be removed", () => {
    const files = { ...REPOSITORY, modules: { kind: "bad-link", target: "/srv/modules" } } as const;

    expect(places(findingsOf(files))).toEqual(["modules:1:1 file-link"]);
    expect(findingsOf({ ...REPOSITORY, "channels/README": "text", "modules/istio/OWNERS": "text" })).toEqual([]);
  });

  it("may be thousands of things", () => {
    const items = "  - 1\n".repeat(900);
    const text = channelTemplate("fast").replace("  descriptor:", `  resources:\n${items}  descriptor:`);
    const findings = findingsOf({
      ...REPOSITORY,
      "channels/fast/istio.yaml": text,
      "channels/fast.yaml": "- y\n".repeat(1_500),
    });

    expect(findings).toHaveLength(900 + 1_500);
    expect(places(findings.slice(-1))).toEqual(["channels/fast/istio.yaml:912:5 schema"]);
  });
});

describe("hostile input", () => {
  /** A small generator of numbers that are the same each time (mulberry32). */
  function numbers(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (state + 0x6d2b79f5) | 0;
      const mixed = Math.imul(state ^ (state >>> 15), state | 1);
      const more = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
      return ((more ^ (more >>> 14)) >>> 0) % below;
    };
  }

  it("never crashes the parser: 200 changed files give findings or a catalogue", () => {
    const next = numbers(20_261_121);
    const entries = [...SAMPLE].flatMap(([path, file]) => (file.kind === "bytes" ? [{ path, bytes: file.bytes }] : []));
    const kinds = Array.from({ length: 200 }, () => {
      const chosen = entries[next(entries.length)];
      if (chosen === undefined) throw new Error("the sample is empty");
      const bytes = Buffer.from(chosen.bytes);
      for (let changes = 1 + next(4); changes > 0; changes--) bytes[next(bytes.length)] = next(256);
      return parse(undefined, new Map([...SAMPLE, [chosen.path, fileOf(bytes)]])).kind;
    });

    expect(new Set(kinds)).toEqual(new Set(["refused", "catalogue"]));
  });

  it("never crashes the parser: files cut off, doubled, or taken for one another", () => {
    const next = numbers(7);
    const texts = [...SAMPLE.values()].flatMap((file) => (file.kind === "bytes" ? [Buffer.from(file.bytes)] : []));
    const paths = [...SAMPLE.keys()];
    for (let round = 0; round < 100; round++) {
      const [text = Buffer.of(), other = Buffer.of()] = [texts[next(texts.length)], texts[next(texts.length)]];
      const bytes = [text.subarray(0, next(text.length)), Buffer.concat([text, other]), other][round % 3] ?? other;
      const parsing = parse(undefined, new Map([...SAMPLE, [paths[next(paths.length)] ?? "", fileOf(bytes)]]));

      expect(["refused", "catalogue"]).toContain(parsing.kind);
    }
  });
});
