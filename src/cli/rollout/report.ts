import { counted } from "../../document/counted.ts";
import { printable, type Style } from "../../document/printable.ts";
import { readyText, reasonText } from "../../fleet/words.ts";
import type { MissingGroup } from "../../fleet/rollout.ts";
import { durationText, secondText } from "../../document/times.ts";
import type { CountedVersion, LandscapeRollout, VersionRollout } from "../../sync/landscapeRollout.ts";
import { percent } from "../../sync/plan/soak.ts";
import type { DocumentFacts, Output } from "../terminal/output.ts";

/** The module of the report, its revision and its time. */
export interface RolloutFacts extends DocumentFacts {
  readonly module: string;
}

/** Each version on a landscape, and below it the clusters that do not have it. */
export function rolloutText(rollout: LandscapeRollout, facts: RolloutFacts, output: Output): string {
  const { landscape, versions, unknown } = rollout;
  if (unknown !== undefined && versions.length === 0) return folded(`${landscape}: not known: ${unknown}`).join("\n");
  const paint = (style: Style, lines: readonly string[]): readonly string[] =>
    lines.map((line) => output.paint(style, line));
  const nothing = versions.length === 0 ? folded(`  no channel serves ${facts.module}`) : [];
  return [
    ...paint("strong", folded(`${landscape}: ${facts.module}`)),
    ...(unknown === undefined ? nothing : folded(`  clusters could not be counted: ${unknown}`, "    ")),
    ...versions.flatMap((version) => [
      ...paint("strong", folded(`  ${headText(version, facts)}`, "    ")),
      ...kymasLines(version, rollout),
      ...replacedLines(version, facts),
      ...readyLines(version),
      ...(version.counts?.missing ?? []).flatMap((group) => [
        ...paint(
          group.isFailing ? "bad" : "change",
          folded(`${String(group.count).padStart(8)}  ${reasonText(group)}`, "          "),
        ),
        ...folded(`          ${namesText(group, facts)}`, "          "),
      ]),
    ]),
  ].join("\n");
}

/** The limit of the counts. */
export const NOTE =
  "note: lifecycle-manager reports these states. It reports Ready once the manager of a module runs: a module CR in Error does not show here.";

/** The note, once for all landscapes. */
export function noteText(rollouts: readonly LandscapeRollout[]): readonly string[] {
  if (rollouts.every(({ unknown }) => unknown !== undefined)) return [];
  return [folded(NOTE, "      ").join("\n")];
}

function headText({ channel, version, ...rest }: VersionRollout, facts: RolloutFacts): string {
  const where = channel === undefined ? `${version}, which no channel serves` : `${channel} ${version}`;
  return `${where}, ${servedText(rest, facts)}: ${countsText(rest.counts)}`;
}

/** How long a version is served, or when it was. */
export function servedText(
  { sinceMs, untilMs }: Pick<CountedVersion, "sinceMs" | "untilMs">,
  { decidedAt }: DocumentFacts,
): string {
  if (sinceMs === undefined) return "served since: not known";
  if (untilMs === undefined) return `served for ${durationText(decidedAt - sinceMs)}`;
  return `served for ${durationText(untilMs - sinceMs)} until ${secondText(untilMs)}`;
}

/** How many clusters have a version, and how many fail with it. */
export function countsText(counts: CountedVersion["counts"]): string {
  if (counts === undefined) return "clusters are not known";
  const { clusters, have, failing } = counts;
  if (clusters === 0) return "no cluster asks for it";
  const failed = failing === 0 ? "none fails" : counted(failing, "cluster") + (failing === 1 ? " fails" : " fail");
  return `${have} of ${counted(clusters, "cluster")} have it (${percent(have / clusters)}), ${failed}`;
}

/** If a module is not offered to all Kymas, only those with a Manifest count. */
function kymasLines({ mandatory, counts }: VersionRollout, { kymas }: LandscapeRollout): readonly string[] {
  if (!mandatory || counts === undefined || kymas === undefined) return [];
  return folded(`    mandatory: counts ${counts.clusters} of ${counted(kymas, "Kyma")}`, "      ");
}

function replacedLines({ replaced, failedBefore, channel }: VersionRollout, facts: RolloutFacts): readonly string[] {
  if (channel === undefined) return [];
  const share = failedBefore === undefined ? "" : `; ${percent(failedBefore)} failed when it was replaced`;
  if (replaced === undefined) return ["    before: no record"];
  const { version, counts } = replaced;
  return folded(`    before: ${version}, ${servedText(replaced, facts)}: ${countsText(counts)}${share}`, "      ");
}

/** Times are upper bounds. */
function readyLines({ ready, replaced, channel }: VersionRollout): readonly string[] {
  if (channel === undefined) return [];
  const before = replaced?.ready === undefined ? "" : `; ${replaced.version}: ${readyText(replaced.ready)}`;
  return folded(`    apply to Ready: ${ready === undefined ? "not known" : readyText(ready)}${before}`, "      ");
}

/** The first clusters of a group, each with its duration. */
export function namesText({ oldest, count }: MissingGroup, { decidedAt }: DocumentFacts): string {
  const names = oldest.map(({ name, sinceMs }) =>
    sinceMs === undefined ? name : `${name} for ${durationText(decidedAt - sinceMs)}`,
  );
  return [...names, ...(count > oldest.length ? ["…"] : [])].join(", ");
}

const COLUMNS = 80;

/**
 * Folds `text` into lines of at most 80 columns, unless a word is longer. Lines after the first begin with `indent`.
 */
function folded(text: string, indent = "  "): readonly string[] {
  const [margin = ""] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = margin;
  for (const word of printable(text.trimStart()).split(" ")) {
    const longer = line.trim() === "" ? line + word : `${line} ${word}`;
    if (longer.length <= COLUMNS || line.trim() === "") line = longer;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line];
}
