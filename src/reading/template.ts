import type { Catalogue } from "../catalogue/catalogue.ts";
import { lookUpAtHead, lookUpInHistory, servedScope } from "../catalogue/lookup.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { Template } from "../catalogue/template.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import type { History, Run } from "../ports.ts";
import { readHistories } from "./histories.ts";

/** The template of a version, and whether only the history has it. */
interface FoundTemplate {
  readonly template: Template;
  readonly isHistoric: boolean;
}

/**
 * The template of a version in `catalogue`, else in the history of the commit `revision`. Throws HISTORY_TOO_SHALLOW if
 * only a deeper clone can tell whether a channel served it.
 */
export async function lookUpTemplate(
  { module, version }: { readonly module: ModuleName; readonly version: ModuleVersion },
  {
    catalogue,
    revision,
    history,
  }: { readonly catalogue: Catalogue; readonly revision: string; readonly history: History },
  run: Run,
): Promise<FoundTemplate | undefined> {
  const atHead = lookUpAtHead(catalogue, module, version);
  if (atHead !== undefined) return { template: atHead, isHistoric: false };
  const { histories, cut } = await readHistories({ revision, scope: servedScope([module]) }, history, run);
  const template = lookUpInHistory(histories.of(module).served, version);
  if (template !== undefined) return { template, isHistoric: true };
  if (cut !== undefined) throw cut;
  return undefined;
}
