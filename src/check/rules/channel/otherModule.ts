import { CODEOWNERS, edit, SAMPLE, templateText, type ExampleFiles } from "../../example.ts";

/** The channel file of a module that the sample catalogue does not have. */
export const NEW = "channels/fast/other.yaml";

/** The change that submits another module, with an owner if one is given. */
export function newModule(owner?: string): ExampleFiles {
  const files = { [NEW]: templateText("fast", "1.0.0").replaceAll("sample", "other") };
  if (owner === undefined) return files;
  const lines = `/channels/*/other.yaml ${owner} @sample/release-managers\n/modules/other/ ${owner} @sample/release-managers\n`;
  return {
    ...files,
    "modules/other/module.yaml": `format: 1\nowners: ["${owner}"]\nocmComponentName: example.com/module/other\n`,
    [CODEOWNERS]: edit(String(SAMPLE[CODEOWNERS]), "/channels/*/sample", `${lines}/channels/*/sample`),
  };
}
