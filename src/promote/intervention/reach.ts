import type { Catalogue, Channel } from "../../catalogue/catalogue.ts";
import type { ChannelName } from "../../catalogue/names.ts";

/** What a channel follows, and what that follows, nearest first: a version passes all of them before it comes into it. */
export function upstreamOf(channel: Channel, { channels }: Pick<Catalogue, "channels">): readonly Channel[] {
  const passed: Channel[] = [];
  const add = (name: ChannelName | undefined): void => {
    const next = name === undefined ? undefined : channels.get(name);
    // Channels in a circle are a finding, but a request that cannot wait is decided on what can be read.
    if (next === undefined || next === channel || passed.includes(next)) return;
    passed.push(next);
    add(next.follows);
  };
  add(channel.follows);
  return passed;
}

/**
 * Whether what is held out of `held` (`undefined`: of all channels) does not come into the channel `into` either: what
 * was withdrawn from a channel is not carried further along those that follow it.
 */
export function reaches(
  held: ChannelName | undefined,
  into: ChannelName,
  catalogue: Pick<Catalogue, "channels">,
): boolean {
  const channel = catalogue.channels.get(into);
  const upstream = channel === undefined ? [] : upstreamOf(channel, catalogue);
  return held === undefined || held === into || upstream.some(({ name }) => name === held);
}
