import { listAt, textAt } from "../../document/fields.ts";
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
  const isForeign = status < 300 ? body === undefined : BUILT_IN.test(what.path) && textAt(body, ["kind"]) !== "Status";
  if (isForeign) throw foreign(access, what, answer);
  return { status, body };
}

/**
 * The paths of records and Leases, which every API server serves: a 404 without a Status is that of a gateway, and does
 * not tell that an object is missing. Below other paths the server itself answers so before the kind is installed.
 */
const BUILT_IN = /^\/(?:api\/v1|apis\/coordination\.k8s\.io\/v1)\//;

/** Like `request`, for an answer that is not JSON: returns the status code and the text. */
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

/** Sends a GET, and returns a successful answer as a stream, for watches. Reads any other answer completely. */
export async function open(access: Access, what: ApiRequest, run: Run): Promise<HttpStream | HttpAnswer> {
  return authorized(access, async (connection) => {
    const sent = await requestOf(access, connection, what);
    const stream = await heard(access, "watch", () => connection.watches.open(sent, run));
    access.skew.note(stream);
    access.onAnswer?.("watch", stream.status);
    if (stream.status < 300) return stream;
    return new HttpAnswer(stream, Buffer.concat(await Array.fromAsync(stream.pieces)));
  });
}

/** Repeats a request with renewed credentials after a 401. */
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
      access.skew.note(answer);
      access.onAnswer?.(verb, answer.status);
      return judge(what, answer);
    },
  };
  return heard(access, verb, () => connection.client.exchange(sent, run));
}

/** Also reports a request that got no answer after all attempts. */
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

/** The error of an attempt, unless its answer is final. */
function judge({ accept, final = UNDECLARED }: ApiRequest, answer: HttpAnswer): Error | undefined {
  // The beginning of JSON is an answer that broke off; anything else does not come from an API server.
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

/** The answer of a proxy is not JSON: its text is the message. */
function messageOf(answer: HttpAnswer): string {
  return textAt(answer.json(), ["message"]) ?? startOf(answer);
}

/** The Fault for an answer that does not come from an API server. */
export function foreign({ server }: Access, { subject }: ApiRequest, answer: HttpAnswer): Fault {
  const start = JSON.stringify(startOf(answer).slice(0, 80));
  return new Fault(
    "CLUSTER_REFUSED",
    `${subject}: the server at ${server} is not an API server; its answer begins with ${start}.`,
  );
}

/** The Fault for an answer that refuses the request. */
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
      if (isEnding(answer.json()))
        return new Fault("CLUSTER_REFUSED", `${subject}: refused by ${server}: ${message}. Wait until it is gone.`);
      return new Fault("CLUSTER_FORBIDDEN", `${subject}: not allowed by ${server}: ${message}`);
    case 409:
      return new Fault("CLUSTER_CONFLICT", `${subject}: ${message}`);
    default:
      return new Fault("CLUSTER_REFUSED", `${subject}: refused by ${server} (${answer.status}): ${message}`);
  }
}

/** Whether an object was refused because its namespace is being deleted, which no right helps against. */
function isEnding(status: unknown): boolean {
  return listAt(status, ["details", "causes"]).some((cause) => textAt(cause, ["reason"]) === "NamespaceTerminating");
}

/** The path of an API version. */
export function rootOf(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
