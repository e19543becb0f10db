import { hotfixesPath } from "../../catalogue/paths.ts";
import type { Decision } from "../../promote/promote.ts";

/** What a hot-fix leaves behind: what is owed for it, and what it keeps from being promoted. Full sentences. */
export function hotfixLines({ subject: { module, channel }, verdict, hotfix }: Decision): readonly string[] {
  if (verdict.kind !== "promote" || hotfix === undefined) return [];
  const { declaration, passedOver } = hotfix;
  const owed = (declaration.debt ?? []).map(({ kind }) => kind).join(", ");
  const [highest] = passedOver;
  return [
    `This makes a debt: ${owed}. status shows it until paidBy is set in ${hotfixesPath(module)}.`,
    ...(highest === undefined
      ? []
      : [
          `What came before the repair is not promoted to ${channel.name} afterwards: ${passedOver.join(", ")}. If it has the repair, say so: --also-fixed-in ${highest}.`,
        ]),
  ];
}
