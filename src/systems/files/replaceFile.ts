import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** How a file is written. */
interface ReplaceOptions {
  /** Its permissions; by default those of the user's umask. */
  readonly mode?: number;
  /** Whether it survives a loss of power; by default true. */
  readonly flush?: boolean;
}

/** Writes a file atomically. Throws system errors. */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode, flush = true }: ReplaceOptions = {},
): void {
  // In the same folder, since a rename is atomic only within one file system. The dot hides it from the catalogue.
  const temporary = join(dirname(file), `.${basename(file)}.${String(process.pid)}.tmp`);
  try {
    writeFileSync(temporary, content, { mode, flush });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
