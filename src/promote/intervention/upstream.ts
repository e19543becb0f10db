import type { Catalogue, Channel } from "../../catalogue/catalogue.ts";
import type { ChannelName } from "../../catalogue/names.ts";

/** The channel that a channel follows, the one that this one follows, and so on. Versions pass all of them first. */
export function upstreamChannels(channel: Channel, { channels }: Pick<Catalogue, "channels">): readonly Channel[] {
  const passed: Channel[] = [];
  const add = (name: ChannelName | undefined): void => {
    const next = name === undefined ? undefined : channels.get(name);
    // Channels in a circle are a finding, but an urgent request is decided on what can be read.
    if (next === undefined || next === channel || passed.includes(next)) return;
    passed.push(next);
    add(next.follows);
  };
  add(channel.follows);
  return passed;
}

/**
 * Whether a hold on the channel `held` (`undefined`: on all channels) also keeps a version out of the channel `into`: a
 * version that was withdrawn from a channel goes no further along those that follow it.
 */
export function holdApplies(
  held: ChannelName | undefined,
  into: ChannelName,
  catalogue: Pick<Catalogue, "channels">,
): boolean {
  const channel = catalogue.channels.get(into);
  const upstream = channel === undefined ? [] : upstreamChannels(channel, catalogue);
  return held === undefined || held === into || upstream.some(({ name }) => name === held);
}
