import { counted } from "../../document/counted.ts";
import { findingText, type Finding } from "../../document/finding.ts";
import type { Output } from "./output.ts";

/** Says all findings, then how many there are. Says nothing when there are none. */
export function sayFindings(findings: readonly Finding[], output: Output): void {
  for (const finding of findings) output.say(findingText(finding, output));
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  if (findings.length > 0) output.say(`${counted(errors, "error")}, ${counted(warnings, "warning")}`);
}
