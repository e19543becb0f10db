import type { ModuleVersion } from "../catalogue/version.ts";
import type { Promotion } from "./promotion.ts";
import type { Reason, ReasonSource } from "./verdict/verdict.ts";
import { waveInto } from "../catalogue/wave.ts";
import { demandText } from "../document/times.ts";

/** The text of a promotion's pull request: what moves, why it may, where it goes, what is owed. Markdown. */
export function promotionBody(promotion: Promotion): string {
  const { verdict, chosen } = promotion;
  const from = verdict.current ?? "nothing";
  const how = chosen.isHotfix ? "(hot-fix)" : `(${chosen.level}), from \`${verdict.follows}\``;
  const parts = [
    `**${verdict.module}**: ${from} → **${chosen.version}** in \`${verdict.channel}\` ${how}.`,
    section("Who has to approve it", approvalOf(promotion)),
    section("Why it may", chosen.reasons.map(reasonLine)),
    section("Where it goes", wavesOf(promotion)),
    section("Changelog", linksOf(promotion)),
    section("Debt", debtOf(promotion)),
    `Decided on ${promotion.base}. The branch belongs to the promotion: it is updated, or closed when it is no longer right. Commit to it, and it is left alone.`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`### ${title}`, ...lines.map((line) => `- ${line}`)].join("\n");
}

/** Those whom a hot-fix asks for, and why: the gate says the same. */
function approvalOf({ chosen, subject: { releaseManagers } }: Promotion): readonly string[] {
  if (!chosen.isHotfix) return [];
  const managers = releaseManagers.length === 0 ? "kyma-modules.yaml names none" : releaseManagers.join(", ");
  const why =
    "a hot-fix passes over the soak and what else the channel asks for, so the gate is red until one approves";
  return [plain(`A release manager (${managers}): ${why}.`)];
}

function reasonLine({ message, source }: Reason): string {
  return `${plain(message)}${source === undefined ? "" : ` (${plain(sourceText(source))})`}`;
}

/** Where a reason comes from, for people. */
export function sourceText(source: ReasonSource): string {
  switch (source.kind) {
    case "file":
      return `${source.file}:${String(source.line)}`;
    case "commit":
      return `commit ${source.commit.slice(0, 10)}`;
    case "evidence":
      return source.source;
  }
}

/** `text` without line breaks, and without what could be one. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Markdown that shows `text` as it is, on one line: what people wrote shall not call teams, close issues, link or draw. */
export function plain(text: string): string {
  return uncalled(oneLine(text).replace(/[\\`*_[\]<>|~&]/g, "\\$&"));
}

/** `text` in which no name calls anybody, and no number closes an issue: a forge reads commits for that as well. */
export function uncalled(text: string): string {
  // Within a word it is nobody's name: whoever copies `unhold istio@1.2.0` gets what stands there.
  return text.replace(/(?<!\w)@|#(?=\d)|\bGH-(?=\d)/gi, "$&\u200b");
}

function wavesOf({ subject: { channel, landscapes }, chosen }: Promotion): readonly string[] {
  return landscapes
    .filter(({ name }) => channel.landscapes.includes(name))
    .map(({ name }) => {
      const wave = waveInto(name, channel.landscapes, landscapes);
      if (wave === undefined) return `${name}: with the next sync`;
      const soak = demandText(chosen.isHotfix ? wave.hotfixSoakMs : wave.soakMs);
      return `${name}: once ${wave.landscape} has served it in order for ${soak}`;
    });
}

function linksOf({ subject: { said }, chosen: { version }, verdict: { current } }: Promotion): readonly string[] {
  const link = said?.says.links?.repository;
  return link === undefined ? [] : changelogOf(link, current, version);
}

/** Where a repository says what is in a version, and, last, what it changes of `before`. */
export function changelogOf(
  link: string,
  before: ModuleVersion | undefined,
  version: ModuleVersion,
): readonly string[] {
  // Percent-encoded, it can neither end the link nor call anybody.
  const repository = new URL(link).href.replaceAll("@", "%40").replace(/\/+$/, "");
  const release = `${repository}/releases/tag/${version}`;
  return before === undefined ? [release] : [release, `${repository}/compare/${before}...${version}`];
}

const DEBT: Readonly<Record<"backfill" | "smoke" | "review", string>> = {
  backfill: "the followed channel is behind: bring the repair there, too",
  smoke: "the full smoke test",
  review: "a review",
};

function debtOf({ declaration }: Promotion): readonly string[] {
  return (declaration?.debt ?? []).map(({ kind }) => DEBT[kind]);
}
