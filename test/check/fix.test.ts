import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  CODEOWNERS,
  edit,
  FAST,
  HOLDS,
  MODULE,
  SAMPLE,
  templateText,
  type ExampleFiles,
} from "../../src/check/example.ts";
import { type Fix, findingFixes, fixTemplate, isMechanical } from "../../src/check/fix.ts";
import { judge } from "../../src/check/check.ts";
import { RULES } from "../../src/check/rules.ts";
import { filesWith } from "./exampleWorld.ts";
import { wholeContext } from "./contexts.ts";
import { tries } from "../support/tries.ts";

const MECHANICAL_RULES = RULES.filter(({ id }) =>
  isMechanical({ rule: id, severity: "error", file: "", line: 1, column: 1, message: "", remedy: "" }),
);
const VERSION_TEMPLATE = "modules/sample/1.1.0/template.yaml";

async function fixesFor(files: ExampleFiles): Promise<readonly Fix[]> {
  const context = await wholeContext(files);
  return findingFixes(context, judge(MECHANICAL_RULES, context).findings, filesWith(files));
}

/** The one file that is fixed. */
async function fixed(path: string, text: string): Promise<string> {
  const [fix, ...others] = await fixesFor({ [path]: text });
  expect([fix?.path, others]).toEqual([path, []]);
  return fix?.text ?? "";
}

const RIGHT = templateText("fast", "1.1.0");
const COMPONENT = `descriptor:
    component:
      version: 1.1.0
      resources:
        - version: 1.1.0
`;
const DESCRIBED = edit(RIGHT, "descriptor: {}\n", COMPONENT);

describe("a template", () => {
  test.each([
    ["its name", "name: sample-fast", "name: sample-rapid # a comment"],
    ["its channel", "channel: fast", "channel: regular # a comment"],
    ["its module", "moduleName: sample", "moduleName: simple # a comment"],
    ["its label", "module-name: sample", "module-name: simple # a comment"],
  ])("gets %s from its place, and keeps its comments", async (_, right, wrong) => {
    expect(await fixed(FAST, edit(RIGHT, right, wrong))).toBe(edit(RIGHT, right, `${right} # a comment`));
  });

  test.each(["  channel: fast\n", "  moduleName: sample\n", "  namespace: kcp-system\n"])(
    "gets the line that it lacks: %s",
    async (line) => {
      // The name is wrong as well: what is not there yet is not a finding of every rule.
      const text = await fixed(FAST, edit(edit(RIGHT, line, ""), "name: sample-fast", "name: sample"));
      expect(text.split("\n").toSorted()).toEqual(RIGHT.split("\n").toSorted());
    },
  );

  it("gets its version where it is repeated", async () => {
    const annotated = (version: string): string =>
      edit(RIGHT, "spec:", `  annotations: { }\nspec:`).replace(
        "annotations: { }",
        `annotations:\n    operator.kyma-project.io/module-version: "${version}"`,
      );
    expect(await fixed(FAST, annotated("1.0.0"))).toBe(annotated("1.1.0"));
    expect(await fixed(FAST, edit(DESCRIBED, "version: 1.1.0\n      res", "version: 1.1.1\n      res"))).toBe(
      DESCRIBED,
    );
  });

  it("keeps the descriptor of another version, since its digests belong to that version", async () => {
    const old = edit(RIGHT, "descriptor: {}\n", COMPONENT.replaceAll("1.1.0", "1.0.0"));
    expect(await fixesFor({ [FAST]: old })).toEqual([]);
    const odd = edit(
      RIGHT,
      "descriptor: {}\n",
      "descriptor: { component: { version: v1.0.0, resources: [1, { version: v1.0.0 }] } }\n",
    );
    expect(await fixesFor({ [FAST]: odd })).toEqual([]);
  });

  it("keeps an invalid version, and its copies", async () => {
    expect(await fixesFor({ [FAST]: edit(DESCRIBED, "  version: 1.1.0\n  info", "  version: 1.1\n  info") })).toEqual(
      [],
    );
  });

  it("is left alone if it names another module, since it may be in the wrong place", async () => {
    expect(await fixesFor({ [FAST]: RIGHT.replaceAll("sample", "simple") })).toEqual([]);
    expect(await fixesFor({ "channels/fast/x.yaml": RIGHT })).toEqual([]);
    expect(await fixesFor({ "channels/x/sample.yaml": RIGHT })).toEqual([]);
  });

  it("is left alone where the field cannot be written without a new layout", async () => {
    const flow = edit(RIGHT, "labels:\n    operator.kyma-project.io/module-name: sample", "labels: { a: b }");
    expect(await fixesFor({ [FAST]: flow })).toEqual([]);
    expect(await fixed(FAST, edit(flow, "channel: fast", "channel: regular"))).toBe(flow);
  });

  it("is left alone if it is not a template", async () => {
    expect(await fixesFor({ [FAST]: "kind: Secret\n" })).toEqual([]);
  });

  it("of a version loses its channel, and is named after its folder", async () => {
    const right = edit(edit(RIGHT, "  channel: fast\n", ""), "sample-fast", "sample-1.1.0");
    expect(await fixed(VERSION_TEMPLATE, edit(right, "sample-1.1.0", "sample"))).toBe(right);
    expect(await fixed(VERSION_TEMPLATE, edit(right, "  moduleName", "  channel: fast\n  moduleName"))).toBe(right);
    expect(await fixesFor({ "modules/sample/1.1.1/template.yaml": right })).toEqual([]);
  });

  it("keeps its line ends, and an end without one", async () => {
    const wrong = edit(RIGHT, "name: sample-fast", "name: sample").trimEnd();
    expect(await fixed(FAST, wrong.replaceAll("\n", "\r\n"))).toBe(RIGHT.trimEnd().replaceAll("\n", "\r\n"));
    expect(await fixesFor({ [FAST]: edit(wrong, "\n", "\r\n") })).toEqual([]);
  });
});

