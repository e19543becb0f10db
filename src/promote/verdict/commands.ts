import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";

/** What a person pastes to intervene: as it stands, but for the reason. `channel` undefined: all channels. */
export function interventionCommand(kind: "hold" | "unhold" | "withdraw", { module, version, channel }: Aim): string {
  const place = channel === undefined ? "" : ` --channel ${channel}`;
  return `kyma-modules ${kind} ${module}@${version}${place} --reason "…"`;
}

/** What a command is about. */
interface Aim {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  readonly channel: ChannelName | undefined;
}
