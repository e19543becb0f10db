import { counted } from "../document/counted.ts";
import type { Finding } from "../document/finding.ts";
import { Fault, type Run } from "../ports.ts";
import type { CheckPorts } from "./compose/compose.ts";
import { findingText } from "./terminal/findings.ts";

/** A file that a person named. */
type ReadFile = Awaited<ReturnType<CheckPorts["readNamedFiles"]>>[number];

/**
 * Reads the one file that a person named. Throws CONFIGURATION for a folder, which ends with `remedy`, and what
 * `readNamedFiles` throws.
 */
export async function readNamedFile(
  path: string,
  remedy: string,
  { readNamedFiles }: Pick<CheckPorts, "readNamedFiles">,
  run: Run,
): Promise<ReadFile> {
  // Those of a folder have longer names.
  const file = (await readNamedFiles([path], run)).find(({ name }) => name === path);
  if (file !== undefined) return file;
  throw new Fault("CONFIGURATION", `${path} is a folder. ${remedy}`);
}

/** What is thrown for named files in which something is wrong: half of one decides nothing. It tells all `findings`. */
export function brokenFile(findings: readonly Finding[]): Fault {
  const files = [...new Set(findings.map(({ file }) => file))].join(", ");
  const lines = findings.map((finding) => findingText(finding, { paint: (_style, text) => text }));
  const problems = counted(findings.length, "problem");
  return new Fault("CONFIGURATION", [`${files} cannot be used: ${problems}.`, ...lines].join("\n"));
}
