import { oneLine, shortCommit } from "../document/printable.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import type { Promotion } from "./promotion.ts";
import type { ReasonSource } from "./verdict/verdict.ts";
import { waveInto } from "../catalogue/wave.ts";
import { demandText } from "../document/times.ts";

/** The description of a promotion's pull request: the step, its reasons, the landscapes and the debt. Markdown. */
export function promotionBody(promotion: Promotion): string {
  const { verdict, chosen, subject } = promotion;
  const from = verdict.current ?? "nothing";
  const how = chosen.isHotfix ? "(hot-fix)" : `(${chosen.level}), from \`${verdict.follows}\``;
  const link = subject.said?.says.links?.repository;
  const parts = [
    `**${verdict.module}**: ${from} → **${chosen.version}** in \`${verdict.channel}\` ${how}.`,
    section("Who has to approve it", promotionApproval(promotion)),
    section(
      "Reasons",
      chosen.reasons.map(
        ({ message, source }) => `${plain(message)}${source === undefined ? "" : ` (${plain(sourceText(source))})`}`,
      ),
    ),
    section("Landscapes", promotionWaves(promotion)),
    section("Changelog", link === undefined ? [] : versionChangelog(link, verdict.current, chosen.version)),
    section(
      "Debt",
      (promotion.declaration?.debt ?? []).map(({ kind }) => DEBT[kind]),
    ),
    `Decided on ${promotion.base}. The promotion updates its branch, and closes it when it no longer applies. If you commit to the branch, it is left alone.`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`### ${title}`, ...lines.map((line) => `- ${line}`)].join("\n");
}

/** The approval that a hot-fix needs, and why. The gate asks for the same. */
function promotionApproval({ chosen, subject: { releaseManagers } }: Promotion): readonly string[] {
  if (!chosen.isHotfix) return [];
  const managers = releaseManagers.length === 0 ? "kyma-modules.yaml names none" : releaseManagers.join(", ");
  const why =
    "a hot-fix skips the soak and the other demands of the channel, so the gate is red until one of them approves";
  return [plain(`A release manager (${managers}): ${why}.`)];
}

/** The source of a reason, for people. */
export function sourceText(source: ReasonSource): string {
  switch (source.kind) {
    case "file":
      return `${source.file}:${String(source.line)}`;
    case "commit":
      return `commit ${shortCommit(source.commit)}`;
    case "evidence":
      return source.source;
  }
}
/** Escapes `text` for Markdown, on one line: what people wrote must not mention teams, close issues, link or format. */
export function plain(text: string): string {
  return uncalled(oneLine(text).replace(/[\\`*_[\]<>|~&]/g, "\\$&"));
}

/** Disarms mentions and issue references in `text`: a forge acts on them in commit messages as well. */
export function uncalled(text: string): string {
  // An @ within a word mentions no one. Leave it, so that `unhold istio@1.2.0` can be copied.
  return text.replace(/(?<!\w)@|#(?=\d)|\bGH-(?=\d)/gi, "$&\u200b");
}

function promotionWaves({ subject: { channel, landscapes }, chosen }: Promotion): readonly string[] {
  return landscapes
    .filter(({ name }) => channel.landscapes.includes(name))
    .map(({ name }) => {
      const wave = waveInto(name, channel.landscapes, landscapes);
      if (wave === undefined) return `${name}: with the next sync`;
      const soak = demandText(chosen.isHotfix ? wave.hotfixSoakMs : wave.soakMs);
      return `${name}: once ${wave.landscape} has served it in order for ${soak}`;
    });
}

/** Links to the release of a version and, last, to its comparison with `before`. */
export function versionChangelog(
  link: string,
  before: ModuleVersion | undefined,
  version: ModuleVersion,
): readonly string[] {
  // Percent-encoded, it can neither end the link nor mention anyone.
  const repository = new URL(link).href.replaceAll("@", "%40").replace(/\/+$/, "");
  const release = `${repository}/releases/tag/${version}`;
  return before === undefined ? [release] : [release, `${repository}/compare/${before}...${version}`];
}

const DEBT: Readonly<Record<"backfill" | "smoke" | "review", string>> = {
  backfill: "the followed channel is behind: bring the repair there, too",
  smoke: "the full smoke test",
  review: "a review",
};
