import { counted } from "../../document/counted.ts";
import type { Finding } from "../../document/finding.ts";
import { printable, printableLines } from "../../document/printable.ts";
import type { Output } from "./output.ts";

/** A finding as people read it: where and what on the first line, what to do below. */
export function findingText(
  { file, line, column, severity, rule, message, remedy }: Finding,
  output: Pick<Output, "paint">,
): string {
  const style = severity === "error" ? "bad" : "change";
  const place = `${printable(file)}:${line}:${column}: ${output.paint(style, severity)}`;
  const [first = "", ...more] = [`${message} [${rule}]`, remedy].flatMap(printableLines);
  return [`${place}: ${first}`, ...more.map((text) => `    ${text}`)].join("\n");
}

/** Says all findings, then how many there are. Says nothing when there are none. */
export function sayFindings(findings: readonly Finding[], output: Output): void {
  for (const finding of findings) output.say(findingText(finding, output));
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  if (findings.length > 0) output.say(`${counted(errors, "error")}, ${counted(warnings, "warning")}`);
}
