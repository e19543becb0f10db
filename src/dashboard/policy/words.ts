import type { Channel } from "../../catalogue/catalogue.ts";
import { LEVELS, type PromotionFile } from "../../catalogue/policy.ts";
import { counted } from "../../document/counted.ts";

/** What a policy says, a sentence each. */
export function policyWords({ name, follows, versions, landscapes, promotion }: Channel): readonly string[] {
  return [
    `${name} follows ${follows ?? "no channel"} and takes ${VERSIONS[versions] ?? `versions x.y.z-${versions.replace(/^prerelease:/, "")}`}.`,
    `It is served on ${landscapes.join(", ")}.`,
    ...soakWords(promotion),
    ...evidenceWords(promotion),
    ...calendarWords(promotion),
    ...limitWords(promotion),
    promotion.merge === "automatic"
      ? "A promotion that earned its place is merged without a person."
      : "A person reviews every promotion.",
  ];
}

const VERSIONS: Readonly<Record<string, string>> = { release: "versions x.y.z", any: "all versions" };

function soakWords({ soak = {} }: PromotionFile): readonly string[] {
  return LEVELS.flatMap((level) => {
    const said = soak[level];
    const what = level === "first" ? "A first version" : `A ${level} step`;
    return [said === undefined ? `${what} needs no time.` : `${what} soaks for ${said}.`];
  });
}

function evidenceWords({ needs = [], exposure, health, lines }: PromotionFile): readonly string[] {
  const { clusters, healthyHours } = exposure ?? {};
  return [
    ...(needs.includes("smoke") ? ["A smoke test has to have passed."] : []),
    ...(needs.includes("approval") ? ["A person has to approve the version."] : []),
    ...(clusters === undefined ? [] : [`It has to have run on ${counted(clusters, "cluster")}.`]),
    ...(healthyHours === undefined ? [] : [`It has to have been healthy for ${counted(healthyHours, "hour")} in sum.`]),
    ...(health === undefined ? [] : [`The share of clusters out of order may grow by ${health.notWorseBy}.`]),
    ...(lines === "previous-first" ? ["A minor version waits until the one before it has come through."] : []),
  ];
}

function calendarWords({ windows = [], freezes = [] }: PromotionFile): readonly string[] {
  return [
    ...(windows.length === 0 ? ["Promotions may happen at any time."] : []),
    ...windows.map(
      ({ opens, for: length, timeZone }) => `A window opens at "${opens}" in ${timeZone} and stays open for ${length}.`,
    ),
    ...freezes.map(({ from, until, reason }) => `Nothing moves from ${from} until ${until}: ${reason}.`),
  ];
}

function limitWords({ limits }: PromotionFile): readonly string[] {
  const { perWindow, together = [] } = limits ?? {};
  return [
    ...(perWindow === undefined ? [] : [`At most ${counted(perWindow, "promotion")} may happen in a window.`]),
    ...together.map((modules) => `${modules.join(" and ")} move together.`),
  ];
}
