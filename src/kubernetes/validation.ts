/**
 * What Kubernetes' own validation says of something: it accepts it, refuses it, or was not able to tell.
 * Three values, since what was not evaluated has not passed.
 */
export type ValidationVerdict =
  /** `object`: what is read afterwards, where that was asked. */
  | { readonly kind: "accepted"; readonly object?: unknown }
  | { readonly kind: "refused"; readonly causes: readonly StatusCause[] }
  | { readonly kind: "not-evaluated"; readonly why: string };

/** One reason for a refusal, as Kubernetes' `metav1.StatusCause` gives it. */
export interface StatusCause {
  /** The field as Kubernetes writes it: `spec.servers[0].port`. */
  readonly field: string;
  /** Kubernetes' word for what is wrong: `FieldValueInvalid`, `FieldValueRequired`, … */
  readonly reason: string;
  readonly message: string;
}

/** What Kubernetes calls the field of an object as a whole. */
const WHOLE = "<nil>";

/**
 * What there is to mend: without the cause by which Kubernetes says that it judged nothing more for the sake of the others.
 */
export function causesToMend(causes: readonly StatusCause[]): readonly StatusCause[] {
  const own = causes.filter(({ message }) => !message.includes("some validation rules were not checked"));
  return (own.length > 0 ? own : causes).map((cause) => (cause.field === WHOLE ? { ...cause, field: "" } : cause));
}

/** A cause in a sentence: `spec.size: Required value`. */
export function causeText({ field, message }: StatusCause): string {
  return `${field === "" ? "" : `${field}: `}${message}`;
}

/** A CustomResourceDefinition, and objects of its kind to be judged by it. */
export interface ValidationRequest {
  /** A CustomResourceDefinition (apiextensions.k8s.io/v1), as parsed. */
  readonly definition: unknown;
  /** Objects to be created. */
  readonly creates: readonly unknown[];
  /** Objects to be changed. */
  readonly updates: readonly { readonly old: unknown; readonly new: unknown }[];
  /**
   * Objects to be created, and read in the version that they are written in: they lose what the version in
   * which they are stored does not know.
   */
  readonly reads?: readonly unknown[];
}

/** The verdicts on a request, in its order. Where the definition is refused, no object is evaluated. */
export interface Validation {
  readonly definition: ValidationVerdict;
  readonly creates: readonly ValidationVerdict[];
  readonly updates: readonly ValidationVerdict[];
  readonly reads: readonly ValidationVerdict[];
}

/** The causes in a `Status` of an API server; one without causes says it in its message. */
export function causesOf(body: unknown): readonly StatusCause[] {
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
