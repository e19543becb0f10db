import { describe, expect, it } from "vitest";
import {
  BUMP,
  edit,
  FAST,
  MODULE,
  MODULE_TEXT,
  REGULAR,
  templateText,
  type Example,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { judge } from "../../../../src/check/check.ts";
import { componentChanged } from "../../../../src/check/rules/channel/componentChanged.ts";
import { acceptingField } from "../../../../src/check/rules/channel/kind.ts";
import { contextOf, said } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const renamed = async (example: Example): Promise<readonly string[]> =>
  said(componentChanged, await contextOf(example));
const remedies = async (example: Example): Promise<readonly string[]> =>
  judge([componentChanged], await contextOf(example)).findings.map(({ remedy }) => remedy);

describe("the OCM component of a module", () => {
  const SAME = "example.com/module/sample";
  const OTHER = "example.com/module/other";
  const NONE = 'format: 1\nowners: ["@sample/team"]\n';
  const UNDECLARED: ExampleFiles = { [MODULE]: NONE };
  const embedding = (channel: string, version: string, name: string): string =>
    edit(templateText(channel, version), "descriptor: {}", `descriptor:\n    component:\n      name: ${name}`);
  const refused = (place: string, from: string, to: string): unknown =>
    mentions(`${place} error`, "sample", from, to, "lifecycle-manager");

  it("is refused when module.yaml names another one, or none", async () => {
    expect(await renamed({ change: { [MODULE]: edit(MODULE_TEXT, SAME, OTHER) } })).toEqual([
      refused(`${MODULE}:3`, SAME, OTHER),
    ]);
    expect(await renamed({ change: UNDECLARED })).toEqual([refused(`${MODULE}:1`, SAME, "none")]);
    expect(await renamed({ change: { [MODULE]: undefined } })).toEqual([refused(`${MODULE}:1`, SAME, "none")]);
  });

  it("is that of a descriptor where module.yaml names none", async () => {
    const base = { ...UNDECLARED, [FAST]: embedding("fast", "1.1.0", SAME) };
    expect(await renamed({ base, change: { [MODULE]: MODULE_TEXT } })).toEqual([]);
    expect(await renamed({ base, change: { [MODULE]: edit(MODULE_TEXT, SAME, OTHER) } })).toEqual([
      refused(`${MODULE}:3`, SAME, OTHER),
    ]);
    const declared = { [FAST]: embedding("fast", "1.1.0", OTHER) };
    expect(await renamed({ base: declared, change: UNDECLARED })).toEqual([refused(`${MODULE}:1`, SAME, OTHER)]);
  });

  it("is refused in the template when only descriptors name it", async () => {
    const base = { ...UNDECLARED, [FAST]: embedding("fast", "1.1.0", SAME) };
    expect(await renamed({ base, change: { [FAST]: embedding("fast", "1.2.0", OTHER) } })).toEqual([
      refused(`${FAST}:34`, SAME, OTHER),
    ]);
    const undescribed = { ...base, [MODULE]: undefined };
    expect(await renamed({ base: undescribed, change: { [FAST]: templateText("fast", "1.2.0") } })).toEqual([
      refused(`${FAST}:32`, SAME, "none"),
    ]);
  });

  it("is that of the first channel by name that names one", async () => {
    const base = { ...UNDECLARED, [REGULAR]: embedding("regular", "1.0.0", SAME) };
    expect(await renamed({ base, change: BUMP })).toEqual([]);
    expect(await renamed({ base, change: { [FAST]: embedding("fast", "1.2.0", OTHER) } })).toHaveLength(1);
    const first = { ...base, [FAST]: embedding("fast", "1.1.0", SAME) };
    expect(await renamed({ base: first, change: { [REGULAR]: embedding("regular", "1.1.0", OTHER) } })).toEqual([]);
    const early = {
      "channels/fast-x.yaml": "format: 1\nlandscapes: [dev]\n",
      "channels/fast-x/sample.yaml": embedding("fast-x", "3.0.0", OTHER),
    };
    expect(await renamed({ base: first, change: early })).toEqual([]);
  });

  it("is one on each landscape", async () => {
    const settings = {
      "kyma-modules.yaml": `format: 1\nreleaseManagers: ["@sample/release-managers"]\nlandscapes:\n  - { name: dev, controlPlane: { context: dev } }\n  - { name: test, controlPlane: { context: test } }\n`,
    };
    const base = { ...settings, ...UNDECLARED, [FAST]: embedding("fast", "1.1.0", SAME), [REGULAR]: undefined };
    const elsewhere = {
      "channels/aaa.yaml": "format: 1\nlandscapes: [test]\n",
      "channels/aaa/sample.yaml": embedding("aaa", "1.1.5", OTHER),
    };
    expect(await renamed({ base, change: elsewhere })).toEqual([]);
    const here = { ...elsewhere, "channels/aaa.yaml": "format: 1\nlandscapes: [dev, test]\n" };
    expect(await renamed({ base, change: here })).toHaveLength(1);
    const moved = {
      "channels/fast.yaml": "format: 1\nlandscapes: [test]\n",
      [FAST]: embedding("fast", "1.2.0", OTHER),
    };
    expect(await renamed({ base, change: moved })).toEqual([]);
  });

  it("may be named for the first time", async () => {
    expect(await renamed({ base: UNDECLARED, change: { [MODULE]: MODULE_TEXT } })).toEqual([]);
    expect(await renamed({ base: { [MODULE]: undefined }, change: BUMP })).toEqual([]);
  });

  it.each([
    ["its values", SAME, OTHER, OTHER, 0],
    ["other values", OTHER, SAME, OTHER, 1],
    ["null where none is named", SAME, null, undefined, 0],
  ])("can be accepted with %s", async (_, from, to, name, count) => {
    const text = acceptingField("component-changed", "ocmComponentName", from, to);
    const line = `ocmComponentName: ${SAME}\n`;
    const after = name === undefined ? edit(text, line, "") : edit(text, line, `ocmComponentName: ${name}\n`);
    expect(await renamed({ base: { [MODULE]: text }, change: { [MODULE]: after } })).toHaveLength(count);
  });

  it("says how to accept the change", async () => {
    expect(await remedies({ change: UNDECLARED })).toEqual([
      mentions(
        `{ refusal: component-changed, field: ocmComponentName, from: "${SAME}", to: null }`,
        "modules/sample/module.yaml",
      ),
    ]);
  });
});
