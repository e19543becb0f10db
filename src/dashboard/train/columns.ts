import type { Catalogue, Channel } from "../../catalogue/catalogue.ts";

/** A column of the train: what a channel serves, or what comes next for it. */
export interface Column {
  readonly kind: "side" | "lane" | "gate";
  readonly channel: Channel;
}

/**
 * The columns, in the order in which a version passes them: a gate stands before each channel that follows another.
 * Channels that stand by themselves are on the side; mandatory ones have no column.
 */
export function columnsOf({ channels }: Pick<Catalogue, "channels">): readonly Column[] {
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
  // Without a channel that follows another, there is no side.
  if (lanes.length === 0) return side.map((channel) => ({ kind: "lane", channel }));
  return [...side.map((channel): Column => ({ kind: "side", channel })), ...lanes];
}

/** The mandatory channels. */
export function mandatoryChannels({ channels }: Pick<Catalogue, "channels">): readonly Channel[] {
  return [...channels.values()].filter(({ kind }) => kind === "mandatory");
}
