import { describe, expect, it } from "vitest";
import { edit, REGULAR_POLICY, SAMPLE } from "../../../../src/check/example.ts";
import { channelTogether } from "../../../../src/check/rules/channel/together.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const withGroups = (groups: string): Readonly<Record<string, string>> => ({
  [REGULAR_POLICY]: edit(
    String(SAMPLE[REGULAR_POLICY]),
    "promotion:\n",
    `promotion:\n  limits: { together: ${groups} }\n`,
  ),
  "modules/other/module.yaml": 'format: 1\nowners: ["@kyma-project/other"]\n',
  "modules/third/module.yaml": 'format: 1\nowners: ["@kyma-project/third"]\n',
});

describe("modules that move together", () => {
  it("stand in one group", async () => {
    const change = withGroups("[[sample, other], [other, third]]");

    expect(said(channelTogether, await contextOf({ change }))).toEqual([
      mentions(`${REGULAR_POLICY}:5 error`, "other", "two groups"),
    ]);
  });

  it("are not judged in a change of something else", async () => {
    const base = withGroups("[[sample, othr]]");

    expect(said(channelTogether, await contextOf({ base, change: { "README.md": "about" } }))).toEqual([]);
    expect(said(channelTogether, await wholeContext(base))).toHaveLength(1);
  });
});
