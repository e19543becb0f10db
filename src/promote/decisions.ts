import type { Gathered } from "./gather.ts";
import type { Decision } from "./promote.ts";
import { decide } from "./verdict/decide.ts";
import { limit } from "./verdict/limits.ts";

/** The verdict on every subject, within the limits of its channel. In the order of the subjects. */
export function decideAll({ catalogue, subjects, factsOf, histories, nowMs }: Gathered): readonly Decision[] {
  const names = new Set<string>([...catalogue.modules.keys(), ...histories.modules]);
  const byChannel = Map.groupBy(subjects, ({ channel }) => channel.name);
  return [...byChannel.values()].flatMap((own) => {
    const contenders = own.map((subject) => ({ subject, verdict: decide(subject, factsOf(subject)) }));
    const movement = {
      nowMs,
      isModule: (name: string) => names.has(name),
      histories: () => histories.modules.map((module) => histories.of(module)),
    };
    return limit(contenders, movement);
  });
}
