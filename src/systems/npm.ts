import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locking } from "../catalogue/init/manifest.ts";
import { Fault, type Run } from "../ports.ts";
import { errorCode } from "./errno.ts";
import { parseJson } from "../document/json.ts";
import { execute, type CommandOutput } from "./process.ts";
import { writeRepository } from "./files/repositoryWriter.ts";

/**
 * No workplace's mirror is named in the lock file: it would be asked wherever the file is used. Nothing is installed, and
 * no script is run.
 */
const ARGS = ["install", "--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved", "--json"];
const QUIET = ["--no-audit", "--no-fund", "--loglevel=silent"];
const LOCK = "package-lock.json";

/** npm's codes for failures, any of which is an answer here. */
const ANY_CODE = Array.from({ length: 255 }, (_, index) => index + 1);

/** Lets npm make the lock file of `files`, in a folder of its own that is removed. An abort ends npm. */
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
    if (!isMissing(error)) throw error;
    return { kind: "unavailable", why: "There is no npm on the PATH." };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Fault && errorCode(error.cause) === "ENOENT";
}

const UNREACHABLE = /^(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED|E5\d\d|E429)$/;

function failure({ stdout, stderr }: CommandOutput): Locking {
  const { code = "", summary = stderr.trim() } = errorIn(stdout.toString());
  const why = `${(summary.split("\n", 1)[0] ?? "").replace(/[.\s]+$/, "")}.`;
  if (UNREACHABLE.test(code)) return { kind: "unavailable", why: `npm could not ask for the packages: ${why}` };
  return { kind: "refused", why };
}

interface NpmError {
  readonly code?: string;
  readonly summary?: string;
}

/** What npm says with `--json`; of other output, nothing. */
function errorIn(stdout: string): NpmError {
  return (parseJson(stdout) as { readonly error?: NpmError } | undefined)?.error ?? {};
}
