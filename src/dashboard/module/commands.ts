import { interventionCommand } from "../../catalogue/commands.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { Status } from "../../promote/status.ts";
import type { ModuleFacts } from "./facts.ts";
import type { ModuleSummary } from "./summary.ts";

/** What a person can type next about a module, as it stands; `…` stands for what only they know. */
export function commandsFor({ module }: Pick<ModuleFacts, "module">, summary: ModuleSummary): readonly string[] {
  const { placed, next, held } = summary;
  const aim = `${module}@${placed?.version.version ?? ""}`;
  return [
    ...(next === undefined ? [] : [`kyma-modules promote ${module} --explain`]),
    ...(next?.kind === "promote" ? [`kyma-modules promote ${module} --apply`] : []),
    ...(placed === undefined ? [] : [`kyma-modules rollout ${aim} --landscape ${placed.seen.landscape}`]),
    ...stops(module, summary.status),
    ...held.map((version) => interventionCommand("unhold", { module, version, channel: undefined })),
    `kyma-modules history ${module}`,
  ];
}

/** What keeps the next version out, and takes back what is served. */
function stops(module: ModuleName, status: Status | undefined): readonly string[] {
  if (status === undefined) return [];
  const { channel, version, verdict } = status;
  const coming = verdict?.chosen?.version;
  return [
    ...(coming === undefined ? [] : [interventionCommand("hold", { module, version: coming, channel })]),
    ...(version === undefined ? [] : [interventionCommand("withdraw", { module, version, channel })]),
  ];
}
