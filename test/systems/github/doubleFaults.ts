import { Refusal, type Answer } from "./doubleRoute.ts";

/** What a fault looks at. */
export interface FaultyRequest {
  readonly method: string;
  /** With the query, as it came. */
  readonly path: string;
  readonly body: unknown;
}

/** What goes wrong with a request. */
export type Trouble =
  /** GitHub refuses; `isAfter`: although it has done what was asked. A status of 500 and more answers with HTML. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly isAfter?: boolean;
    }
  /** 403, and `retry-after` says when to come back. */
  | { readonly kind: "secondary rate limit"; readonly retryAfterS: number; readonly isAfter?: boolean }
  /** Answers with 200 and this. */
  | { readonly kind: "answered"; readonly body: unknown }
  /** Something else answers in GitHub's place: with 200 by default. */
  | { readonly kind: "foreign"; readonly text: string; readonly status?: number }
  /** Never answers; `isAfter`: although it has done what was asked. */
  | { readonly kind: "hang"; readonly isAfter?: boolean }
  /** Does what was asked, and breaks the connection instead of an answer; `isBefore`: does not even do it. */
  | { readonly kind: "lost"; readonly isBefore?: boolean }
  /** A read answers as it was before the last `writes` writes. */
  | { readonly kind: "stale"; readonly writes: number }
  /** 422: a rule guards the branch. */
  | { readonly kind: "protected" };

/** A fault that is to come. */
export interface DoubleFault {
  /** Which requests are meant: a rule, or `POST /repos/octo/train/pulls` as the beginning of method and path. */
  readonly on: string | ((request: FaultyRequest) => boolean);
  /** From which of them on: 1, the default, is the next one. */
  readonly nth?: number;
  /** How many of them: 1 by default. */
  readonly times?: number;
  readonly trouble: Trouble;
}

/** The faults that are to come. */
export interface Faults {
  readonly add: (fault: DoubleFault) => void;
  /** The trouble of this request, which counts it. */
  readonly of: (request: FaultyRequest) => Trouble | undefined;
}

/** No faults yet. */
export function plannedFaults(): Faults {
  const planned: { readonly fault: DoubleFault; seen: number }[] = [];
  const means = ({ on }: DoubleFault, request: FaultyRequest): boolean =>
    typeof on === "function" ? on(request) : `${request.method} ${decodeURIComponent(request.path)}`.startsWith(on);
  return {
    add: (fault) => {
      planned.push({ fault, seen: 0 });
    },
    of: (request) => {
      const meant = planned.filter(({ fault }) => means(fault, request));
      for (const one of meant) one.seen += 1;
      const due = meant.find(({ fault: { nth = 1, times = 1 }, seen }) => seen >= nth && seen < nth + times);
      return due?.fault.trouble;
    },
  };
}

/** What becomes of a request: an answer of JSON, one of HTML, silence, or a broken connection. */
export type Outcome = Answer | { readonly text: string; readonly status: number } | "hang" | "break";

const GUARDED = "Repository rule violations found\n\nCannot update this protected ref.\n\n";
/** What GitHub says to who writes too much. */
export const SLOWER = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";

/** What is answered instead of carrying out the request; `undefined` when it is carried out. */
export function insteadOf(trouble: Trouble | undefined): Outcome | undefined {
  if (trouble === undefined || trouble.kind === "stale") return undefined;
  if (trouble.kind === "lost") return trouble.isBefore === true ? "break" : undefined;
  if (trouble.kind === "answered") return { status: 200, body: trouble.body };
  if (trouble.kind === "foreign") return { status: 200, ...trouble };
  if (trouble.kind === "protected") return new Refusal(422, GUARDED).answer();
  return trouble.isAfter === true ? undefined : refusalOf(trouble);
}

/** What the client gets to see after the request was carried out, and `answer` would be the answer. */
export function afterwards(trouble: Trouble | undefined, answer: Outcome): Outcome {
  if (trouble?.kind === "lost") return "break";
  return trouble !== undefined && isRefusing(trouble) ? refusalOf(trouble) : answer;
}

function isRefusing(trouble: Trouble): trouble is Refusing {
  return ["refused", "secondary rate limit", "hang"].includes(trouble.kind);
}

type Refusing = Extract<Trouble, { readonly kind: "refused" | "secondary rate limit" | "hang" }>;

function refusalOf(trouble: Refusing): Outcome {
  switch (trouble.kind) {
    case "refused": {
      const { status, message = "Not this time", headers = {} } = trouble;
      if (status >= 500) return { status, text: "<html><body>Unicorn!</body></html>" };
      return { ...new Refusal(status, message).answer(), headers };
    }
    case "secondary rate limit":
      return { ...new Refusal(403, SLOWER).answer(), headers: { "retry-after": String(trouble.retryAfterS) } };
    case "hang":
      return "hang";
  }
}
