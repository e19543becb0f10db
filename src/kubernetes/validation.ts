/**
 * The verdict of Kubernetes' own validation: accepted, refused, or not evaluated.
 * Three values, since an object that was not evaluated has not passed.
 */
export type ValidationVerdict =
  /** `object`: the object as it is read afterwards, for requests that ask for it. */
  | { readonly kind: "accepted"; readonly object?: unknown }
  | { readonly kind: "refused"; readonly causes: readonly StatusCause[] }
  | {
      readonly kind: "not-evaluated";
      readonly why: string;
      /** Whether the validator did not answer, although it could: another attempt may give a verdict. */
      readonly isUnanswered?: boolean;
    };

type NotEvaluated = Extract<ValidationVerdict, { kind: "not-evaluated" }>;

/** The verdict on what cannot be evaluated. */
export function notEvaluated(why: string): NotEvaluated {
  return { kind: "not-evaluated", why };
}

/** The verdict on what the validator did not answer. */
export function unanswered(why: string): NotEvaluated {
  return { ...notEvaluated(why), isUnanswered: true };
}

/** Why the validator did not answer; `undefined` if it did. */
export function whyUnanswered(verdict: ValidationVerdict | undefined): string | undefined {
  return verdict?.kind === "not-evaluated" && verdict.isUnanswered === true ? verdict.why : undefined;
}

/** One reason for a refusal, from Kubernetes' `metav1.StatusCause`. */
export interface StatusCause {
  /** The field in Kubernetes' notation: `spec.servers[0].port`. */
  readonly field: string;
  /** The reason code of Kubernetes: `FieldValueInvalid`, `FieldValueRequired`, … */
  readonly reason: string;
  readonly message: string;
}

/** Kubernetes' name for the object as a whole, and for a field that only the message names. */
const WHOLE = "<nil>";

/** The message of `allOf`, `anyOf`, `oneOf` and `not`: `"spec.size" must not validate the schema (not)`. */
const NAMES_FIELD = /^Invalid value: "": "([^"]+)" must /;

/** The field that a cause is about; `<nil>` for the object as a whole. */
export function causeField({ field, message }: StatusCause): string {
  return field === WHOLE ? (NAMES_FIELD.exec(message)?.[1] ?? field) : field;
}

/**
 * The causes to fix, without the one by which Kubernetes reports that it skipped rules because of the others.
 */
export function causesToFix(causes: readonly StatusCause[]): readonly StatusCause[] {
  const own = causes.filter(({ message }) => !message.includes("some validation rules were not checked"));
  return (own.length > 0 ? own : causes).map((cause) => {
    const field = causeField(cause);
    return { ...cause, field: field === WHOLE ? "" : field };
  });
}

/** A cause for display: `spec.size: Required value`. */
export function causeText({ field, message }: StatusCause): string {
  return `${field === "" ? "" : `${field}: `}${message}`;
}

/** A CustomResourceDefinition, and objects of its kind to validate. */
export interface ValidationRequest {
  /** A CustomResourceDefinition (apiextensions.k8s.io/v1), as parsed. */
  readonly definition: unknown;
  /** Objects to create. */
  readonly creates: readonly unknown[];
  /** Objects to change. */
  readonly updates: readonly { readonly old: unknown; readonly new: unknown }[];
  /**
   * Objects to create, and then to read in the version in which they are written. They lose the fields that the storage
   * version does not have.
   */
  readonly reads?: readonly unknown[];
}

/** The verdicts on a request, in its order. When the definition is refused, no object is evaluated. */
export interface Validation {
  readonly definition: ValidationVerdict;
  readonly creates: readonly ValidationVerdict[];
  readonly updates: readonly ValidationVerdict[];
  readonly reads: readonly ValidationVerdict[];
}

/** The causes in a `Status` of an API server. Without causes, its message is the only one. */
export function statusCauses(body: unknown): readonly StatusCause[] {
  const {
    message = "",
    reason = "",
    details,
  } = (body ?? {}) as {
    readonly message?: string;
    readonly reason?: string;
    readonly details?: { readonly causes?: readonly Partial<StatusCause>[] };
  };
  const causes = details?.causes ?? [];
  if (causes.length === 0) return [{ field: "", reason, message }];
  return causes.map((cause) => ({
    field: cause.field ?? "",
    reason: cause.reason ?? "",
    message: cause.message ?? "",
  }));
}
