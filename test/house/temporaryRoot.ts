import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Linux keeps files in memory. */
const IN_MEMORY = "/dev/shm";
/** All tests together keep half a GiB at a time. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * The folder for the temporary files of the tests: in memory, where that has space enough and may hold programs, which
 * containers often forbid. On a disk, the many files that tests create and delete take a fifth of the time.
 */
export function temporaryRoot(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const hasSpace = Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES;
    return hasSpace && mayHoldPrograms(IN_MEMORY) ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

function mayHoldPrograms(root: string): boolean {
  const folder = mkdtempSync(join(root, "kyma-modules-"));
  try {
    const program = join(folder, "true");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
