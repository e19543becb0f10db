import { shellCommand } from "../../document/shellWord.ts";

/** The command that resumes a landscape, or one of its modules. */
export function resumeCommand(landscape: string, module?: string): string {
  return module === undefined
    ? shellCommand`kyma-modules sync resume ${landscape} --reason TEXT`
    : shellCommand`kyma-modules sync resume ${landscape} ${module} --reason TEXT`;
}
