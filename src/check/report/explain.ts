import { SAMPLE, type Example } from "../example.ts";
import type { Rule } from "../rule.ts";
import { printableLines } from "../../document/printable.ts";
import type { Paper } from "./text.ts";

/** Lines shown above and below the line in question. */
const AROUND = 3;

/** Explains a rule: its demand, its reason, a change that breaks it and one that does not. */
export function explainRule(rule: Rule, paper: Paper): string {
  const { id, severity, demand, rationale, source, waivable, bad, good } = rule;
  const style = { error: "bad", warning: "change", note: "quiet" } as const;
  return [
    `${paper.paint("strong", id)}  ${paper.paint(style[severity], severity)}`,
    demand,
    "",
    rationale,
    waivable
      ? "The module's owners can waive it for a version: waivers in modules/<module>/module.yaml."
      : "It cannot be waived.",
    `Source: ${source}`,
    ...(bad.also === undefined ? [] : [`Overlaps: ${bad.also.join(", ")}; the change below is refused by each.`]),
    "",
    paper.paint("bad", `Refused (${bad.at.file}):`),
    ...excerpt(textIn(bad, bad.at.file), (line) => line.includes(bad.at.line)),
    "",
    paper.paint("good", "Accepted:"),
    ...acceptedLines(rule, textIn(bad, bad.at.file), textIn(good, bad.at.file)),
  ].join("\n");
}

/** `id: demand` for all rules, by group. */
export function listRules(rules: readonly Rule[], paper: Paper): string {
  const width = Math.max(...rules.map(({ id }) => id.length));
  return [...Map.groupBy(rules, ({ group }) => group)]
    .flatMap(([group, members]) => [
      paper.paint("strong", group),
      ...members.map(({ id, severity, demand }) => `  ${id.padEnd(width)}  ${severity.padEnd(7)}  ${demand}`),
    ])
    .join("\n");
}

function textIn({ base, change }: Example, path: string): string | undefined {
  const content = path in change ? change[path] : (base?.[path] ?? SAMPLE[path]);
  return typeof content === "string" ? content : undefined;
}

function excerpt(text: string | undefined, isMarked: (line: string) => boolean): readonly string[] {
  if (text === undefined) return ["    (there is no such file, or it is not text)"];
  const lines = text.split("\n");
  const marked = lines.findLastIndex(isMarked);
  return lines.slice(Math.max(0, marked - AROUND), marked + AROUND + 1).map((line, index, shown) => {
    const isIt = shown.length > 0 && Math.max(0, marked - AROUND) + index === marked;
    return `  ${isIt ? ">" : " "} ${printableLines(line.slice(0, 160)).join("")}`;
  });
}

/** The lines where the accepted text differs from the refused one; the difference may be in another file. */
function acceptedLines(
  { good, bad }: Rule,
  refused: string | undefined,
  accepted: string | undefined,
): readonly string[] {
  if (accepted === refused) {
    const others = [...new Set([...Object.keys(good.change), ...Object.keys(good.base ?? {})])];
    const changed = others.find((path) => textIn(good, path) !== textIn(bad, path));
    const where =
      changed === undefined
        ? "with another history, or another answer of an external system"
        : `with this in ${changed}:`;
    return [
      `    the same, ${where}`,
      ...(changed === undefined ? [] : differing(textIn(good, changed), textIn(bad, changed))),
    ];
  }
  return differing(accepted, refused);
}

function differing(text: string | undefined, other: string | undefined): readonly string[] {
  const lines = new Set((other ?? "").split("\n"));
  const first = (text ?? "").split("\n").find((line) => !lines.has(line));
  return excerpt(text, (line) => line === first);
}
