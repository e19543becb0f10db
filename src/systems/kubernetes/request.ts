import { textAt } from "../../document/fields.ts";
import { Fault, type Run } from "../../ports.ts";
import { type HttpAnswer, judgeStatus } from "../http/answer.ts";
import type { HttpRequest } from "../http/client.ts";
import type { Access, Connection } from "./access.ts";

/** One request to an API server. */
export interface ApiRequest extends Pick<HttpRequest, "method" | "body" | "subject" | "repeat" | "beforeRepeating"> {
  /** Path and query. */
  readonly path: string;
  readonly contentType?: string;
}

/** What the API server answered: its status code and its JSON. */
export interface Response {
  readonly status: number;
  readonly body: unknown;
}

/** Shorter than the margin of the Lease: a former leader's write cannot arrive late. */
const WRITE_MS = 7_000;

/**
 * Sends a request until it is answered. Every request here is safe to repeat: reads are, and each write says what it
 * expects to find, so that a repeated one that had been carried out is answered by a conflict.
 *
 * Gives the answer if its code is below 300 or one of `accepted`; throws a Fault that names the subject otherwise.
 */
export async function request(
  access: Access,
  what: ApiRequest,
  accepted: readonly number[],
  run: Run,
): Promise<Response> {
  const connection = await access.connect();
  let answer = await exchange(access, connection, what, run);
  // Tokens are rotated and certificates renewed while a program runs.
  if (answer.status === 401) answer = await exchange(access, await access.renew(connection), what, run);
  const { status } = answer;
  const body = answer.json();
  if (status < 300 && body === undefined) throw foreign(access, what, answer);
  if (status < 300 || accepted.includes(status)) return { status, body };
  throw refusal(access, what, answer);
}

async function exchange(access: Access, connection: Connection, what: ApiRequest, run: Run): Promise<HttpAnswer> {
  const { path, contentType, ...request } = what;
  const headers = {
    ...(await connection.headers()),
    accept: "application/json",
    ...(contentType !== undefined && { "content-type": contentType }),
  };
  const limits = request.method === "GET" ? {} : { firstByteMs: WRITE_MS };
  return connection.client.exchange(
    { ...request, url: new URL(`${access.server}${path}`), headers, limits, judge },
    run,
  );
}

/** The error of an attempt whose answer does not count. */
function judge(answer: HttpAnswer): Error | undefined {
  // The beginning of JSON is an answer that broke off on its way; anything else comes from no API server.
  if (answer.status < 300)
    return answer.json() === undefined && /^\s*[{[]/.test(startOf(answer))
      ? new Error("the answer breaks off")
      : undefined;
  // The only error that stays is the one about a field that the schema does not know.
  return messageOf(answer).includes("field not declared in schema") ? undefined : judgeStatus(answer);
}

function startOf({ bytes }: HttpAnswer): string {
  return bytes.toString("utf8", 0, 200);
}

/** What comes from a proxy on the way is not JSON: its text is all there is to say. */
function messageOf(answer: HttpAnswer): string {
  return textAt(answer.json(), ["message"]) ?? startOf(answer);
}

function foreign({ server }: Access, { subject }: ApiRequest, answer: HttpAnswer): Fault {
  const start = JSON.stringify(startOf(answer).slice(0, 80));
  return new Fault("CLUSTER_REFUSED", `${subject}: what answers at ${server} is not an API server; it says ${start}.`);
}

function refusal({ server }: Access, { subject }: ApiRequest, answer: HttpAnswer): Fault {
  const message = messageOf(answer);
  switch (answer.status) {
    case 401: {
      const remedy = "Log in again, or correct the kubeconfig.";
      return new Fault("CLUSTER_UNAUTHORIZED", `${subject}: ${server} does not accept these credentials. ${remedy}`);
    }
    case 403:
      return new Fault("CLUSTER_FORBIDDEN", `${subject}: not allowed by ${server}: ${message}`);
    case 409:
      return new Fault("CLUSTER_CONFLICT", `${subject}: ${message}`);
    default:
      return new Fault("CLUSTER_REFUSED", `${subject}: refused by ${server} (${answer.status}): ${message}`);
  }
}

/** The path of an API version. */
export function rootOf(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
