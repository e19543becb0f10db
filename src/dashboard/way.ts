import type { Catalogue, Channel } from "../catalogue/catalogue.ts";
import { upstreamOf } from "../promote/intervention/upstream.ts";

/** The channels in the order in which a version passes them: those that teams submit to, each with its followers. */
export function alongTheWay(catalogue: Pick<Catalogue, "channels">): readonly Channel[] {
  const all = [...catalogue.channels.values()];
  const after = (channel: Channel): readonly Channel[] => [
    channel,
    ...all.filter(({ follows }) => follows === channel.name).flatMap(after),
  ];
  const first = all.filter((channel) => upstreamOf(channel, catalogue).length === 0);
  const [mandatory, release] = [first.filter(isMandatory), first.filter((channel) => !isMandatory(channel))];
  return [...release, ...mandatory].flatMap(after);
}

function isMandatory({ kind }: Channel): boolean {
  return kind === "mandatory";
}
