import { isRecord } from "../../document/fields.ts";
import { ForeignAnswer } from "../http/failures.ts";

/** Whether a value is what was asked. */
export type AnswerShape = (value: unknown) => boolean;

/** Any string, also an empty one. */
export const isText: AnswerShape = (value) => typeof value === "string";
/** Any number. */
export const isNumber: AnswerShape = (value) => typeof value === "number";
/** True or false. */
export const isFlag: AnswerShape = (value) => typeof value === "boolean";

/** Exactly this value. */
export function exactly(wanted: unknown): AnswerShape {
  return (value) => value === wanted;
}

/** A value that may be absent. */
export function maybe(has: AnswerShape): AnswerShape {
  return (value) => value === undefined || value === null || has(value);
}

/** A list of such items. */
export function listShape(has: AnswerShape): AnswerShape {
  return (value) => Array.isArray(value) && value.every(has);
}

/** A map with at least these fields. */
export function hasFields(shapes: Readonly<Record<string, AnswerShape>>): AnswerShape {
  return (value) => isRecord(value) && Object.entries(shapes).every(([name, has]) => has(value[name]));
}

/** The parameters of a request. */
type Parameters = Readonly<Record<string, unknown>>;

const user = maybe(hasFields({ login: isText }));
const named = { number: isNumber, html_url: isText, state: isText, user, body: maybe(isText) };
const head = hasFields({ ref: isText, sha: isText, repo: maybe(hasFields({ id: isNumber })) });
const base = hasFields({ ref: isText, repo: hasFields({ id: isNumber }) });
const times = { merged_at: maybe(isText), merge_commit_sha: maybe(isText) };
const pull = { ...named, head, merged: isFlag, merge_commit_sha: maybe(isText) };
const issue = {
  ...named,
  title: isText,
  labels: listShape((label) => isText(label) || hasFields({ name: maybe(isText) })(label)),
};
const ref = hasFields({ ref: isText, object: hasFields({ sha: isText }) });
const made = hasFields({ sha: isText });
const signature = hasFields({ name: isText, email: isText });

/** What is read of the answer to each request, by method and route. Objects are those that were asked for. */
const SHAPES: Readonly<Record<string, (asked: Parameters) => AnswerShape>> = {
  "GET /repos/{owner}/{repo}/git/ref/{ref}": ({ ref: name }) =>
    hasFields({ ref: exactly(`refs/${String(name)}`), object: hasFields({ sha: isText }) }),
  "GET /repos/{owner}/{repo}/git/matching-refs/{ref}": () => listShape(ref),
  "POST /repos/{owner}/{repo}/git/refs": () => ref,
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}": () => ref,
  "DELETE /repos/{owner}/{repo}/git/refs/{ref}": () => empty,
  "POST /repos/{owner}/{repo}/git/trees": () => made,
  "POST /repos/{owner}/{repo}/git/commits": () => hasFields({ sha: isText, author: signature }),
  "GET /repos/{owner}/{repo}/git/commits/{commit_sha}": ({ commit_sha: sha }) =>
    hasFields({ sha: exactly(sha), message: isText, tree: made, parents: listShape(made), author: signature }),
  "GET /repos/{owner}/{repo}/git/trees/{tree_sha}": ({ tree_sha: sha }) =>
    hasFields({
      sha: exactly(sha),
      truncated: isFlag,
      tree: listShape(hasFields({ path: isText, mode: isText, sha: isText })),
    }),
  "GET /repos/{owner}/{repo}/git/blobs/{file_sha}": ({ file_sha: sha }) =>
    hasFields({ sha: exactly(sha), content: isText, encoding: exactly("base64") }),
  "GET /repos/{owner}/{repo}/compare/{basehead}": () => hasFields({ merge_base_commit: made }),
  "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls": () =>
    listShape(hasFields({ number: isNumber, base, ...times })),
  "GET /repos/{owner}/{repo}/pulls": () => listShape(hasFields({ ...named, ...times, head, base, updated_at: isText })),
  "POST /repos/{owner}/{repo}/pulls": () => hasFields(pull),
  "PATCH /repos/{owner}/{repo}/pulls/{pull_number}": (asked) =>
    hasFields({ ...pull, number: exactly(asked["pull_number"]) }),
  "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge": () => hasFields({ merged: exactly(true), sha: isText }),
  "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers": (asked) =>
    hasFields({ number: exactly(asked["pull_number"]) }),
  "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs": () =>
    hasFields({
      workflow_runs: listShape(hasFields({ id: isNumber, status: maybe(isText), conclusion: maybe(isText) })),
    }),
  "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches": () => empty,
  "GET /repos/{owner}/{repo}/issues": () => listShape(hasFields(issue)),
  "POST /repos/{owner}/{repo}/issues": () => hasFields(issue),
  "PATCH /repos/{owner}/{repo}/issues/{issue_number}": (asked) => hasFields({ number: exactly(asked["issue_number"]) }),
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments": () =>
    listShape(hasFields({ id: isNumber, user, body: maybe(isText) })),
  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": () => hasFields({ id: isNumber }),
  "GET /repos/{owner}/{repo}/collaborators/{username}/permission": () => hasFields({ permission: isText }),
  "GET /repos/{owner}/{repo}/installation": () => hasFields({ id: isNumber }),
  "POST /app/installations/{installation_id}/access_tokens": () => hasFields({ token: isText, expires_at: isText }),
  "POST /graphql": () => hasFields({}),
};

/** The value of an answer that says that it has no content. */
function empty(value: unknown): boolean {
  return value === undefined;
}

/**
 * Throws if octokit's answer to a request is not what was asked: GitHub's descriptions promise it, but a proxy may answer
 * in its place. `url` is the route, with the names of its parameters.
 */
export function refuseForeignAnswer(
  { status, data }: { readonly status: number; readonly data: unknown },
  { method, url, ...asked }: Parameters,
): void {
  const route = `${String(method)} ${String(url)}`;
  const shape = SHAPES[route];
  if (shape === undefined) throw new Error(`answers.ts has no shape for ${route}`);
  if (!shape(asked)(status === 204 ? undefined : (data ?? null))) throw foreignData(data);
}

/** The error for data that is not what was asked. */
export function foreignData(data: unknown): ForeignAnswer {
  return new ForeignAnswer(Buffer.from(typeof data === "string" ? data : JSON.stringify(data ?? null)));
}
