import { describe, expect, test } from "vitest";
import { BUMP, edit, MODULE, SAMPLE } from "../../../../src/check/example.ts";
import { componentName } from "../../../../src/check/rules/descriptor/componentName.ts";
import { mentions } from "../../../support/mentions.ts";
import { contextOf, said } from "../../contexts.ts";
import { messages } from "./embedding.ts";

describe("the name of a component", () => {
  const judged = async (own: string, other: string): Promise<readonly string[]> => {
    const base = {
      [MODULE]: edit(String(SAMPLE[MODULE]), "module/sample", `module/${own}`),
      "modules/other/module.yaml": `format: 1\nowners: ["@sample/team"]\nocmComponentName: example.org/module/${other}\n`,
      "modules/unnamed/module.yaml": `format: 1\nowners: ["@sample/team"]\n`,
    };
    return messages(said(componentName, await contextOf({ base, change: BUMP })));
  };

  test("leaves place for the hash of a Manifest, so that no two modules share one", async () => {
    const long = "a-component-of-a-long-name";
    expect(await judged("sample", long)).toEqual([]);
    expect(await judged(long, "other")).toEqual([mentions("warning", `example.com/module/${long}`, "no hash")]);
    expect(await judged(long, `${long}-and-more`)).toEqual([
      mentions("error", `example.com/module/${long}`, `example.org/module/${long}-and-more`, "other"),
    ]);
  });
});
