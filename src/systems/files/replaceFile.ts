import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Writes a file atomically. Throws system errors. */
export function replaceFile(file: string, content: string | Uint8Array): void {
  // In the same folder, since a rename is atomic only within one file system. The dot hides it from the catalogue.
  const temporary = join(dirname(file), `.${basename(file)}.${String(process.pid)}.tmp`);
  try {
    writeFileSync(temporary, content, { flush: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
