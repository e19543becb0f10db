import type { Checked } from "../../src/check/check.ts";
import {
  BUMP,
  bumpManifest,
  bumpTemplate,
  FAST,
  manifestPath,
  MODULE,
  SAMPLE,
  type ExampleFiles,
} from "../../src/check/example.ts";
import { PLAIN } from "../../src/check/report/text.ts";
import { checkReports } from "../../src/cli/check/report.ts";
import { NOW_MS } from "./exampleWorld.ts";

const MANIFEST = manifestPath("1.2.0");

/** Nine levels of nine aliases each: a billion values out of a few hundred bytes. */
export const BOMB: string = [
  "a0: &a0 [x, x, x, x, x, x, x, x, x]",
  ...Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(", ")}]`),
  "",
].join("\n");

/** What a terminal would act upon. */
export const CONTROLS = "\u0000\u0007\u0008\u001b[2J\u009b31m\u202e";

/** As YAML writes them within double quotes. */
export const ESCAPED = '"x\\0\\a\\b\\e[2J\\x9b31m\\u202e"';

/** Every report on what was found, in every format. */
export function reportsOn({ result }: Checked, files: ExampleFiles): readonly string[] {
  const sourceOf = (path: string): string | undefined => {
    const content = files[path] ?? SAMPLE[path];
    return typeof content === "string" ? content : undefined;
  };
  const facts = { version: "0.0.0", decidedAt: NOW_MS, tookMs: 1, pathPrefix: "", sourceOf };
  return Object.values(checkReports({ result, facts })).map((report) => report({ ...PLAIN, width: 120 }));
}

/** A definition with `count` fields, where the sample has two. */
function wideManifest(count: number): ExampleFiles {
  const fields = Array.from(
    { length: count },
    (_, at) => `                f${at}: { type: string, maxLength: ${at + 1} }\n`,
  );
  return bumpManifest("                size:", `${fields.join("")}                size:`);
}

/** Changes that a person with bad intentions might ask for, by what they are about. */
export const HOSTILE: Readonly<Record<string, ExampleFiles>> = {
  "a bomb as a template": { ...BUMP, [FAST]: BOMB },
  "a bomb in a template": bumpTemplate("    spec:\n      replicas: 1", BOMB.replace(/^/gm, "    ").trimEnd()),
  "a bomb as a manifest": { ...BUMP, [MANIFEST]: BOMB },
  "a bomb as a module": { [MODULE]: BOMB },
  "a bomb of merge keys": { ...BUMP, [MANIFEST]: "a: &a { <<: *a }\n" },
  "a template in one line of a megabyte": { ...BUMP, [FAST]: `kind: ${"x".repeat(1_000_000)}\n` },
  "a manifest with a line of ten megabytes": bumpManifest("kind: ClusterRole", `kind: ${"x".repeat(10_000_000)}`),
  "a manifest in which everything is a comment": { ...BUMP, [MANIFEST]: "# x\n".repeat(500_000) },
  "a definition with 3,000 fields": wideManifest(3_000),
  "a pattern that takes for ever when it is tried one way after the other": {
    ...bumpTemplate("      replicas: 1", `      size: ${"a".repeat(60)}!`),
    [MANIFEST]: bumpManifest("enum: [small, large]", 'pattern: "^(a+)+$"')[MANIFEST],
  },
  "a pattern that is none": bumpManifest("enum: [small, large]", 'pattern: "(?<=a)["'),
  "keys of a prototype in a template": bumpTemplate(
    "    spec:\n",
    "    __proto__: { polluted: true }\n    constructor: { prototype: { polluted: true } }\n    toString: 1\n    spec:\n",
  ),
  "keys of a prototype in a manifest": bumpManifest(
    "  labels: { app",
    "  __proto__: { polluted: true }\n      labels: { app",
  ),
  "keys of a prototype in a module": { [MODULE]: `${String(SAMPLE[MODULE])}__proto__: { polluted: true }\n` },
  "fields of a prototype in a definition": bumpManifest(
    "                size:",
    "                __proto__: { type: string }\n                constructor: { type: string }\n                size:",
  ),
  "a module called after a prototype": {
    "channels/fast/__proto__.yaml": BUMP[FAST],
    "channels/fast/constructor.yaml": BUMP[FAST]?.replaceAll("sample", "constructor"),
    "modules/constructor/module.yaml": SAMPLE[MODULE],
  },
  "10,000 lists in one another in a template": { ...BUMP, [FAST]: "[".repeat(10_000) + "]".repeat(10_000) },
  "10,000 maps in one another in a template": { ...BUMP, [FAST]: "{a: ".repeat(10_000) + "}".repeat(10_000) },
  "10,000 maps in one another in a default CR": bumpTemplate(
    "replicas: 1",
    `replicas: ${"{a: ".repeat(10_000)}1${"}".repeat(10_000)}`,
  ),
  "10,000 lists in one another in a manifest": { ...BUMP, [MANIFEST]: "[".repeat(10_000) + "]".repeat(10_000) },
  "1,000 levels of indentation in a manifest": {
    ...BUMP,
    [MANIFEST]: Array.from({ length: 1_000 }, (_, at) => `${" ".repeat(at)}a:\n`).join(""),
  },
  "1,000 schemas in one another": bumpManifest(
    "size: { type: string, enum: [small, large] }",
    `size: ${"{ type: object, properties: { a: ".repeat(1_000)}{ type: string }${" } }".repeat(1_000)}`,
  ),
  "control characters in a template": bumpTemplate("name: sample-manager", `name: ${ESCAPED}`),
  "raw control characters in a template": bumpTemplate("name: sample-manager", `name: "${CONTROLS}"`),
  "control characters in names of a manifest": bumpManifest("name: sample-manager\nrules", `name: ${ESCAPED}\nrules`),
  "control characters in an image": bumpManifest("image: registry", `image: "\\e[31m" #`),
  "control characters in names of fields": bumpManifest("size: { type", `${ESCAPED}: { type`),
  "control characters in a key": bumpTemplate("  info:", `  ${ESCAPED}: 1\n  info:`),
  "control characters in an owner": { [MODULE]: `format: 1\nowners: [${ESCAPED}]\nocmComponentName: ${ESCAPED}\n` },
  "control characters in a path": {
    [`channels/fast/${CONTROLS}.yaml`]: BUMP[FAST],
    [`modules/${CONTROLS}/module.yaml`]: "a",
  },
  "numbers beyond all bounds": bumpManifest("minimum: 1, maximum: 5", "minimum: -1e400, maximum: 1e400, multipleOf: 0"),
  "a number of digits beyond all bounds": bumpTemplate("replicas: 1", `replicas: ${"9".repeat(100_000)}`),
  "a version of digits beyond all bounds": bumpTemplate("  version: 1.2.0\n", `  version: 1.${"9".repeat(10_000)}.0\n`),
  "half a character": { ...BUMP, [FAST]: { kind: "bytes", bytes: Buffer.from([0x61, 0x3a, 0x20, 0xf0, 0x9f]) } },
  "another encoding": { ...BUMP, [FAST]: { kind: "bytes", bytes: Buffer.from(String(BUMP[FAST]), "utf16le") } },
  nothing: { ...BUMP, [FAST]: "", [MANIFEST]: "" },
};
