import { parseJson } from "../../document/json.ts";
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/folder.ts";
import type { Validation, ValidationRequest, ValidationVerdict } from "../../kubernetes/validation.ts";
import type { Run, Validator } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { validatorDigest } from "./binary.ts";
import { isPassing } from "./conversation.ts";

interface VerdictCacheOptions {
  /** A folder for the cache alone, created when there is something to keep. */
  readonly folder: string;
  /** Maximum of cached requests; the oldest are removed first. */
  readonly most?: number;
}

const MOST = 4096;

/** Share of the entries that is removed at a time, so that not every run has to read the ages of all files. */
const SPARE = 1 / 8;

/**
 * Caches the verdicts of `validator` on disk, by digest of the program, the definition and the objects. Treats an entry
 * that cannot be read or parsed as absent, and only logs a warning if the folder cannot be written.
 */
export function rememberVerdicts(validator: Validator, { folder, most = MOST }: VerdictCacheOptions): Validator {
  const judge = async (requests: readonly ValidationRequest[], run: Run): Promise<readonly Validation[]> => {
    const program = await validatorDigest();
    const names = requests.map((request) => nameOf(program, request));
    const known = await Promise.all(requests.map((request, index) => recall(folder, names[index], request)));
    const unknown = [...requests.keys()].filter((index) => known[index] === undefined);
    if (unknown.length === 0) return known.filter((one) => one !== undefined);
    const asked = await validator.judge(
      unknown.flatMap((index) => requests.slice(index, index + 1)),
      run,
    );
    const fresh = new Map(unknown.map((index, place) => [index, asked[place]]));
    await keep(folder, new Map([...fresh].map(([index, validation]) => [names[index], validation])), most, run);
    return requests.flatMap((_, index) => known[index] ?? fresh.get(index) ?? []);
  };
  return { judge, close: () => validator.close() };
}

/** The name of an entry, or `undefined` for a request that has no JSON. */
function nameOf(program: string, request: ValidationRequest): string | undefined {
  try {
    return `${createHash("sha256")
      .update(JSON.stringify([program, request]))
      .digest("hex")}.json`;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined; // too deep, or a circle
    throw error;
  }
}

async function recall(
  folder: string,
  name: string | undefined,
  request: ValidationRequest,
): Promise<Validation | undefined> {
  if (name === undefined) return undefined;
  const content = await readFile(join(folder, name), "utf8").catch(() => "");
  const value = parseJson(content);
  return isValidation(value, request) ? value : undefined;
}

function isValidation(value: unknown, { creates, updates, reads = [] }: ValidationRequest): value is Validation {
  if (typeof value !== "object" || value === null) return false;
  const found: Readonly<Partial<Record<keyof Validation, unknown>>> = value;
  return (
    isVerdict(found.definition) &&
    areVerdicts(found.creates, creates) &&
    areVerdicts(found.updates, updates) &&
    areVerdicts(found.reads, reads)
  );
}

function areVerdicts(value: unknown, asked: readonly unknown[]): boolean {
  return Array.isArray(value) && value.length === asked.length && value.every(isVerdict);
}

function isVerdict(value: unknown): value is ValidationVerdict {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  switch (value.kind) {
    case "accepted":
      return true;
    case "refused":
      return "causes" in value && Array.isArray(value.causes);
    default:
      return value.kind === "not-evaluated" && "why" in value && typeof value.why === "string";
  }
}

async function keep(
  folder: string,
  entries: ReadonlyMap<string | undefined, Validation | undefined>,
  most: number,
  run: Run,
): Promise<void> {
  try {
    await makeFolder(folder);
    for (const [name, validation] of entries) {
      if (name === undefined || validation === undefined) continue;
      const { definition, creates, updates, reads } = validation;
      if (![definition, ...creates, ...updates, ...reads].some(isPassing)) await write(folder, name, validation);
    }
    await forget(folder, most);
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    run.log.warn("verdicts cannot be remembered", { folder, problem: problemText(error) });
  }
}

/** Writes an entry atomically: concurrent readers see the whole entry or none. */
async function write(folder: string, name: string, validation: Validation): Promise<void> {
  const partial = join(folder, `${randomUUID()}.partial`);
  try {
    await writeFile(partial, JSON.stringify(validation), { mode: 0o600 });
    await rename(partial, join(folder, name));
  } finally {
    await rm(partial, { force: true });
  }
}

/** Removes the oldest entries, including partial files of killed runs, when there are too many. */
async function forget(folder: string, most: number): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= most) return;
  const ages = await Promise.all(
    names.map(async (name) => {
      // Another process may have removed it: then it is as old as can be.
      const written = stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      return { name, writtenMs: await written };
    }),
  );
  const oldest = ages.toSorted((one, other) => one.writtenMs - other.writtenMs);
  const surplus = names.length - Math.floor(most * (1 - SPARE));
  for (const { name } of oldest.slice(0, surplus)) await rm(join(folder, name), { force: true });
}