describe("fixTemplate", () => {
  test.each([
    ["another kind of object", FAST, { kind: "Secret" }],
    ["a file that is not a template's", MODULE, { kind: "ModuleTemplate" }],
    ["a channel that is none", "channels/x/sample.yaml", { kind: "ModuleTemplate" }],
    ["a module that is none", "channels/fast/x.yaml", { kind: "ModuleTemplate" }],
    ["a version of another folder", VERSION_TEMPLATE, { kind: "ModuleTemplate", spec: { version: "1.0.0" } }],
  ])("leaves %s alone", (_, path, value) => {
    expect(fixTemplate(path, "the text\n", value)).toBe("the text\n");
  });
});

describe("other files", () => {
  it("get quotes where only text is allowed", async () => {
    const holds = (reason: string): string => `format: 1
holds: # why
  - { version: 1.0.0, reason: ${reason}, by: boss, since: "2026-01-01T00:00:00Z" }
`;
    expect(await fixed(HOLDS, holds("no"))).toBe(holds(`"no"`));
    const annotated = edit(RIGHT, "spec:", "  annotations:\n    a: on\nspec:");
    expect(await fixed(FAST, edit(annotated, "sample-fast", "sample"))).toBe(edit(annotated, "a: on", `a: "on"`));
    expect(await fixesFor({ "channels/fast.yaml": "format: 1\nlandscapes: [dev]\nfollows: no\n" })).toEqual([]);
    expect(
      await fixesFor({ "kyma-modules.yaml": edit(SAMPLE["kyma-modules.yaml"] ?? "", "format: 1", "format: 01") }),
    ).toEqual([]);
  });

  it("are left alone without mechanical findings, or without text", async () => {
    const context = await wholeContext({});
    const finding = {
      rule: "place-name",
      severity: "error",
      file: FAST,
      line: 1,
      column: 1,
      message: "",
      remedy: "",
    } as const;
    expect(findingFixes(context, [{ ...finding, rule: "schema" }], filesWith({}))).toEqual([]);
    expect(findingFixes(context, [finding], new Map())).toEqual([]);
    expect(findingFixes(context, [{ ...finding, file: "README.md" }], filesWith({ "README.md": "Hello" }))).toEqual([]);
    const stray = "channels/fast/old/sample.yaml";
    expect(findingFixes(context, [{ ...finding, file: stray }], filesWith({ [stray]: RIGHT }))).toEqual([]);
  });
});

