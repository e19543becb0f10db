import { fitsVersions } from "../../../catalogue/steps.ts";
import { channelAsCounts } from "../../context.ts";
import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";

/** A channel serves only versions that its policy allows. */
export const versionChannel: Rule = {
  id: "version-channel",
  group: "version",
  severity: "error",
  waivable: true,
  demand:
    "A channel serves only versions of the kind that its `versions` names: release, prerelease:<identifier> or any.",
  rationale:
    "Users of a release channel expect finished versions. lifecycle-manager ignores the part after the hyphen when it compares versions: it does not see a step from a pre-release to its release as an upgrade.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
  judge: (context) =>
    context.templates.flatMap((template) => {
      const { channel: name, version } = template;
      const channel = name && channelAsCounts(context, name);
      if (channel === undefined || fitsVersions(channel.versions, version)) return [];
      const message = `${channel.name} takes versions of the kind ${channel.versions}, but ${version} is not one.`;
      const remedy = "Serve it in a channel that takes it, or release a version that fits.";
      return [inTemplate(template, ["spec", "version"], { message, remedy })];
    }),
  bad: {
    change: bumpTemplate("version: 1.2.0", "version: 1.2.0-experimental"),
    at: { file: FAST, line: "version: 1.2.0-experimental" },
  },
  good: { change: BUMP },
};
