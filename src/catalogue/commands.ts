import type { ChannelName, ModuleName } from "./names.ts";
import type { ModuleVersion } from "./version.ts";

/** What a person pastes to intervene: as it stands, but for the reason. `channel` undefined: all channels. */
export function interventionCommand(kind: "hold" | "unhold" | "withdraw", { module, version, channel }: Aim): string {
  const place = channel === undefined ? "" : ` --channel ${channel}`;
  return `kyma-modules ${kind} ${module}@${version}${place} --reason "…"`;
}

/** What a person pastes to declare a hot-fix: as it stands, but for the incident and the template. */
export function hotfixCommand({ module, version, channel }: HotfixAim): string {
  return `kyma-modules promote --hotfix ${module}@${version} --channel ${channel} --incident URL --template FILE --apply`;
}

/** What a command is about. */
interface Aim {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  readonly channel: ChannelName | undefined;
}

/** A hot-fix is of one channel; its version may be one that is only suggested. */
interface HotfixAim {
  readonly module: ModuleName;
  readonly version: string;
  readonly channel: ChannelName;
}