describe("CODEOWNERS", () => {
  it("is created if there is none", async () => {
    expect(await fixesFor({ [CODEOWNERS]: undefined })).toEqual([{ path: CODEOWNERS, text: SAMPLE[CODEOWNERS] }]);
  });

  it("keeps what is written by hand, and its line ends", async () => {
    const text = (owner: string): string => `# ours\n${(SAMPLE[CODEOWNERS] ?? "").replaceAll("@sample/team", owner)}`;
    expect(await fixed(CODEOWNERS, text("@sample/others"))).toBe(text("@sample/team"));
    const windows = text("@sample/others").replaceAll("\n", "\r\n");
    expect(await fixed(CODEOWNERS, windows)).toBe(text("@sample/team").replaceAll("\n", "\r\n"));
  });
});

/** Faults of a template that one run may find together, each as a replacement of one text. */
const MENDABLE: readonly Fault[] = [
  ["name: sample-fast", "name: sample # c"],
  ["  namespace: kcp-system\n", ""],
  ["  channel: fast\n", ""],
  ["channel: fast\n", "channel: regular # c\n"],
  ["  moduleName: sample\n", ""],
  ["  labels:\n    operator.kyma-project.io/module-name: sample\n", ""],
  ["spec:\n", "  annotations:\n    operator.kyma-project.io/module-version: 1.0.9\n    a: off\nspec:\n"],
  ["descriptor: {}", "descriptor:\n    component:\n      version: 1.0.9 # c"],
  ["version: 1.1.0\n", "version: 1.1.0 # c\n"],
];
const STUBBORN: readonly Fault[] = [
  ["moduleName: sample\n", "moduleName: 'simple'\n"],
  ["module-name: sample", `module-name: "simple"`],
  ["spec:\n", "  annotations: { a: off, operator.kyma-project.io/module-version: 1.0.9 }\nspec:\n"],
  ["documentation: https", "documentation: https # c\n    x: no\n    y: https"],
  ["descriptor: {}", "descriptor: { component: { version: 1.0.9 } }"],
];
type Fault = readonly [from: string, to: string];

describe.each([
  ["mends all of what is mechanical", MENDABLE, true],
  ["mends what it can", [...MENDABLE, ...STUBBORN], false],
])("a run that %s", (_, faults, all) => {
  it("changes nothing else, and a second fix changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...faults]), fc.boolean(), async (chosen, windows) => {
        const broken = chosen.reduce((text, [from, to]) => text.replace(from, () => to), RIGHT);
        const before: ExampleFiles = { [FAST]: windows ? broken.replaceAll("\n", "\r\n") : broken };
        const fixes = await fixesFor(before);
        const after: ExampleFiles = { ...before, ...Object.fromEntries(fixes.map(({ path, text }) => [path, text])) };

        expect(await fixesFor(after)).toEqual([]);
        expect(traits(after)).toEqual(traits(before));
        if (all) expect(judge(MECHANICAL_RULES, await wholeContext(after)).findings).toEqual([]);
      }),
      tries(30),
    );
  });
});

/** What no mending may change: the version, the comments and the line ends. */
function traits(files: ExampleFiles): readonly unknown[] {
  const content = files[FAST];
  const text = typeof content === "string" ? content : "";
  return [
    /^ {2}version: (\S*)/m.exec(text)?.[1],
    text.split("# c").length,
    text.includes("\r\n"),
    /[^\r]\n/.test(text),
  ];
}
