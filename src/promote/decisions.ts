import type { BumpOrigin } from "../catalogue/bump.ts";
import { promotionBranch } from "./draft.ts";
import type { Gathered } from "./gather.ts";
import type { HotfixVerdict } from "./intervention/hotfix.ts";
import type { Promotion } from "./promotion.ts";
import { decide } from "./verdict/decide.ts";
import type { Contender } from "./verdict/contender.ts";
import { limit } from "./verdict/limits.ts";
import { waitsForPlace } from "./verdict/verdict.ts";

/** A verdict on a subject, with everything to carry it out. */
export interface Decision extends Contender {
  /**
   * The declaration of a hot-fix, its files beside the channel file, and the source of its template if one was named.
   */
  readonly hotfix?: Pick<HotfixVerdict, "declaration" | "passedOver"> &
    Pick<Promotion, "files"> & { readonly origin: BumpOrigin | undefined };
}

/** The verdict on every subject, within the limits of its channel. In the order of the subjects. */
export function decideAll({ catalogue, subjects, factsOf, histories, nowMs, stuck }: Gathered): readonly Decision[] {
  const names = new Set<string>([...catalogue.modules.keys(), ...histories.modules]);
  const byChannel = Map.groupBy(subjects, ({ channel }) => channel.name);
  return [...byChannel.values()].flatMap((own) => {
    const contenders = own.map((subject) => ({ subject, verdict: decide(subject, factsOf(subject)) }));
    const movement = {
      nowMs,
      isModule: (name: string) => names.has(name),
      histories: () => histories.modules.map((module) => histories.of(module)),
      isStuck: (verdict: Decision["verdict"]) => stuck?.has(promotionBranch(verdict)) === true,
    };
    return limit(contenders, movement);
  });
}

/** Decides again on those that wait for a place in a window. */
export function decideAgain(decisions: readonly Decision[], gathered: Gathered): readonly Decision[] {
  const waiting = decisions.filter(({ verdict }) => waitsForPlace(verdict));
  const channels = new Set(waiting.map(({ subject }) => subject.channel.name));
  const subjects = gathered.subjects.filter(({ channel }) => channels.has(channel.name));
  const decided = new Map(decideAll({ ...gathered, subjects }).map((one) => [promotionBranch(one.verdict), one]));
  return decisions.map((one) => (waiting.includes(one) ? (decided.get(promotionBranch(one.verdict)) ?? one) : one));
}
