import { levelOf } from "../catalogue/steps.ts";
import { compareVersions } from "../catalogue/version.ts";
import type { Decision } from "../promote/promote.ts";

/** What a hot-fix leaves behind: what is owed for it, and what it keeps from being promoted. Full sentences. */
export function hotfixLines({ subject: { module, channel, followed }, verdict, hotfix }: Decision): readonly string[] {
  const declaration = hotfix?.declaration;
  if (verdict.kind !== "promote" || declaration === undefined) return [];
  const { version, debt = [], alsoFixedIn = [] } = declaration;
  const owed = debt.map(({ kind }) => kind).join(", ");
  const there = followed.templates.get(module)?.version;
  const isPassedOver =
    there !== undefined &&
    compareVersions(there, version) > 0 &&
    !alsoFixedIn.some((fixed) => levelOf(fixed, there) === "patch" && compareVersions(there, fixed) >= 0);
  return [
    `This makes a debt: ${owed}. status shows it until paidBy is set in modules/${module}/hotfixes.yaml.`,
    ...(isPassedOver
      ? [
          `Afterwards ${there}, which ${followed.name} serves, is not promoted to ${channel.name}: it came before the repair. If it has the repair, say so: --also-fixed-in ${there}.`,
        ]
      : []),
  ];
}
