import type { Module } from "../catalogue/catalogue.ts";
import type { Hotfix } from "../catalogue/policy.ts";
import { entryCounts } from "./authority.ts";
import type { ChannelStep, Context } from "./context.ts";

/** Whether `hotfixes.yaml` declares a step as a hot-fix, approved or not. */
export function isDeclared(context: Context, step: ChannelStep): boolean {
  return declaredFor(context, step).length > 0;
}

/** Whether a step is a hot-fix: declared by an entry that counts. */
export function isHotfix(context: Context, step: ChannelStep): boolean {
  const inBase = context.base?.modules.get(step.module);
  return declaredFor(context, step).some((hotfix) =>
    entryCounts(context, hotfixDeclaration(hotfix), inBase && moduleDeclarations(inBase)),
  );
}

function declaredFor({ head }: Context, step: ChannelStep): readonly Hotfix[] {
  const { hotfixes = [] } = head.modules.get(step.module) ?? {};
  return hotfixes.filter((hotfix) => declares(hotfix, step));
}

/** Whether an entry of the step's module names the version and the channel of the step. */
export function declares({ version, channel }: Declaration, { channel: { name }, to }: ChannelStep): boolean {
  return version === to?.version && channel === name;
}

/** The part of a hot-fix that a release manager approves: all but its debt, which anyone can pay. */
export type Declaration = Omit<Hotfix, "debt">;

/** The declarations of a module, in the order of its hot-fixes. */
export function moduleDeclarations({ hotfixes }: Module): readonly Declaration[] {
  return hotfixes.map(hotfixDeclaration);
}

function hotfixDeclaration({ debt: _debt, ...declaration }: Hotfix): Declaration {
  return declaration;
}
