import { fieldAt } from "../../document/fields.ts";
import type { Counterexample } from "../../kubernetes/crd/compare.ts";
import { unanswered, type Validation, type ValidationVerdict } from "../../kubernetes/validation.ts";
import type { Run, Validator } from "../../ports.ts";

/** The verdict of Kubernetes' validation. Call it only after `Questions.ask`. */
export type VerdictAnswer = () => ValidationVerdict;

const NO_ANSWER = unanswered("Kubernetes' validation gave no answer");

/** The refusal of a version that is not served: an API server answers 404 before it looks at the object. */
function notServed(definition: unknown, object: unknown): ValidationVerdict | undefined {
  const versions = fieldAt(definition, ["spec", "versions"]);
  const apiVersion = String(fieldAt(object, ["apiVersion"]));
  const names = Array.isArray(versions)
    ? versions
        .filter((version: unknown) => fieldAt(version, ["served"]) === true)
        .map((version: unknown) => fieldAt(version, ["name"]))
    : [];
  if (names.includes(apiVersion.slice(apiVersion.indexOf("/") + 1))) return undefined;
  const message = `the definition does not serve ${apiVersion}`;
  return { kind: "refused", causes: [{ field: "apiVersion", reason: "NotFound", message }] };
}

interface QuestionRequest {
  readonly creates: unknown[];
  readonly updates: { readonly old: unknown; readonly new: unknown }[];
  readonly reads: unknown[];
}

/**
 * Questions to Kubernetes' validation, collected so that it is asked once. Definitions are distinguished by identity.
 */
export class Questions {
  readonly #requests = new Map<unknown, QuestionRequest>();
  #answers: ReadonlyMap<unknown, Validation> = new Map();

  /** Whether a definition is valid. */
  definition(definition: unknown): VerdictAnswer {
    this.#requestFor(definition);
    return () => this.#answers.get(definition)?.definition ?? NO_ANSWER;
  }

  /** Whether a definition accepts a new object. */
  create(definition: unknown, object: unknown): VerdictAnswer {
    return this.#ask("creates", definition, object, ({ creates }) => creates.push(object));
  }

  /** Whether a definition accepts a counterexample. */
  attempt(definition: unknown, example: Counterexample): VerdictAnswer {
    switch (example.kind) {
      case "create":
        return this.create(definition, example.object);
      case "read":
        return this.#ask("reads", definition, example.object, ({ reads }) => reads.push(example.object));
      case "update": {
        const { old, new: wanted } = example;
        return this.#ask("updates", definition, wanted, ({ updates }) => updates.push({ old, new: wanted }));
      }
    }
  }

  /** Asks all questions at once; does nothing without questions. */
  async ask(validator: Validator, run: Run): Promise<void> {
    if (this.#requests.size === 0) return;
    const requests = [...this.#requests].map(([definition, request]) => ({ definition, ...request }));
    const validations = await validator.judge(requests, run);
    this.#answers = new Map(
      requests.flatMap(({ definition }, index) => {
        const validation = validations[index];
        return validation === undefined ? [] : [[definition, validation] as const];
      }),
    );
  }

  /** `add` adds the question to its list, and gives the new length of the list. */
  #ask(
    list: keyof QuestionRequest,
    definition: unknown,
    object: unknown,
    add: (request: QuestionRequest) => number,
  ): VerdictAnswer {
    const unserved = notServed(definition, object);
    if (unserved !== undefined) return () => unserved;
    const index = add(this.#requestFor(definition)) - 1;
    return () => this.#answers.get(definition)?.[list][index] ?? NO_ANSWER;
  }

  #requestFor(definition: unknown): QuestionRequest {
    const known = this.#requests.get(definition);
    if (known !== undefined) return known;
    const request: QuestionRequest = { creates: [], updates: [], reads: [] };
    this.#requests.set(definition, request);
    return request;
  }
}
