import { cataloguePlace } from "../../../catalogue/paths.ts";
import { templateText } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";

/** A template outside of a catalogue has the name that lifecycle-manager looks for. */
export const templateName: Rule = {
  id: "template-name",
  group: "template",
  severity: "error",
  waivable: false,
  demand: "A template outside of a catalogue is named <module>-<version>, or <module>-<channel> of its spec.channel.",
  rationale:
    "lifecycle-manager looks a template up by its name, which it puts together from the module and the version (from the channel, up to 1.7). Under any other name it is not found. In a catalogue, the path of the file decides the name.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
  judge: ({ templates }) =>
    templates.flatMap((template) => {
      const { file, module, version, channel, object } = template;
      if (channel !== undefined || cataloguePlace(file.path)?.kind === "version-template") return [];
      const names = [version, ...(object.spec.channel ? [object.spec.channel] : [])].map((end) => `${module}-${end}`);
      const { name } = object.metadata;
      if (names.includes(name)) return [];
      const message = `metadata.name is ${name}, but lifecycle-manager looks for ${names.join(" or ")}.`;
      const remedy = `Name it ${module}-${version}.`;
      return [inTemplate(template, ["metadata", "name"], { message, remedy })];
    }),
  bad: {
    loose: true,
    change: { "sample.yaml": templateText("fast", "1.2.0").replace("sample-fast", "sample-1-2-0") },
    at: { file: "sample.yaml", line: "name: sample-1-2-0" },
  },
  good: { loose: true, change: { "sample.yaml": templateText("fast", "1.2.0") } },
};
