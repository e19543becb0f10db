import type { Fields } from "./doubleSample.ts";
import type { Actor, World } from "./doubleWorld.ts";

/** A request that passed the description and the authentication. */
export interface Call {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The path as it came. */
  readonly pathname: string;
  /** As the description wants it. */
  readonly body: unknown;
  readonly actor: Actor;
}

/** What is answered. */
export interface Answer {
  readonly status: number;
  /** JSON; `undefined` for none. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Carries out one operation; synchronous, so that no other request comes between. Throws `Refusal`. */
export type Route = (call: Call, world: World) => Answer;

/** Operations by name (`GET /user`). */
export type Routes = Readonly<Record<string, Route>>;

/** GitHub says no. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly Fields[];

  constructor(status: number, message: string, errors: readonly Fields[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }

  /** The answer that says so. */
  answer(): Answer {
    const { message, status, errors } = this;
    const body = { message, documentation_url: "https://docs.github.com/rest", ...(errors.length > 0 && { errors }) };
    return { status, body };
  }
}

/** A refusal of what does not fit, in GitHub's form: `Validation Failed` and the reason. */
export function invalid(resource: string, error: Fields): Refusal {
  return new Refusal(422, "Validation Failed", [{ resource, ...error }]);
}

/** The page of a list that a request asks for, with the links to the others. */
export function page<Item>(
  call: Call,
  world: World,
  items: readonly Item[],
): { readonly items: readonly Item[]; readonly headers: Record<string, string> } {
  const size = Math.min(100, Number(call.query.get("per_page") ?? 30));
  const current = Number(call.query.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (to: number, relation: string): string => {
    const query = new URLSearchParams(call.query);
    query.set("page", String(to));
    return `<${world.url()}${call.pathname}?${query.toString()}>; rel="${relation}"`;
  };
  const links = [
    ...(current > 1 ? [link(current - 1, "prev"), link(1, "first")] : []),
    ...(current < last ? [link(current + 1, "next"), link(last, "last")] : []),
  ];
  return {
    items: items.slice((current - 1) * size, current * size),
    headers: links.length > 0 ? { link: links.join(", ") } : {},
  };
}
