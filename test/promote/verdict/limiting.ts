import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { PromotionFile } from "../../../src/catalogue/policy.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import type { Contender } from "../../../src/promote/verdict/contender.ts";
import { limit } from "../../../src/promote/verdict/limits.ts";
import { channelTemplate } from "../../catalogue/repository.ts";
import { day, historyOf, type Merge, plainFacts, SOAK, subjectsIn } from "./timeline.ts";

const BEGIN: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

/** The contenders of these modules in regular, which follows fast, on day `at`, within its limits. */
export function limited(
  at: number,
  modules: Readonly<Record<string, readonly Merge[]>>,
  limits: PromotionFile["limits"],
  more: Partial<PromotionFile> = {},
  ofIstio?: PromotionFile,
): readonly Contender[] {
  const promotion = { soak: SOAK, ...more, ...(limits && { limits }) };
  return limit(...limitable(at, modules, promotion, ofIstio));
}

/** The same without limits, and what they depend on. */
export function limitable(
  at: number,
  modules: Readonly<Record<string, readonly Merge[]>>,
  promotion: PromotionFile,
  ofIstio?: PromotionFile,
  evidence: readonly Evidence[] = [],
): Parameters<typeof limit> {
  const names = Object.keys(modules).filter((name) => name !== "istio");
  const files = Object.fromEntries(names.map((name) => [`channels/fast/${name}.yaml`, channelTemplate("fast", name)]));
  const subjects = subjectsIn({ promotion, files, ...(ofIstio && { override: ofIstio }) });
  const histories = new Map(Object.entries(modules).map(([name, merges]) => [name, historyOf(BEGIN, ...merges)]));
  const contenders = subjects.flatMap((subject) => {
    const history = histories.get(subject.module);
    const facts = history && plainFacts(history, day(at), { evidence });
    return facts === undefined ? [] : [{ subject, verdict: decide(subject, facts) }];
  });
  const isModule = (name: string): boolean => name !== "nosuch";
  return [contenders, { histories: () => [...histories.values()], isModule, nowMs: day(at) }];
}

/** Each module in a few words. */
export function gists(contenders: readonly Contender[]): readonly string[] {
  return contenders.map(({ verdict: { module, kind, chosen }, group }) => {
    const earliest = chosen?.earliest;
    const when =
      earliest === undefined
        ? ""
        : earliest.kind === "at"
          ? ` @${new Date(earliest.atMs).toISOString()}`
          : ` >${new Date(earliest.notBeforeMs).toISOString()}`;
    return `${module} ${kind}${when}${group === undefined ? "" : ` with ${group.join()}`}`;
  });
}

/** The last reason of a contender. */
export const lastReason = (contender: Contender | undefined): unknown => contender?.verdict.chosen?.reasons.at(-1);
