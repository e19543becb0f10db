import { isBroken } from "../document/finding.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ChannelName, ModuleName } from "./names.ts";
import { holdsPath, policyPath } from "./paths.ts";
import type { Hold } from "./policy.ts";

/** The part of a catalogue that says which channels there are. */
type KnownChannels = Pick<Catalogue, "channels" | "findings">;

/**
 * Whether an entry names a channel that does not exist, such as one that was renamed. The channel that was meant is not
 * known, so the entry counts in all channels. A channel whose policy cannot be read exists.
 */
export function isChannelUnknown(channel: ChannelName | undefined, catalogue: KnownChannels): boolean {
  return channel !== undefined && !catalogue.channels.has(channel) && !isBroken(catalogue, policyPath(channel));
}

/** The holds of a module as they count: those on a channel that does not exist in all channels, for a reason that says so. */
export function countedHolds(catalogue: Catalogue, module: ModuleName): readonly Hold[] {
  const { holds = [] } = catalogue.modules.get(module) ?? {};
  return holds.map((hold) => {
    if (!isChannelUnknown(hold.channel, catalogue)) return hold;
    const { channel, ...everywhere } = hold;
    return { ...everywhere, reason: `${hold.reason} (${unknownChannelText(channel, holdsPath(module))})` };
  });
}

/** Why an entry of `path` on a channel that does not exist counts, and the remedy. */
export function unknownChannelText(channel: string | undefined, path: string): string {
  return `there is no channel ${String(channel)}, so it counts in all; correct ${path}`;
}

/** The end of a hold in Unix milliseconds; infinity when it has none. */
export function holdEndMs({ until }: Hold): number {
  return until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
}

/** Whether `other` blocks everything that `hold` blocks, for at least as long. */
export function isAsStrong(other: Hold, hold: Hold): boolean {
  if (other.version !== hold.version) return false;
  if (other.channel !== undefined && other.channel !== hold.channel) return false;
  return holdEndMs(other) >= holdEndMs(hold);
}

/**
 * Whether an entry ends when it begins, and so holds nothing. `unhold` writes such an entry to lift a decrease by hand,
 * for which no file has an entry to remove.
 */
export function isLift({ since, until }: Hold): boolean {
  return until !== undefined && Date.parse(until) <= Date.parse(since);
}
