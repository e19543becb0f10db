import { Fault, type Run } from "../ports.ts";
import type { CheckPorts } from "./compose.ts";

/** A file that a person named. */
type NamedFile = Awaited<ReturnType<CheckPorts["readNamedFiles"]>>[number];

/**
 * Reads the one file that a person named. Throws CONFIGURATION for a folder, which ends with `remedy`, and what
 * `readNamedFiles` throws.
 */
export async function readNamedFile(
  path: string,
  remedy: string,
  { readNamedFiles }: Pick<CheckPorts, "readNamedFiles">,
  run: Run,
): Promise<NamedFile> {
  // Those of a folder have longer names.
  const file = (await readNamedFiles([path], run)).find(({ name }) => name === path);
  if (file !== undefined) return file;
  throw new Fault("CONFIGURATION", `${path} is a folder. ${remedy}`);
}
