import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locking } from "../catalogue/init/manifest.ts";
import type { Run } from "../ports.ts";
import { isMissingProgram } from "./errno.ts";
import { parseJson } from "../document/json.ts";
import { execute, type CommandOutput } from "./process.ts";
import { writeRepository } from "./files/repositoryWriter.ts";

/**
 * Omits registry addresses from the lock file: a mirror of this machine would be used everywhere. Installs nothing and
 * runs no script.
 */
const ARGS = ["install", "--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved", "--json"];
const QUIET = ["--no-audit", "--no-fund", "--loglevel=silent"];
const LOCK = "package-lock.json";

/** The exit codes of npm for failures; `failure` reads its output instead. */
const ANY_CODE = Array.from({ length: 255 }, (_, index) => index + 1);

/** Lets npm create the lock file for `files` in a temporary folder. An abort ends npm. */
export async function lockPackages(files: ReadonlyMap<string, string | Uint8Array>, run: Run): Promise<Locking> {
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-lock-"));
  try {
    await writeRepository(folder, files, run);
    const output = await execute(
      { program: "npm", args: [...ARGS, ...QUIET], cwd: folder, accepted: ANY_CODE, fault: "PROCESS_FAILED" },
      run,
    );
    return output.code === 0 ? { kind: "locked", text: await readFile(join(folder, LOCK), "utf8") } : failure(output);
  } catch (error) {
    if (!isMissingProgram(error)) throw error;
    return { kind: "unavailable", why: "There is no npm on the PATH." };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const UNREACHABLE = /^(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED|E5\d\d|E429)$/;

function failure({ stdout, stderr }: CommandOutput): Locking {
  const output = parseJson(stdout.toString()) as { readonly error?: NpmError } | undefined;
  const { code = "", summary = stderr.trim() } = output?.error ?? {};
  const why = `${(summary.split("\n", 1)[0] ?? "").replace(/[.\s]+$/, "")}.`;
  if (UNREACHABLE.test(code)) return { kind: "unavailable", why: `npm could not reach the registry: ${why}` };
  return { kind: "refused", why };
}

/** The error that npm prints with `--json`. */
interface NpmError {
  readonly code?: string;
  readonly summary?: string;
}
