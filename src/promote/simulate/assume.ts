import type { Channel, Module } from "../../catalogue/catalogue.ts";
import type { PromotionFile } from "../../catalogue/policy.ts";
import type { Subject } from "../verdict/subject.ts";

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

/** What `subjects` ask for beyond time, each once: `smoke`, `approval`, `exposure`, `health`. */
export function demandedOf(subjects: readonly Subject[]): readonly string[] {
  const files = subjects.flatMap(({ channel, said }) => [channel.promotion, said?.says.policy?.[channel.name] ?? {}]);
  return [...new Set(files.flatMap(demandedIn))].sort();
}

function demandedIn({ needs = [], exposure, health }: PromotionFile): readonly string[] {
  return [...needs, ...(exposure === undefined ? [] : ["exposure"]), ...(health === undefined ? [] : ["health"])];
}
