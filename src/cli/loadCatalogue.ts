import type { Catalogue } from "../catalogue/catalogue.ts";
import { isOfCatalogue } from "../catalogue/paths.ts";
import { counted } from "../document/counted.ts";
import { type Finding, findingText } from "../document/finding.ts";
import { Fault, type Run, type Snapshot, type Source } from "../ports.ts";
import { EXIT, type Output } from "./terminal/output.ts";
import { catalogueIn } from "../reading/catalogue.ts";

/** Takes a snapshot of `source`, and reads its catalogue with `readCatalogue`. */
export async function loadCatalogue(source: Source, output: Output, run: Run): Promise<Catalogue | undefined> {
  return readCatalogue(await source.snapshot(isOfCatalogue, run), output);
}

/**
 * Reads the usable part of the catalogue in `snapshot`, and prints its findings and what is withheld. Returns `undefined`
 * when nothing is usable. Throws CONFIGURATION when there is no catalogue.
 */
export function readCatalogue(snapshot: Snapshot, output: Output): Catalogue | undefined {
  const { usable, findings } = catalogueIn(snapshot);
  if (usable === undefined) sayUnreadable(findings, output);
  else sayUsable(usable, output);
  return usable;
}

/** Prints the findings of a catalogue, and what is withheld. */
export function sayUsable(catalogue: Catalogue, output: Output): void {
  sayFindings(catalogue.findings, output);
  const withheld = withheldText(catalogue);
  if (withheld !== "") output.say(`left as it is until its files are repaired: ${withheld}`);
}

/** `channel fast, module istio`; empty if nothing is withheld. */
export function withheldText({ withheld, withheldChannels }: Catalogue): string {
  const channels = [...withheldChannels.keys()].map((name) => `channel ${name}`);
  return [...channels, ...[...withheld].map((name) => `module ${name}`)].toSorted().join(", ");
}

/** The exit code of a command on the usable part of a catalogue: findings if a part of it has errors. */
export function codeOfCatalogue({ findings }: Catalogue): number {
  return findings.some(({ severity }) => severity === "error") ? EXIT.findings : EXIT.fine;
}

/** Prints why a catalogue cannot be used. Throws CONFIGURATION when there is no catalogue. */
export function sayUnreadable(findings: readonly Finding[], output: Output): void {
  refuseNoCatalogue(findings);
  sayFindings(findings, output);
}

/** Throws CONFIGURATION when there is no catalogue: that is a wrong call, not a finding in a file. */
export function refuseNoCatalogue(findings: readonly Finding[]): void {
  const nothing = findings.find(isNoCatalogue);
  if (nothing !== undefined) throw new Fault("CONFIGURATION", `${nothing.message} ${nothing.remedy}`);
}

/** Whether a finding means that there is no catalogue. */
export function isNoCatalogue({ rule }: Finding): boolean {
  return rule === "settings-missing";
}

/** Prints all findings and their count. Prints nothing when there are none. */
export function sayFindings(findings: readonly Finding[], output: Output): void {
  for (const finding of findings) output.say(findingText(finding, output));
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  if (findings.length > 0) output.say(`${counted(errors, "error")}, ${counted(warnings, "warning")}`);
}
