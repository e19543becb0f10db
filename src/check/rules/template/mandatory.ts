import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";

/** A template of a release channel does not say that it is mandatory. */
export const templateMandatory: Rule = {
  id: "template-mandatory",
  group: "template",
  severity: "error",
  waivable: false,
  demand: "A template in a release channel does not set spec.mandatory to true.",
  rationale:
    "The kind of the channel decides whether a module is mandatory, so the field is dropped before the template is written to a control plane. If it were kept, lifecycle-manager 1.8 and later would forget which version the users have, and 1.7 and earlier would install the module on every cluster.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
  judge: ({ head, templates }) => {
    const release = [...head.channels.values()].filter(({ kind }) => kind === "release").map(({ name }) => name);
    return templates.flatMap((template) => {
      const { channel, module, object } = template;
      if (object.spec.mandatory !== true || channel === undefined || !release.includes(channel)) return [];
      const message = `${channel} is a release channel, but the template says that ${module} is mandatory.`;
      const remedy = "Remove it, or put the module into a mandatory channel.";
      return [inTemplate(template, ["spec", "mandatory"], { message, remedy })];
    });
  },
  bad: {
    change: bumpTemplate("  moduleName", "  mandatory: true\n  moduleName"),
    at: { file: FAST, line: "mandatory: true" },
  },
  good: { change: BUMP },
};
