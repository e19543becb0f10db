import type { Channel, Module } from "../../catalogue/catalogue.ts";
import type { Level, PromotionFile } from "../../catalogue/policy.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import type { Place, Subject } from "../verdict/subject.ts";
import { demandText } from "../verdict/text.ts";
import { shiftOf } from "../verdict/waves.ts";

/**
 * `subject` with a policy that asks for no evidence: where none is at hand, a simulation shows what soak and calendar do,
 * instead of waiting for ever.
 */
export function withoutEvidence(subject: Subject): Subject {
  const { channel, said } = subject;
  return {
    ...subject,
    channel: { ...channel, promotion: timeOnly(channel.promotion) },
    said: said && relaxed(said, channel),
  };
}

function relaxed(said: Module, { name }: Channel): Module {
  const own = said.says.policy?.[name];
  if (own === undefined) return said;
  return { ...said, says: { ...said.says, policy: { ...said.says.policy, [name]: timeOnly(own) } } };
}

function timeOnly({ needs: _needs, exposure: _exposure, health: _health, ...rest }: PromotionFile): PromotionFile {
  return rest;
}

/** What is taken for granted about evidence where none is at hand; nothing where nobody asks for any. */
export function evidenceAssumption(subjects: readonly Subject[]): readonly string[] {
  const files = subjects.flatMap(({ channel, said }) => [channel.promotion, said?.says.policy?.[channel.name] ?? {}]);
  const demanded = [...new Set(files.flatMap(demandedIn))].sort();
  if (demanded.length === 0) return [];
  return [
    `No evidence is at hand: what the policy asks for (${demanded.join(", ")}) is taken to have been there at every moment. Name what there is with --evidence FILE.`,
  ];
}

function demandedIn({ needs = [], exposure, health }: PromotionFile): readonly string[] {
  return [...needs, ...(exposure === undefined ? [] : ["exposure"]), ...(health === undefined ? [] : ["health"])];
}

const LEVELS: readonly Level[] = ["first", "patch", "minor", "major"];

/** What is taken for granted about policies that leave out what holds versions back. */
export function soakAssumptions(channels: readonly Place[]): readonly string[] {
  return channels.flatMap(({ channel: { file, name, promotion } }) => {
    const unsaid = LEVELS.filter((level) => promotion.soak?.[level] === undefined);
    if (unsaid.length === 0) return [];
    return [`${file.path} names no soak of ${unsaid.join(", ")}: nothing has to soak for such a step of ${name}.`];
  });
}

/** What is taken for granted about limits: modules are replayed one by one. */
export function limitAssumptions(channels: readonly Place[]): readonly string[] {
  return channels.flatMap(({ channel: { file, promotion } }) =>
    promotion.limits === undefined
      ? []
      : [
          `${file.path} has limits: they are not replayed, so what the policy moves here may have had to wait for others.`,
        ],
  );
}

/** What is taken for granted about the way of a version through the landscapes of a followed channel. */
export function waveAssumptions(channels: readonly Place[], landscapes: readonly Landscape[]): readonly string[] {
  const followed = [...new Map(channels.map((place) => [place.followed.name, place.followed])).values()];
  if (landscapes.length === 0) {
    const names = followed.map(({ name }) => name).join(", ");
    return [
      `No landscapes are at hand: what ${names} serves is taken to be in all of them at once, so soak counts from the merge. Name a catalogue with landscapes: --repo DIR.`,
    ];
  }
  return followed.flatMap((channel) => {
    const { ms, hotfixMs } = shiftOf(channel, landscapes);
    if (ms === 0) return [];
    const last = `when its last landscape can serve it by the waves that kyma-modules.yaml has now`;
    return [
      `Soak in ${channel.name} counts from ${demandText(ms)} after the merge (${demandText(hotfixMs)} for a hot-fix), ${last}.`,
    ];
  });
}
