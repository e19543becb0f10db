import { CHECKS } from "../../kubernetes/crd/checks.ts";
import type { Counterexample, SchemaChange } from "../../kubernetes/crd/compare.ts";
import { jsonObject } from "../../kubernetes/crd/schema.ts";
import type { JsonObject } from "../../kubernetes/object.ts";
import { causeField, whyUnanswered, type ValidationVerdict } from "../../kubernetes/validation.ts";
import type { ConfirmedChange } from "../facts.ts";
import type { VerdictAnswer, Questions } from "./questions.ts";

interface ExampleAttempt {
  readonly example: Counterexample;
  /** Of the definition in service; for an update, that on the creation of the old object if that is not accepted. */
  readonly before: VerdictAnswer;
  /** Of the new definition; asked only if the one in service accepts the example. */
  after?: VerdictAnswer;
  /** Whether the object can still be changed once it is stored; asked only of the creation that proves the break. */
  stored?: VerdictAnswer;
}

/** A breaking change, and the objects that may prove it. Each step needs the answers to the one before it. */
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

  /** Asks whether the definition in service accepts an example. */
  attempt(example: Counterexample, questions: Questions): void {
    const answer = questions.attempt(this.served, example);
    const start = example.kind === "update" ? questions.create(this.served, example.old) : answer;
    this.#attempts.push({ example, before: () => (start().kind === "accepted" ? answer() : start()) });
  }

  /** Asks whether the new definition accepts what the one in service accepts. */
  compare(questions: Questions): void {
    for (const attempt of this.#admitted()) attempt.after ??= questions.attempt(this.#wanted, attempt.example);
  }

  /** Asks whether the object that proves the break can still be changed once it is stored. */
  touch(questions: Questions): void {
    const attempt = this.#proven()?.attempt;
    if (attempt?.example.kind === "create")
      attempt.stored ??= questions.attempt(this.#wanted, touched(attempt.example.object));
  }

  /** Whether an object proves the break. */
  isProven(): boolean {
    return this.#proven() !== undefined;
  }

  /** Whether the definition in service accepted an example. */
  isAdmitted(): boolean {
    return this.#admitted().length > 0;
  }

  /** The objects that could be created before. */
  accepted(): readonly JsonObject[] {
    return this.#admitted().flatMap(({ example }) => (example.kind === "update" ? [] : [example.object]));
  }

  /** The result so far. Only objects that were accepted before can prove or refute a change. */
  result(): ConfirmedChange {
    const { change } = this;
    const admitted = this.#admitted();
    const isCertain = change.certain || (CHECKS[change.check].certain && admitted.length > 0);
    const found = { ...change, certain: isCertain, tried: admitted.length };
    const proof = this.#proven()?.proof;
    if (proof !== undefined) return { ...found, ...proof, confirmation: "confirmed" };
    const answers = this.#attempts.flatMap(({ before, after }) => [
      before(),
      ...(after === undefined ? [] : [after()]),
    ]);
    const [why] = answers.flatMap((verdict) => whyUnanswered(verdict) ?? []);
    if (why !== undefined) return { ...found, why, confirmation: "unanswered" };
    const isClear = this.#attempts.every(({ before, after }) =>
      after === undefined ? before().kind === "refused" : after().kind === "accepted",
    );
    // Objects are validated without their address, so they cannot refute a change of the definition as a whole, such as
    // its scope.
    const isRefuted = admitted.length > 0 && isClear && change.version !== undefined;
    return { ...found, confirmation: isRefuted ? "refuted" : "open" };
  }

  #admitted(): readonly ExampleAttempt[] {
    return this.#attempts.filter(({ before }) => before().kind === "accepted");
  }

  /** The first attempt that proves the break. */
  #proven(): { readonly attempt: ExampleAttempt; readonly proof: ProofParts } | undefined {
    for (const attempt of this.#admitted()) {
      const proof = attemptProof(attempt, this.change);
      if (proof !== undefined) return { attempt, proof };
    }
    return undefined;
  }
}

type ProofParts = Pick<ConfirmedChange, "object" | "from" | "became" | "stored">;

function attemptProof(
  { example, before, after, stored }: ExampleAttempt,
  change: SchemaChange,
): ProofParts | undefined {
  if (after === undefined) return undefined;
  return example.kind === "read" ? lossProof(before(), after()) : refusalProof(example, after(), stored?.(), change);
}

function refusalProof(
  example: Exclude<Counterexample, { kind: "read" }>,
  after: ValidationVerdict,
  stored: ValidationVerdict | undefined,
  change: SchemaChange,
): ProofParts | undefined {
  if (after.kind !== "refused") return undefined;
  const { causes } = after;
  const changed = pathSteps(change.field);
  // A cause is about the changed field, about a parent of it, or about a part of it.
  const isBlamed = causes.some(
    (cause) =>
      cause.message.includes(change.refusal ?? "") &&
      pathSteps(causeField(cause)).every((step, index) => [step, "*", undefined].includes(changed[index])),
  );
  if (!isBlamed) return undefined;
  if (example.kind === "update") return { object: example.new, from: example.old };
  return { object: example.object, ...(stored && stored.kind !== "not-evaluated" && { stored: stored.kind }) };
}

/** The object as read before and as read now, if something of it is lost. */
function lossProof(before: ValidationVerdict, after: ValidationVerdict): ProofParts | undefined {
  if (before.kind !== "accepted" || after.kind !== "accepted") return undefined;
  const [object, became] = [shown(before.object), shown(after.object)];
  return isWithin(object, became) ? undefined : { object, became };
}

/** Whether something that was read before is lost. */
export function isLost(before: ValidationVerdict, after: ValidationVerdict): boolean {
  return lossProof(before, after) !== undefined;
}

/** An object as its user wrote it, without the metadata that every object gets. */
function shown(object: unknown): JsonObject {
  const { apiVersion, kind, metadata, ...fields } = jsonObject(object);
  const { name, namespace } = jsonObject(metadata);
  const own = { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
  return { apiVersion, kind, metadata: own, ...fields };
}

/** Whether `other` contains everything in `value`. */
function isWithin(value: unknown, other: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === other;
  if (typeof other !== "object" || other === null) return false;
  const members = new Map<string, unknown>(Object.entries(other));
  return Object.entries(value).every(([key, member]) => isWithin(member, members.get(key)));
}

/**
 * An update that sets a label. Values that were stored before can stay, unless a rule about the whole object refuses
 * them.
 */
function touched(object: JsonObject): Counterexample {
  const metadata = jsonObject(object["metadata"]);
  const labels = { ...jsonObject(metadata["labels"]), "example.org/touched": "true" };
  return { kind: "update", old: object, new: { ...object, metadata: { ...metadata, labels } } };
}

/** Reads `spec.servers[0].port` and `.spec.servers[].port` alike: `spec`, `servers`, `port`. */
function pathSteps(field: string): readonly string[] {
  const plain = field.replaceAll(/\[[^\]]*\]/g, "");
  return plain.split(".").filter((step) => step !== "");
}
