import {
  notEvaluated,
  type Validation,
  type ValidationRequest,
  type ValidationVerdict,
} from "../../kubernetes/validation.ts";
import type { ValidationItem, Job } from "./message.ts";

/** The default request limit of an API server (`MaxRequestBodyBytes`). */
const MAX_BYTES = 3 * 1024 * 1024;

/** A request as JSON. Parts that cannot be sent already have their verdicts. */
interface EncodedRequest {
  /** The kind that the definition defines, or a substitute for it: requests of one kind share a compiled schema. */
  readonly kind: string;
  /** `undefined` when nothing needs to be sent. */
  readonly job: Job | undefined;
  /** Builds the validation from the verdicts on the definition and on the items of the job. */
  readonly complete: (verdicts: readonly ValidationVerdict[]) => Validation;
}

type Encoded = { readonly json: string } | { readonly verdict: ValidationVerdict };

/** Encodes a validation request for a worker. */
export function encode({ definition, creates, updates, reads = [] }: ValidationRequest): EncodedRequest {
  const schema = toJson(definition);
  if ("verdict" in schema) {
    const [none, all] = [
      { kind: "", job: undefined },
      { creates, updates, reads },
    ];
    return { ...none, complete: () => ({ definition: schema.verdict, ...mapped(all, () => UNJUDGED) }) };
  }
  const encoded = mapped({ creates, updates, reads }, toJson);
  const items = [
    ...jobItems("create", encoded.creates),
    ...jobItems("update", encoded.updates),
    ...jobItems("read", encoded.reads),
  ];
  const complete = (verdicts: readonly ValidationVerdict[]): Validation => {
    const left = verdicts.values();
    const next = (): ValidationVerdict => left.next().value ?? UNJUDGED;
    return { definition: next(), ...mapped(encoded, (one) => ("verdict" in one ? one.verdict : next())) };
  };
  const spec = property(definition, "spec");
  const names = [property(spec, "group"), property(property(spec, "names"), "kind")];
  const kind = names.every((name) => typeof name === "string") ? names.join("/") : schema.json.slice(0, 100);
  return { kind, job: { definition: schema.json, items }, complete };
}

/** Values by operation, in the order of the answers. */
interface Lists<T> {
  readonly creates: readonly T[];
  readonly updates: readonly T[];
  readonly reads: readonly T[];
}

function mapped<From, To>({ creates, updates, reads }: Lists<From>, map: (one: From) => To): Lists<To> {
  return { creates: creates.map(map), updates: updates.map(map), reads: reads.map(map) };
}

const UNJUDGED: ValidationVerdict = notEvaluated("its CustomResourceDefinition was not accepted");

function jobItems(kind: ValidationItem["kind"], encoded: readonly Encoded[]): readonly ValidationItem[] {
  return encoded.flatMap((one) => ("json" in one ? [{ kind, json: one.json }] : []));
}

/** Typed for `unknown`, which includes `undefined` and functions: these have no JSON. */
const stringify: (value: unknown) => string | undefined = JSON.stringify;

/** Encodes a value, which may be too deep, too large or not representable in JSON. */
function toJson(value: unknown): Encoded {
  let json: string | undefined;
  try {
    json = stringify(value);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { verdict: notEvaluated(`it cannot be written as JSON: ${error.message.split("\n", 1)[0] ?? ""}`) };
  }
  if (json === undefined) return { verdict: notEvaluated("it cannot be written as JSON") };
  if (Buffer.byteLength(json) <= MAX_BYTES) return { json };
  return { verdict: notEvaluated(`it is larger than the ${MAX_BYTES / 1024 / 1024} MiB that an API server accepts`) };
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
