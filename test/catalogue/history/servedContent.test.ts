import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import type { SnapshotFile } from "../../../src/document/snapshot.ts";
import { MODULE_LABEL, specHash } from "../../../src/catalogue/template.ts";
import { readChannelTemplate } from "../../../src/catalogue/templateFile.ts";
import { readYaml } from "../../../src/document/yaml/read.ts";
import { ServedContentReader } from "../../../src/catalogue/history/servedContent.ts";
import { sampleTemplate } from "../../bench/sampleTemplate.ts";
import { tries } from "../../support/tries.ts";

const PATH = "channels/fast/istio.yaml";
const REAL = join(import.meta.dirname, "../../../../shared/kyma-data/moduletemplates");

type Answer = readonly [version: string, hash: string] | undefined;

/** As the fast reader sees the texts, one after the other. */
function fast(texts: readonly string[]): readonly Answer[] {
  const reader = new ServedContentReader("fast", "istio");
  return texts.map((text) => {
    const content = reader.read(PATH, contentOf(text));
    return content && [content.version, content.hash()];
  });
}

/** As the full reader sees them. */
function full(texts: readonly string[]): readonly Answer[] {
  return texts.map((text) => {
    const reading = readYaml(PATH, contentOf(text));
    if (reading.kind === "refused") return undefined;
    const { template } = readChannelTemplate(reading.file, "fast", "istio");
    return template && [template.version, specHash(template.object)];
  });
}

function contentOf(text: string): SnapshotFile {
  return { kind: "bytes", bytes: Buffer.from(text) };
}

function template(version: string): string {
  return sampleTemplate({ module: "istio", channel: "fast", version });
}

const WORD = /\d+\.\d+\.\d+|[0-9a-f]{64}/g;
const WORDS = [
  ...["1.2.3", "1.2.4", "1.10.0", "01.2.3", "1.2", "1.2.3.4", "v1.2.3", "1.2.3-rc1", "1.2.3-RC1", "1.2.3_4", "'1.2.3'"],
  ...["a".repeat(64), "1".repeat(64), `0b${"01".repeat(31)}`, `${"1".repeat(30)}e${"2".repeat(33)}`, "c".repeat(40)],
  ...['"\\x31.2.3"', '"1.2.3"', "1.2.3\u0000", "&a 1.2.3", "*a", "1.2.3 # 1.2.4", "? 1.2.3", "~", "1.2.3: x"],
];
const LINES = [
  ...[
    "  1.2.3: a",
    "  1.2.4: b",
    "  version: 1.2.3",
    "spec:",
    "\t",
    "---",
    "x: &a 1.2.3",
    "y: *a",
    '  k: "\\n"',
    "# 1.9.9",
  ],
  ...["\u0085", "é: 1.2.3", "  a1.2.3: 1", "    - name: 1.2.3", "  channel: fast", "%YAML 1.2"],
];

/** A template in which some words and lines are others. */
const spoilt = fc
  .tuple(
    fc.constantFrom("1.2.3", "1.2.4", "1.9.0", "2.0.10-rc2"),
    fc.array(fc.tuple(fc.nat({ max: 40 }), fc.constantFrom(...WORDS)), { maxLength: 2 }),
    fc.array(fc.tuple(fc.nat({ max: 75 }), fc.constantFrom(...LINES)), { maxLength: 2 }),
  )
  .map(([version, words, lines]) => {
    let place = 0;
    const changed = template(version).replace(WORD, (word) => {
      const index = place++;
      return words.find(([at]) => at === index)?.[1] ?? word;
    });
    return lines.reduce((text, [at, line]) => text.split("\n").toSpliced(at, 0, line).join("\n"), changed);
  });

describe("the contents of a channel file", () => {
  it("give the results of the full reader", () => {
    fc.assert(
      fc.property(fc.array(spoilt, { minLength: 2, maxLength: 5 }), (texts) => {
        expect(fast(texts)).toEqual(full(texts));
      }),
      tries(50),
    );
  });

  it("give the results of the full reader for published templates with other words", (context) => {
    if (!existsSync(REAL)) context.skip("there is no ../shared/kyma-data beside this repository");
    const texts = readdirSync(REAL).flatMap((name) => {
      const document = parseDocument(readFileSync(join(REAL, name), "utf8"), { logLevel: "silent" });
      document.setIn(["metadata", "name"], "istio-fast");
      document.setIn(["metadata", "namespace"], "kcp-system");
      document.setIn(["metadata", "labels", MODULE_LABEL], "istio");
      document.setIn(["spec", "channel"], "fast");
      document.setIn(["spec", "moduleName"], "istio");
      document.setIn(["spec", "version"], "1.2.3");
      const text = document.toString();
      return [
        text,
        text.replaceAll("1.2.3", "1.2.4"),
        text.replaceAll(/[0-9a-f]{64}/g, (hex) => hex.slice(32) + hex.slice(0, 32)),
      ];
    });
    const answers = full(texts);

    expect(fast(texts)).toEqual(answers);
    expect(answers.filter((answer) => answer !== undefined).length).toBeGreaterThan(100);
  });

  it("are the template that was read already if they have its text, and no other", () => {
    const reader = new ServedContentReader("fast", "istio");
    const known = reader.read(PATH, contentOf(template("1.2.3")))?.template();
    const [same, other] = ["1.2.3", "1.2.4"].map((version) => reader.read(PATH, contentOf(template(version)), known));

    expect([same?.version, same?.hash()]).toEqual(full([template("1.2.3")])[0]);
    expect(same?.template()).toBe(known);
    expect([other?.version, other?.hash()]).toEqual(full([template("1.2.4")])[0]);
  });

  it("serve nothing when they are broken, too large, or a link", () => {
    const reader = new ServedContentReader("fast", "istio");
    const broken = fast([template("1.0.0").replace("kind: ModuleTemplate", "kind: Other"), "a: [", template("1.0.0")]);

    expect(broken.map((answer) => answer?.[0])).toEqual([undefined, undefined, "1.0.0"]);
    expect(reader.read(PATH, { kind: "too-large", size: 1 })).toBeUndefined();
    expect(reader.read(PATH, { kind: "bad-link", target: "x" })).toBeUndefined();
  });

  it("with an escape in a version are read separately", () => {
    const [first = "", second = ""] = ["1.2.3", "1.2.4"].map((version) =>
      template("1.0.0").replace("  version: 1.0.0", `  version: "\\x31${version.slice(1)}"`),
    );

    expect(fast([first, second]).map((answer) => answer?.[0])).toEqual(["1.2.3", "1.2.4"]);
  });
});
