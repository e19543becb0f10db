import { CHECKS } from "../kubernetes/crd/checks.ts";
import type { Counterexample, SchemaChange } from "../kubernetes/crd/compare.ts";
import type { JsonObject } from "../kubernetes/object.ts";
import type { Cause } from "../kubernetes/validation.ts";
import type { ConfirmedChange } from "./facts.ts";
import type { Answer, Questions } from "./questions.ts";

interface Attempt {
  readonly object: JsonObject;
  readonly isCreation: boolean;
  /** Whether it could begin: what is changed has to be there. */
  readonly start: Answer;
  readonly before: Answer;
  readonly after: Answer;
}

/** A breaking change, and the objects by which it is tried to prove it. */
export class Trial {
  readonly change: SchemaChange;
  /** The definition in service, as parsed. */
  readonly served: unknown;
  readonly #wanted: unknown;
  readonly #attempts: Attempt[] = [];

  constructor(change: SchemaChange, served: unknown, wanted: unknown) {
    this.change = change;
    this.served = served;
    this.#wanted = wanted;
  }

  /** Asks whether both definitions let an example happen. */
  attempt(example: Counterexample, questions: Questions): void {
    this.#attempts.push({
      object: example.kind === "create" ? example.object : example.new,
      isCreation: example.kind === "create",
      start: questions.create(this.served, example.kind === "create" ? example.object : example.old),
      before: questions.attempt(this.served, example),
      after: questions.attempt(this.#wanted, example),
    });
  }

  /** The objects that could be created before. */
  accepted(): readonly JsonObject[] {
    return this.#attempts.flatMap(({ object, isCreation, before }) =>
      isCreation && before().kind === "accepted" ? [object] : [],
    );
  }

  /** What is known by now. What no object was accepted for before cannot be softened by objects that were refused. */
  result(): ConfirmedChange {
    const { change } = this;
    const answers = this.#attempts.map(({ object, start, before, after }) => {
      const begun = start();
      return { object, before: begun.kind === "accepted" ? before() : begun, after: after() };
    });
    const admitted = answers.filter(({ before }) => before.kind === "accepted");
    const isCertain = change.certain || (CHECKS[change.check].certain && admitted.length > 0);
    for (const { object, after } of admitted)
      if (after.kind === "refused" && after.causes.some((cause) => blames(cause, change)))
        return { ...change, certain: isCertain, confirmation: "confirmed", object, causes: after.causes };
    const isClear = answers.every(({ before, after }) => before.kind === "refused" || after.kind === "accepted");
    // Which address an object has, its scope above all, plays no role where it is judged by itself.
    const isRefuted = admitted.length > 0 && isClear && change.version !== undefined;
    return { ...change, certain: isCertain, confirmation: isRefuted ? "refuted" : "open" };
  }
}

/** Whether a cause is about the field of a change, about what it is part of, or about a part of it. */
function blames(cause: Cause, change: SchemaChange): boolean {
  const [blamed, changed] = [stepsOf(cause.field), stepsOf(change.field)];
  return blamed.every((step, index) => [step, "*", undefined].includes(changed[index]));
}

/** `spec.servers[0].port` and `.spec.servers[].port` are the same to us: `spec`, `servers`, `port`. */
function stepsOf(field: string): readonly string[] {
  const plain = field.replaceAll(/\[[^\]]*\]/g, "");
  return plain.split(".").filter((step) => step !== "");
}
