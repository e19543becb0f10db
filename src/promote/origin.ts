import type { BumpOrigin } from "../catalogue/bump.ts";
import { lookUpAtHead, lookUpInHistory } from "../catalogue/lookup.ts";
import type { ModuleName } from "../catalogue/names.ts";
import { versionTemplatePath } from "../catalogue/paths.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import { Fault } from "../ports.ts";
import type { Gathered } from "./gather.ts";
import type { Subject } from "./verdict/subject.ts";

/** The template of a version from the repository or its history. Throws CONFIGURATION if there is none. */
export function bumpOrigin(gathered: Gathered, { module }: Subject, version: ModuleVersion): BumpOrigin {
  const template = knownTemplate(gathered, module, version);
  if (template !== undefined) return { name: template.file.path, content: Buffer.from(template.file.text) };
  throw new Fault(
    "CONFIGURATION",
    `No channel ever served ${module} ${version}, and there is no ${versionTemplatePath(module, version)}. Name a template: --template FILE.`,
  );
}

/** The template of a version at the head, else from its history; `undefined` if there is none. */
export function knownTemplate(
  gathered: Pick<Gathered, "catalogue" | "histories">,
  module: ModuleName,
  version: ModuleVersion,
): ReturnType<typeof lookUpAtHead> {
  const { catalogue, histories } = gathered;
  return lookUpAtHead(catalogue, module, version) ?? lookUpInHistory(histories.of(module).served, version);
}
