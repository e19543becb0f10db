import type { ChannelName, ModuleName } from "./names.ts";
import type { ModuleVersion } from "./version.ts";

/** A command to copy that intervenes; only the reason must be filled in. `channel` undefined: all channels. */
export function interventionCommand(kind: "hold" | "unhold" | "withdraw", { module, version, channel }: Aim): string {
  const place = channel === undefined ? "" : ` --channel ${channel}`;
  return `kyma-modules ${kind} ${module}@${version}${place} --reason "…"`;
}

/** A command to copy that declares a hot-fix; only the incident and the template must be filled in. */
export function hotfixCommand({ module, version, channel }: HotfixAim): string {
  return `kyma-modules promote --hotfix ${module}@${version} --channel ${channel} --incident URL --template FILE --apply`;
}

/** The name of a smoke path on the command line: `certificates@1.4.2..1.5.0`, or `certificates@1.5.0` for the install. */
export function pathName({ module, from, to }: NamedPath): string {
  return `${module}@${from === undefined ? "" : `${from.version}..`}${to.version}`;
}

/** What a person does with a branch that the program proposes, without a forge. A pull that merges would turn main around. */
export function mergeAdvice(branch: string): string {
  return `git merge --no-ff ${branch}, then git push if it is shared; if that is rejected, git pull --rebase first`;
}

/** The versions of a smoke path; `from` is `undefined` for an install. */
interface NamedPath {
  readonly module: ModuleName;
  readonly from: { readonly version: ModuleVersion } | undefined;
  readonly to: { readonly version: ModuleVersion };
}

/** The version and the channel of a command. */
interface Aim {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  readonly channel: ChannelName | undefined;
}

/** A hot-fix has exactly one channel; its version may be a mere suggestion. */
interface HotfixAim {
  readonly module: ModuleName;
  readonly version: string;
  readonly channel: ChannelName;
}
