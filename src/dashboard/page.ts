import type { Html } from "./html.ts";
import type { DashboardState } from "./state.ts";

/** The parts of a path that its pattern names, decoded. */
export type Params = Readonly<Record<string, string>>;

/** What a page is asked for. */
export interface PageRequest {
  readonly state: DashboardState;
  readonly params: Params;
  readonly query: URLSearchParams;
  /** Names of modules that the reader marked. */
  readonly favourites: ReadonlySet<string>;
}

/** A page: one pure function from a value to markup, the same for the server and for `--export`. */
export interface Page {
  /** Such as `/modules/:module`: `params` has the part that is named. */
  readonly path: string;
  /** What the navigation calls it; `undefined`: it is reached from other pages. */
  readonly tab?: string;
  /** What the window is called. */
  readonly title: (params: Params) => string;
  /** The part between header and footer, which begins with the only `h1`; `undefined`: there is no such thing. */
  readonly view: (request: PageRequest) => Html | Missing | undefined;
}

/** There is no such thing, and more to say of that. */
export class Missing {
  readonly said: Html;

  constructor(said: Html) {
    this.said = said;
  }
}
