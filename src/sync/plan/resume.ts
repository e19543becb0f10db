/** The command that resumes a landscape, or one of its modules. */
export function resumeCommand(landscape: string, module?: string): string {
  return `kyma-modules sync resume ${landscape}${module === undefined ? "" : ` ${module}`} --reason TEXT`;
}
