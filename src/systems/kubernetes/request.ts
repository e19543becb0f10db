import { textAt } from "../../document/fields.ts";
import { Fault, type Run } from "../../ports.ts";
import { HttpAnswer, type HttpHead, judgeStatus } from "../http/answer.ts";
import type { HttpRequest, HttpStream } from "../http/client.ts";
import { faultOf } from "../http/failures.ts";
import type { Access, Connection } from "./access.ts";

/** One request to an API server. */
export interface ApiRequest extends Pick<
  HttpRequest,
  "method" | "body" | "subject" | "repeat" | "beforeRepeating" | "isUrgent"
> {
  /** Path and query. */
  readonly path: string;
  readonly contentType?: string;
  /** What is wanted back; JSON by default. */
  readonly accept?: string;
  /** Errors of the server with such a message are answers, and not repeated. */
  readonly final?: RegExp;
  /** For the head of the answer to a write; `WRITE_MS` by default. */
  readonly firstByteMs?: number;
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
  const answer = await accept(access, what, accepted, run);
  const { status } = answer;
  const body = answer.json();
  if (status < 300 && body === undefined) throw foreign(access, what, answer);
  return { status, body };
}

/** The same, for an answer that is no JSON: its status code and its text. */
export async function requestText(
  access: Access,
  what: Omit<ApiRequest, "accept">,
  accepted: readonly number[],
  run: Run,
): Promise<{ readonly status: number; readonly text: string }> {
  const { status, bytes } = await accept(access, { ...what, accept: "*/*" }, accepted, run);
  return { status, text: bytes.toString("utf8") };
}

async function accept(access: Access, what: ApiRequest, accepted: readonly number[], run: Run): Promise<HttpAnswer> {
  const answer = await authorized(access, (connection) => exchange(access, connection, what, run));
  if (answer.status < 300 || accepted.includes(answer.status)) return answer;
  throw refusal(access, what, answer);
}

/**
 * Sends a GET until its answer begins, and gives that as it comes where its code is below 300; any other is given as a
 * whole. For an answer that lasts, as a watch does.
 */
export async function open(access: Access, what: ApiRequest, run: Run): Promise<HttpStream | HttpAnswer> {
  return authorized(access, async (connection) => {
    const sent = await requestOf(access, connection, what);
    const stream = await heard(access, "watch", () => connection.watches.open(sent, run));
    access.onAnswer?.("watch", stream.status);
    if (stream.status < 300) return stream;
    return new HttpAnswer(stream, Buffer.concat(await Array.fromAsync(stream.pieces)));
  });
}

/** Sends a request once more with other credentials where those of now are not accepted. */
async function authorized<Answer extends HttpHead>(
  access: Access,
  send: (connection: Connection) => Promise<Answer>,
): Promise<Answer> {
  const connection = await access.connect();
  const answer = await send(connection);
  // Tokens are rotated and certificates renewed while a program runs.
  return answer.status === 401 ? send(await access.renew(connection)) : answer;
}

async function exchange(access: Access, connection: Connection, what: ApiRequest, run: Run): Promise<HttpAnswer> {
  const limits = what.method === "GET" ? {} : { firstByteMs: what.firstByteMs ?? WRITE_MS };
  const verb = what.method.toLowerCase();
  const sent = {
    ...(await requestOf(access, connection, what)),
    limits,
    judge: (answer: HttpAnswer) => {
      access.onAnswer?.(verb, answer.status);
      return judge(what, answer);
    },
  };
  return heard(access, verb, () => connection.client.exchange(sent, run));
}

/** Tells also of a request that nothing answered, after all attempts. */
async function heard<Answer>({ onAnswer }: Access, verb: string, send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Fault && UNANSWERED.has(error.code)) onAnswer?.(verb, undefined);
    throw error;
  }
}

const UNANSWERED: ReadonlySet<string> = new Set<Fault["code"]>(["CLUSTER_UNREACHABLE", "CLUSTER_TIMEOUT"]);

async function requestOf(
  { server }: Access,
  connection: Connection,
  { path, contentType, accept = "application/json", final: _final, firstByteMs: _firstByteMs, ...request }: ApiRequest,
): Promise<HttpRequest> {
  const headers = {
    ...(await connection.headers()),
    accept,
    ...(contentType !== undefined && { "content-type": contentType }),
  };
  return { ...request, url: new URL(`${server}${path}`), headers };
}

/** The error of an attempt whose answer does not count. */
function judge({ accept, final = UNDECLARED }: ApiRequest, answer: HttpAnswer): Error | undefined {
  // The beginning of JSON is an answer that broke off on its way; anything else comes from no API server.
  if (answer.status < 300)
    return accept === undefined && answer.json() === undefined && /^\s*[{[]/.test(startOf(answer))
      ? new Error("the answer breaks off")
      : undefined;
  return final.test(messageOf(answer)) ? undefined : judgeStatus(answer);
}

/** The one error of the server that stays: a field that the schema does not know. */
const UNDECLARED = /field not declared in schema/;

function startOf({ bytes }: HttpAnswer): string {
  return bytes.toString("utf8", 0, 200);
}

/** What comes from a proxy on the way is not JSON: its text is all there is to say. */
function messageOf(answer: HttpAnswer): string {
  return textAt(answer.json(), ["message"]) ?? startOf(answer);
}

/** The Fault of an answer that comes from something else than an API server. */
export function foreign({ server }: Access, { subject }: ApiRequest, answer: HttpAnswer): Fault {
  const start = JSON.stringify(startOf(answer).slice(0, 80));
  return new Fault("CLUSTER_REFUSED", `${subject}: what answers at ${server} is not an API server; it says ${start}.`);
}

/** The Fault of an answer that refuses the request. */
export function refusal({ server }: Access, what: ApiRequest, answer: HttpAnswer): Fault {
  const { subject } = what;
  const error = judge(what, answer);
  if (error !== undefined) return faultOf(error, "CLUSTER", subject, server);
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
