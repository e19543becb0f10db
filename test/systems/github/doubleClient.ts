import { bareRepository, configure, emptyRepository, type Folder } from "../repository.ts";
import { startDouble, type Double, type DoubleOptions } from "./double.ts";

/** What a plain HTTP client got. */
export interface Got<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A double, the bare repository behind it, and a client without any library of GitHub's. */
export interface DoubleTown {
  readonly double: Double;
  /** The bare repository. */
  readonly bare: Folder;
  /** A clone with a commit on `main`. */
  readonly clone: Folder;
  /** Makes one request; `path` below the repository, or from the root when it begins with `/`. */
  readonly ask: <Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Got<Body>>;
  /** Commits `files` on a new or standing branch and pushes it; gives the commit. */
  readonly push: (branch: string, files: Readonly<Record<string, string>>) => string;
  /** Pushes so many new branches, all at the same new commit; gives their names. */
  readonly pushMany: (count: number) => readonly string[];
}

/** Starts a double over a repository with one commit, whose `main` has the file `channels/fast.yaml`. */
export async function doubleTown(options: Partial<DoubleOptions> = {}): Promise<DoubleTown> {
  const bare = bareRepository();
  const clone = emptyRepository();
  configure(clone, { origin: bare });
  clone.write({ "channels/fast.yaml": "version: 1.0.0\n", "README.md": "A train\n" });
  clone.commit("begin");
  clone.git("push", "--quiet", "origin", "main");
  const double = await startDouble({ repository: "octo/train", bare: bare.path, ...options });
  const push: DoubleTown["push"] = (branch, files) => {
    const isThere = clone.git("branch", "--list", branch) !== "";
    clone.git("checkout", "--quiet", ...(isThere ? [branch] : ["-b", branch, "main"]));
    clone.write(files);
    const commit = clone.commit(`change ${Object.keys(files).join(", ")}`);
    clone.git("push", "--quiet", "origin", branch);
    clone.git("checkout", "--quiet", "main");
    return commit;
  };
  return {
    double,
    bare,
    clone,
    push,
    pushMany: (count) => {
      const names = Array.from({ length: count }, (_, index) => `person/${index}`);
      const commit = push("person/begin", { many: "1" });
      clone.git("push", "--quiet", "origin", ...names.map((name) => `${commit}:refs/heads/${name}`));
      // one file instead of one for each, which the double reads anew at every turn
      bare.git("pack-refs", "--all");
      return names;
    },
    ask: async <Body>(
      method: string,
      path: string,
      body?: unknown,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Got<Body>> => {
      const url = path.startsWith("/") ? path : `/repos/octo/train${path === "" ? "" : `/${path}`}`;
      const answer = await fetch(`${double.url}${url}`, {
        method,
        headers: { authorization: "Bearer a-token", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
      return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as Body };
    },
  };
}
