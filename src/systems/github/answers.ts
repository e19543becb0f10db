import { isRecord } from "../../document/fields.ts";
import { ForeignAnswer } from "../http/failures.ts";

/** Whether a value is what was asked. */
export type Shape = (value: unknown) => boolean;

/** Any string, also an empty one. */
export const isText: Shape = (value) => typeof value === "string";
/** Any number. */
export const isNumber: Shape = (value) => typeof value === "number";
/** True or false. */
export const isFlag: Shape = (value) => typeof value === "boolean";

/** Exactly this value. */
export function exactly(wanted: unknown): Shape {
  return (value) => value === wanted;
}

/** A value that may be absent. */
export function maybe(has: Shape): Shape {
  return (value) => value === undefined || value === null || has(value);
}

/** A list of such items. */
export function listOf(has: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(has);
}

/** A map with at least these fields. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  return (value) => isRecord(value) && Object.entries(shapes).every(([name, has]) => has(value[name]));
}

/** The parameters of a request. */
type Parameters = Readonly<Record<string, unknown>>;

const user = maybe(fields({ login: isText }));
const named = { number: isNumber, html_url: isText, state: isText, user, body: maybe(isText) };
const head = fields({ ref: isText, sha: isText, repo: maybe(fields({ id: isNumber })) });
const base = fields({ ref: isText, repo: fields({ id: isNumber }) });
const times = { merged_at: maybe(isText), merge_commit_sha: maybe(isText) };
const pull = { ...named, head, merged: isFlag, merge_commit_sha: maybe(isText) };
const issue = {
  ...named,
  title: isText,
  labels: listOf((label) => isText(label) || fields({ name: maybe(isText) })(label)),
};
const ref = fields({ ref: isText, object: fields({ sha: isText }) });
const made = fields({ sha: isText });
const signature = fields({ name: isText, email: isText });

/** What is read of the answer to each request, by method and route. Objects are those that were asked for. */
const SHAPES: Readonly<Record<string, (asked: Parameters) => Shape>> = {
  "GET /repos/{owner}/{repo}/git/ref/{ref}": ({ ref: name }) =>
    fields({ ref: exactly(`refs/${String(name)}`), object: fields({ sha: isText }) }),
  "GET /repos/{owner}/{repo}/git/matching-refs/{ref}": () => listOf(ref),
  "POST /repos/{owner}/{repo}/git/refs": () => ref,
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}": () => ref,
  "DELETE /repos/{owner}/{repo}/git/refs/{ref}": () => empty,
  "POST /repos/{owner}/{repo}/git/trees": () => made,
  "POST /repos/{owner}/{repo}/git/commits": () => fields({ sha: isText, author: signature }),
  "GET /repos/{owner}/{repo}/git/commits/{commit_sha}": ({ commit_sha: sha }) =>
    fields({ sha: exactly(sha), message: isText, tree: made, parents: listOf(made), author: signature }),
  "GET /repos/{owner}/{repo}/git/trees/{tree_sha}": ({ tree_sha: sha }) =>
    fields({ sha: exactly(sha), truncated: isFlag, tree: listOf(fields({ path: isText, mode: isText, sha: isText })) }),
  "GET /repos/{owner}/{repo}/git/blobs/{file_sha}": ({ file_sha: sha }) =>
    fields({ sha: exactly(sha), content: isText, encoding: exactly("base64") }),
  "GET /repos/{owner}/{repo}/compare/{basehead}": () => fields({ merge_base_commit: made }),
  "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls": () => listOf(fields({ number: isNumber, base, ...times })),
  "GET /repos/{owner}/{repo}/pulls": () => listOf(fields({ ...named, ...times, head, base, updated_at: isText })),
  "POST /repos/{owner}/{repo}/pulls": () => fields(pull),
  "PATCH /repos/{owner}/{repo}/pulls/{pull_number}": (asked) =>
    fields({ ...pull, number: exactly(asked["pull_number"]) }),
  "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge": () => fields({ merged: exactly(true), sha: isText }),
  "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers": (asked) =>
    fields({ number: exactly(asked["pull_number"]) }),
  "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs": () =>
    fields({ workflow_runs: listOf(fields({ id: isNumber, status: maybe(isText), conclusion: maybe(isText) })) }),
  "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches": () => empty,
  "GET /repos/{owner}/{repo}/issues": () => listOf(fields(issue)),
  "POST /repos/{owner}/{repo}/issues": () => fields(issue),
  "PATCH /repos/{owner}/{repo}/issues/{issue_number}": (asked) => fields({ number: exactly(asked["issue_number"]) }),
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments": () =>
    listOf(fields({ id: isNumber, user, body: maybe(isText) })),
  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": () => fields({ id: isNumber }),
  "GET /repos/{owner}/{repo}/collaborators/{username}/permission": () => fields({ permission: isText }),
  "GET /repos/{owner}/{repo}/installation": () => fields({ id: isNumber }),
  "POST /app/installations/{installation_id}/access_tokens": () => fields({ token: isText, expires_at: isText }),
  "POST /graphql": () => fields({}),
};

/** The value of an answer that says that it has no content. */
function empty(value: unknown): boolean {
  return value === undefined;
}

/**
 * Throws if octokit's answer to a request is not what was asked: GitHub's descriptions promise it, but a proxy may answer
 * in its place. `url` is the route, with the names of its parameters.
 */
export function refuseForeign(
  { status, data }: { readonly status: number; readonly data: unknown },
  { method, url, ...asked }: Parameters,
): void {
  const route = `${String(method)} ${String(url)}`;
  const shape = SHAPES[route];
  if (shape === undefined) throw new Error(`answers.ts has no shape for ${route}`);
  if (!shape(asked)(status === 204 ? undefined : (data ?? null))) throw foreign(data);
}

/** The error for data that is not what was asked. */
export function foreign(data: unknown): ForeignAnswer {
  return new ForeignAnswer(Buffer.from(typeof data === "string" ? data : JSON.stringify(data ?? null)));
}
