import { CHECKS } from "../../kubernetes/crd/checks.ts";
import type { Counterexample, SchemaChange } from "../../kubernetes/crd/compare.ts";
import { objectOf } from "../../kubernetes/crd/schema.ts";
import type { JsonObject } from "../../kubernetes/object.ts";
import type { StatusCause, ValidationVerdict } from "../../kubernetes/validation.ts";
import type { ConfirmedChange } from "../facts.ts";
import type { VerdictAnswer, Questions } from "./questions.ts";

interface ExampleAttempt {
  readonly example: Counterexample;
  /** Whether it can begin: what is changed has to be there. */
  readonly start: VerdictAnswer;
  readonly before: VerdictAnswer;
  readonly after: VerdictAnswer;
  /** Whether the object may still be changed where it is stored already; `undefined` for a change itself. */
  readonly stored: VerdictAnswer | undefined;
}

/** A breaking change, and the objects by which it is tried to prove it. */
export class BreakTrial {
  readonly change: SchemaChange;
  /** The definition in service, as parsed. */
  readonly served: unknown;
  readonly #wanted: unknown;
  readonly #attempts: ExampleAttempt[] = [];

  constructor(change: SchemaChange, served: unknown, wanted: unknown) {
    this.change = change;
    this.served = served;
    this.#wanted = wanted;
  }

  /** Asks whether both definitions let an example happen. */
  attempt(example: Counterexample, questions: Questions): void {
    const before = questions.attempt(this.served, example);
    this.#attempts.push({
      example,
      start: example.kind === "update" ? questions.create(this.served, example.old) : before,
      before,
      after: questions.attempt(this.#wanted, example),
      stored: example.kind === "create" ? questions.attempt(this.#wanted, touched(example.object)) : undefined,
    });
  }

  /** The objects that could be created before. */
  accepted(): readonly JsonObject[] {
    return this.#attempts.flatMap(({ example, before }) =>
      example.kind !== "update" && before().kind === "accepted" ? [example.object] : [],
    );
  }

  /** What is known by now. What no object was accepted for before cannot be softened by objects that were refused. */
  result(): ConfirmedChange {
    const { change } = this;
    const answers = this.#attempts.map(({ example, start, before, after, stored }) => {
      const begun = start();
      return { example, before: begun.kind === "accepted" ? before() : begun, after: after(), stored: stored?.() };
    });
    const admitted = answers.filter(({ before }) => before.kind === "accepted");
    const isCertain = change.certain || (CHECKS[change.check].certain && admitted.length > 0);
    for (const { example, before, after, stored } of admitted) {
      const proof = example.kind === "read" ? lossProof(before, after) : refusalProof(example, after, stored, change);
      if (proof !== undefined) return { ...change, ...proof, certain: isCertain, confirmation: "confirmed" };
    }
    const isClear = answers.every(({ before, after }) => before.kind === "refused" || after.kind === "accepted");
    // Which address an object has, its scope above all, plays no role where it is judged by itself.
    const isRefuted = admitted.length > 0 && isClear && change.version !== undefined;
    return { ...change, certain: isCertain, confirmation: isRefuted ? "refuted" : "open" };
  }
}

type ProofParts = Pick<ConfirmedChange, "object" | "from" | "became" | "stored" | "causes">;

function refusalProof(
  example: Exclude<Counterexample, { kind: "read" }>,
  after: ValidationVerdict,
  stored: ValidationVerdict | undefined,
  change: SchemaChange,
): ProofParts | undefined {
  if (after.kind !== "refused" || !after.causes.some((cause) => blames(cause, change))) return undefined;
  const { causes } = after;
  if (example.kind === "update") return { object: example.new, from: example.old, causes };
  return { object: example.object, causes, ...(stored && stored.kind !== "not-evaluated" && { stored: stored.kind }) };
}

/** What was read before, and is read now, where something of it is gone. */
function lossProof(before: ValidationVerdict, after: ValidationVerdict): ProofParts | undefined {
  if (before.kind !== "accepted" || after.kind !== "accepted") return undefined;
  const [object, became] = [shown(before.object), shown(after.object)];
  return isWithin(object, became) ? undefined : { object, became };
}

/** Whether something is gone that was read before. */
export function isLost(before: ValidationVerdict, after: ValidationVerdict): boolean {
  return lossProof(before, after) !== undefined;
}

/** An object as its user wrote it: what every object gets is left out. */
function shown(object: unknown): JsonObject {
  const { apiVersion, kind, metadata, ...fields } = objectOf(object);
  const { name, namespace } = objectOf(metadata);
  const own = { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
  return { apiVersion, kind, metadata: own, ...fields };
}

/** Whether everything that stands in one value stands in another, too. */
function isWithin(value: unknown, other: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === other;
  if (typeof other !== "object" || other === null) return false;
  const members = new Map<string, unknown>(Object.entries(other));
  return Object.entries(value).every(([key, member]) => isWithin(member, members.get(key)));
}

/** Somebody sets a label: what stood there before may stay, unless a rule about the whole refuses it. */
function touched(object: JsonObject): Counterexample {
  const metadata = objectOf(object["metadata"]);
  const labels = { ...objectOf(metadata["labels"]), "example.org/touched": "true" };
  return { kind: "update", old: object, new: { ...object, metadata: { ...metadata, labels } } };
}

/** Whether a cause is about the field of a change, about what it is part of, or about a part of it. */
function blames(cause: StatusCause, change: SchemaChange): boolean {
  const [blamed, changed] = [stepsOf(cause.field), stepsOf(change.field)];
  return blamed.every((step, index) => [step, "*", undefined].includes(changed[index]));
}

/** `spec.servers[0].port` and `.spec.servers[].port` are the same to us: `spec`, `servers`, `port`. */
function stepsOf(field: string): readonly string[] {
  const plain = field.replaceAll(/\[[^\]]*\]/g, "");
  return plain.split(".").filter((step) => step !== "");
}
