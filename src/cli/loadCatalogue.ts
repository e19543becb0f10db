import type { Catalogue } from "../catalogue/catalogue.ts";
import { parse } from "../catalogue/parse.ts";
import { isOfCatalogue } from "../catalogue/paths.ts";
import { usableOf } from "../catalogue/usable.ts";
import { counted } from "../document/counted.ts";
import { type Finding, findingText } from "../document/finding.ts";
import { Fault, type Run, type Snapshot, type Source } from "../ports.ts";
import type { Output } from "./terminal/output.ts";

/** Takes a snapshot of `source`, and reads its catalogue with `readCatalogue`. */
export async function loadCatalogue(source: Source, output: Output, run: Run): Promise<Catalogue | undefined> {
  return readCatalogue(await source.snapshot(isOfCatalogue, run), output);
}

/**
 * Reads the catalogue in `snapshot`, and prints its findings. Returns `undefined` when it is broken. Throws
 * CONFIGURATION when there is no catalogue.
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

/**
 * Reads the usable part of a catalogue, which may be broken, and prints its findings. Returns `undefined` when nothing
 * is usable.
 */
export async function loadUsable(source: Source, output: Output, run: Run): Promise<Catalogue | undefined> {
  const { revision, files } = await source.snapshot(isOfCatalogue, run);
  const parsing = parse(revision, files);
  if (parsing.kind === "refused") sayUnreadable(parsing.findings, output);
  else sayFindings(parsing.catalogue.findings, output);
  return usableOf(parsing);
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
