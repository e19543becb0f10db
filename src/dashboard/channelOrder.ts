import type { Catalogue, Channel } from "../catalogue/catalogue.ts";
import { upstreamChannels } from "../promote/intervention/upstream.ts";

/** The channels in the order in which a version passes them: those that teams submit to, each with its followers. */
export function alongTheWay(catalogue: Pick<Catalogue, "channels">): readonly Channel[] {
  const all = [...catalogue.channels.values()];
  const after = (channel: Channel): readonly Channel[] => [
    channel,
    ...all.filter(({ follows }) => follows === channel.name).flatMap(after),
  ];
  const first = all.filter((channel) => upstreamChannels(channel, catalogue).length === 0);
  const [mandatory, release] = [first.filter(isMandatory), first.filter((channel) => !isMandatory(channel))];
  return [...release, ...mandatory].flatMap(after);
}

function isMandatory({ kind }: Channel): boolean {
  return kind === "mandatory";
}

/** A column of the train: the versions of a channel, or its next candidates. */
export interface Column {
  readonly kind: "side" | "lane" | "gate";
  readonly channel: Channel;
}

/**
 * The columns in the order in which a version passes them, with a gate before each channel that follows another. Channels
 * that neither follow nor are followed are on the side; mandatory channels have no column.
 */
export function orderedColumns({ channels }: Pick<Catalogue, "channels">): readonly Column[] {
  const release = [...channels.values()].filter(({ kind }) => kind === "release");
  const followers = (of: Channel): readonly Channel[] => release.filter(({ follows }) => follows === of.name);
  const chain = (channel: Channel): readonly Column[] => [
    ...(channel.follows === undefined ? [] : [{ kind: "gate" as const, channel }]),
    { kind: "lane", channel },
    ...followers(channel).flatMap(chain),
  ];
  const first = release.filter(({ follows }) => follows === undefined);
  const side = first.filter((channel) => followers(channel).length === 0);
  const lanes = first.filter((channel) => !side.includes(channel)).flatMap(chain);
  // If no channel follows another, none is on the side.
  if (lanes.length === 0) return side.map((channel) => ({ kind: "lane", channel }));
  return [...side.map((channel): Column => ({ kind: "side", channel })), ...lanes];
}

/** The mandatory channels. */
export function mandatoryChannels({ channels }: Pick<Catalogue, "channels">): readonly Channel[] {
  return [...channels.values()].filter(({ kind }) => kind === "mandatory");
}
