import type { Finding, Severity } from "../../document/finding.ts";
import type { CheckResult } from "../result.ts";
import { printable, printableLines } from "../../document/printable.ts";
import { findingTexts, repositoryPath, type ReportFacts } from "./reportFacts.ts";
import { groupNotRun, notRunText, summaryText } from "./summary.ts";

/** GitHub shows at most this many annotations of each kind for a step, and silently drops the rest. */
const SHOWN_ANNOTATIONS = 10;

/** GitHub's names of the severities, the worst first. */
const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const satisfies Record<Severity, string>;

/**
 * A result as workflow commands, which GitHub Actions turns into annotations without a token. Findings beyond GitHub's
 * limit are printed with their place, so that the log is complete. The last line has the counts.
 */
export function githubReport(result: CheckResult, facts: Pick<ReportFacts, "tookMs" | "pathPrefix">): string {
  const bySeverity = Map.groupBy(result.findings, ({ severity }) => severity);
  const ranked = (["error", "warning", "note"] as const).map((severity) => bySeverity.get(severity) ?? []);
  const annotations = ranked.flatMap((group) => group.slice(0, SHOWN_ANNOTATIONS));
  const others = ranked.flatMap((group) => group.slice(SHOWN_ANNOTATIONS));
  const notRun = [...groupNotRun(result.notRun)].flatMap(([why, rules]) =>
    rules.map((rule) => logLine(`not run: ${notRunText(rule)}, since ${why}`)),
  );
  const hint =
    others.length === 0 ? "" : `. GitHub shows ${SHOWN_ANNOTATIONS} of a kind as annotations; all are in this log.`;
  return [
    ...annotations.map((finding) => annotation(finding, facts)),
    ...others.map(({ severity, file, line, column, rule, message, remedy }) =>
      logLine(`${severity} in ${repositoryPath(file, facts)}:${line}:${column}: ${message} [${rule}] ${remedy}`),
    ),
    ...notRun,
    summaryText(result, facts.tookMs) + hint,
  ].join("\n");
}

function annotation(finding: Finding, facts: Pick<ReportFacts, "pathPrefix">): string {
  const { severity, file, line, column, rule } = finding;
  const properties = Object.entries({ file: repositoryPath(file, facts), line, col: column, title: rule });
  const text = findingTexts(finding).flatMap(printableLines).join("\n");
  const list = properties.map(([name, value]) => {
    // As `escapeProperty` of actions/toolkit.
    const escaped = escapeData(printable(String(value)))
      .replaceAll(":", "%3A")
      .replaceAll(",", "%2C");
    return `${name}=${escaped}`;
  });
  return `::${COMMANDS[severity]} ${list.join(",")}::${escapeData(text)}`;
}

/**
 * A line that the runner does not take for a command. It finds commands of the older form (`##[`) anywhere in a line.
 */
function logLine(text: string): string {
  return printable(text).replaceAll("##[", "## [");
}

/** As `escapeData` of actions/toolkit, packages/core/src/command.ts. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
