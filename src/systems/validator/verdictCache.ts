import { createHash } from "node:crypto";
import { parseJson } from "../../document/json.ts";
import {
  whyUnanswered,
  type Validation,
  type ValidationRequest,
  type ValidationVerdict,
} from "../../kubernetes/validation.ts";
import type { Run, Validator } from "../../ports.ts";
import { type FileCache, fileCache } from "../files/cache.ts";
import { validatorDigest } from "./binary.ts";

interface VerdictCacheOptions {
  /** A folder for the cache alone, created when there is something to keep. */
  readonly folder: string;
  /** Maximum of cached requests; the oldest are removed first. */
  readonly most?: number;
}

const MOST = 4096;

/**
 * Caches the verdicts of `validator` on disk, by digest of the program, the definition and the objects. Treats an entry
 * that cannot be read or parsed as absent, and only logs a warning if the folder cannot be written.
 */
export function rememberVerdicts(validator: Validator, { folder, most = MOST }: VerdictCacheOptions): Validator {
  const cache = fileCache(folder, { what: "verdicts", most });
  const judge = async (requests: readonly ValidationRequest[], run: Run): Promise<readonly Validation[]> => {
    const program = await validatorDigest();
    const names = requests.map((request) => verdictFileName(program, request));
    const known = await Promise.all(requests.map((request, index) => recall(cache, names[index], request)));
    const unknown = [...requests.keys()].filter((index) => known[index] === undefined);
    if (unknown.length === 0) return known.filter((one) => one !== undefined);
    const asked = await validator.judge(
      unknown.flatMap((index) => requests.slice(index, index + 1)),
      run,
    );
    const fresh = new Map(unknown.map((index, place) => [index, asked[place]]));
    const texts = [...fresh].flatMap(([index, validation]): (readonly [string, string])[] => {
      const name = names[index];
      if (name === undefined || validation === undefined) return [];
      const { definition, creates, updates, reads } = validation;
      // Another attempt may give other verdicts.
      return [definition, ...creates, ...updates, ...reads].some((verdict) => whyUnanswered(verdict) !== undefined)
        ? []
        : [[name, JSON.stringify(validation)]];
    });
    await cache.write(new Map(texts), run);
    return requests.flatMap((_, index) => known[index] ?? fresh.get(index) ?? []);
  };
  return { judge, close: () => validator.close() };
}

/** The name of an entry, or `undefined` for a request that has no JSON. */
function verdictFileName(program: string, request: ValidationRequest): string | undefined {
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
  cache: FileCache,
  name: string | undefined,
  request: ValidationRequest,
): Promise<Validation | undefined> {
  if (name === undefined) return undefined;
  const value = parseJson((await cache.read(name)) ?? "");
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
