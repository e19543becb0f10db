import type { Catalogue } from "../catalogue/catalogue.ts";
import { parse } from "../catalogue/parse.ts";
import { isOfCatalogue } from "../catalogue/paths.ts";
import { usableOf } from "../catalogue/usable.ts";
import { counted } from "../document/counted.ts";
import { type Finding, findingText } from "../document/finding.ts";
import { Fault, type Run, type Snapshot, type Source } from "../ports.ts";
import type { Output } from "./terminal/output.ts";

/** Reads a catalogue, as `readCatalogue` does. */
export async function loadCatalogue(source: Source, output: Output, run: Run): Promise<Catalogue | undefined> {
  return readCatalogue(await source.snapshot(isOfCatalogue, run), output);
}

/**
 * The catalogue that `snapshot` holds, after saying what is wrong with it; `undefined` when it is broken. Throws
 * CONFIGURATION where there is none.
 */
export function readCatalogue({ revision, files }: Snapshot, output: Output): Catalogue | undefined {
  const parsing = parse(revision, files);
  if (parsing.kind === "refused") {
    sayUnreadable(parsing.findings, output);
    return undefined;
  }
  sayFindings(parsing.catalogue.findings, output);
  return parsing.catalogue;
}

/** Reads what can be served of a catalogue, broken or not, after saying what is wrong with it; `undefined` when it is nothing. */
export async function loadUsable(source: Source, output: Output, run: Run): Promise<Catalogue | undefined> {
  const { revision, files } = await source.snapshot(isOfCatalogue, run);
  const parsing = parse(revision, files);
  if (parsing.kind === "refused") sayUnreadable(parsing.findings, output);
  else sayFindings(parsing.catalogue.findings, output);
  return usableOf(parsing);
}

/** Says why a catalogue cannot be used. Throws CONFIGURATION where there is none at all. */
export function sayUnreadable(findings: readonly Finding[], output: Output): void {
  refuseNoCatalogue(findings);
  sayFindings(findings, output);
}

/** Refuses what holds no catalogue at all: that is a wrong call, and no finding in a file. Throws CONFIGURATION. */
export function refuseNoCatalogue(findings: readonly Finding[]): void {
  const nothing = findings.find(isNoCatalogue);
  if (nothing !== undefined) throw new Fault("CONFIGURATION", `${nothing.message} ${nothing.remedy}`);
}

/** Whether a finding says that there is no catalogue at all. */
export function isNoCatalogue({ rule }: Finding): boolean {
  return rule === "settings-missing";
}

/** Says all findings, then how many there are. Says nothing when there are none. */
export function sayFindings(findings: readonly Finding[], output: Output): void {
  for (const finding of findings) output.say(findingText(finding, output));
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  if (findings.length > 0) output.say(`${counted(errors, "error")}, ${counted(warnings, "warning")}`);
}
