import type { Html } from "./html.ts";
import type { DashboardState } from "./state.ts";

/** The named parts of a path, decoded. */
export type Params = Readonly<Record<string, string>>;

/** The request for a page. */
export interface PageRequest {
  readonly state: DashboardState;
  readonly params: Params;
  readonly query: URLSearchParams;
  /** The names of the reader's favourite modules. */
  readonly favourites: ReadonlySet<string>;
}

/** A page: a pure function from a value to markup, which the server and `--export` share. */
export interface Page {
  /** The pattern of its path, such as `/modules/:module`: `params` has the named part. */
  readonly path: string;
  /** Its name in the navigation; `undefined` if only other pages link to it. */
  readonly tab?: string;
  /** The title of the window. */
  readonly title: (params: Params) => string;
  /** The part between header and footer, which begins with the only `h1`; `undefined` if the subject does not exist. */
  readonly view: (request: PageRequest) => Html | NotFound | undefined;
}

/** The content of a page whose subject does not exist. */
export class NotFound {
  readonly said: Html;

  constructor(said: Html) {
    this.said = said;
  }
}
