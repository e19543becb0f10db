import type { Module } from "../catalogue/catalogue.ts";
import type { Hotfix } from "../catalogue/policy.ts";
import { entryCounts } from "./authority.ts";
import type { Context, Step } from "./context.ts";

/** The declaration by which a step is a hot-fix: one of `hotfixes.yaml` that counts. */
export function hotfixOf(context: Context, { channel, module, to }: Step): Hotfix | undefined {
  const { hotfixes = [] } = context.head.modules.get(module) ?? {};
  const inBase = context.base?.modules.get(module);
  return hotfixes.find(
    (hotfix) =>
      hotfix.version === to?.version &&
      hotfix.channel === channel.name &&
      entryCounts(context, declarationOf(hotfix), inBase && declarationsOf(inBase)),
  );
}

/** What a release manager approves of a hot-fix: all but its debt, which anybody may pay. */
export type Declaration = Omit<Hotfix, "debt">;

/** What a module declares, in the order of its hot-fixes. */
export function declarationsOf({ hotfixes }: Module): readonly Declaration[] {
  return hotfixes.map(declarationOf);
}

function declarationOf({ debt: _debt, ...declaration }: Hotfix): Declaration {
  return declaration;
}
