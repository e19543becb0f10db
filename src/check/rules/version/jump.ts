import { versionLine } from "../../../catalogue/steps.ts";
import type { ModuleVersion } from "../../../catalogue/version.ts";
import { BUMP, FAST, templateText } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { eachStep } from "../steps.ts";

/** Notes when a channel skips minor or major versions. */
export const versionJump: Rule = {
  id: "version-jump",
  group: "version",
  severity: "note",
  waivable: true,
  demand: "A channel goes from one minor or major version to the next.",
  rationale:
    "lifecycle-manager takes any upward step. Only the team of a module knows whether it survives skipping a version, such as one that converts its resources.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/promotion.md#write-a-policy",
  judge: (context) =>
    eachStep(context, ({ channel, from, to }) => {
      if (from === undefined || to === undefined || !skips(from.version, to.version)) return [];
      const message = `${channel.name} goes from ${from.version} to ${to.version} and skips the versions between.`;
      const remedy = "Make sure that the upgrade was tried from the version in service.";
      return [inTemplate(to, ["spec", "version"], { message, remedy })];
    }),
  bad: { change: { [FAST]: templateText("fast", "1.3.0") }, at: { file: FAST, line: "version: 1.3.0" } },
  good: { change: BUMP },
};

function skips(from: ModuleVersion, to: ModuleVersion): boolean {
  const [before, after] = [versionNumbers(from), versionNumbers(to)];
  if (after.major === before.major) return after.minor > before.minor + 1;
  return after.major > before.major + 1 || (after.major > before.major && after.minor > 0);
}

function versionNumbers(version: ModuleVersion): { readonly major: number; readonly minor: number } {
  const [major, minor] = versionLine(version, "minor").split(".").map(Number);
  return { major: Number(major), minor: Number(minor) };
}
