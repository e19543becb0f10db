import type { Octokit } from "@octokit/rest";
import { foreignData, type AnswerShape } from "./answers.ts";
import type { RepositoryPath } from "./signIn.ts";

type Headers = Readonly<Record<string, string | number | undefined>>;

/** A GraphQL error, which comes with the status 200, in the form of octokit's REST errors. */
class GraphqlRefusal extends Error {
  readonly status: number;
  readonly response: { readonly headers: Headers };

  constructor(message: string, status: number, headers: Headers) {
    super(message);
    this.status = status;
    this.response = { headers };
  }
}

/** A document of GraphQL, and what is read of its answer. `Data` is the type of that. */
export interface GraphqlDocument<Data> {
  readonly text: string;
  readonly shape: AnswerShape;
  /** Only for the type. */
  readonly data?: Data;
}

interface GraphqlBody {
  readonly data?: unknown;
  readonly errors?: readonly { readonly type?: string; readonly message: string }[];
}

interface SentQuery<Data> {
  readonly data: Data;
  readonly headers: Headers;
}

/** The REST status of each error type; an error without a type is a mistake in the document. */
const STATUSES: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  RATE_LIMITED: 403,
  UNPROCESSABLE: 422,
};

/** Sends a document with the variables `$owner` and `$repo`. Throws for an answer with any error. */
export async function sendDocument<Data>(
  octokit: Octokit,
  { text, shape }: GraphqlDocument<Data>,
  variables: Readonly<Record<string, unknown>>,
  { owner, repo, request }: RepositoryPath,
): Promise<SentQuery<Data>> {
  // GitHub Enterprise has REST at /api/v3 and GraphQL at /api/graphql.
  const baseUrl = octokit.request.endpoint.DEFAULTS.baseUrl.replace(/\/api\/v3$/, "/api");
  const answer = await octokit.request("POST /graphql", {
    ...{ baseUrl, request, query: text, variables: { owner, repo, ...variables } },
  });
  const { data, errors = [] } = answer.data as GraphqlBody;
  const [first] = errors;
  if (first !== undefined) {
    const words = errors.map(({ message }) => message).join(" ");
    const isTransient = /something went wrong|respond to your request in time/i.test(first.message);
    const status = STATUSES[first.type ?? ""] ?? (isTransient ? 502 : 400);
    throw new GraphqlRefusal(words, status, answer.headers);
  }
  if (!shape(data)) throw foreignData(answer.data);
  return { data: data as Data, headers: answer.headers };
}
