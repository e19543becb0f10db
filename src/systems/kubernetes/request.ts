import { listAt, textAt } from "../../document/fields.ts";
import { Fault, type Run } from "../../ports.ts";
import { HttpAnswer, type HttpHead, judgeStatus } from "../http/answer.ts";
import type { HttpRequest, HttpStream } from "../http/client.ts";
import { requestFault, ForeignAnswer } from "../http/failures.ts";
import type { Access, Connection } from "./access.ts";

/** One request to an API server. */
export interface ApiRequest extends Pick<
  HttpRequest,
  "method" | "body" | "subject" | "repeat" | "beforeRepeating" | "isUrgent"
> {
  /** Path and query. */
  readonly path: string;
  readonly contentType?: string;
  /** Errors of the server with such a message are answers, and not repeated. */
  readonly final?: RegExp;
  /** For the head of the answer to a write; `WRITE_MS` by default. */
  readonly firstByteMs?: number;
}

/** A request whose answer is JSON. */
export interface JsonRequest<Found> extends ApiRequest {
  /** Parses a successful answer; `undefined`: it is not what was asked. */
  readonly parse: (body: unknown) => Found | undefined;
}

/** What the API server answered. */
export interface Response<Found> {
  readonly status: number;
  /** `undefined` if it refused. */
  readonly found: Found | undefined;
  /** Its JSON. */
  readonly body: unknown;
}

/** Shorter than the margin of the Lease: a former leader's write cannot arrive late. */
const WRITE_MS = 7_000;

/**
 * Sends a request until it is answered. Every request here is safe to repeat: reads are, and each write says what it
 * expects to find, so that a repeated one that had been carried out is answered by a conflict.
 *
 * Gives the answer if its code is below 300 or one of `accepted`; throws a Fault that names the subject otherwise. An
 * answer that is not what was asked is no answer: it is repeated like a 502.
 */
export async function request<Found>(
  access: Access,
  { parse, ...what }: JsonRequest<Found>,
  accepted: readonly number[],
  run: Run,
): Promise<Response<Found>> {
  let found: Found | undefined;
  const isFound = (answer: HttpAnswer): boolean => (found = parse(answer.json())) !== undefined;
  const answer = await accept(access, { what, accept: "application/json", isFound }, accepted, run);
  return { status: answer.status, found, body: answer.json() };
}

/** Like `request` without accepted refusals: returns what was found. */
export async function get<Found>(access: Access, what: Omit<JsonRequest<Found>, "method">, run: Run): Promise<Found> {
  const { found } = await request(access, { ...what, method: "GET" }, [], run);
  // It was parsed before.
  return found as Found;
}

/** Like `request`, for an answer that is plain text: returns the status code and the text. */
export async function requestText(
  access: Access,
  what: ApiRequest,
  accepted: readonly number[],
  run: Run,
): Promise<{ readonly status: number; readonly text: string }> {
  const isFound = ({ headers }: HttpAnswer): boolean => !/html/i.test(headers["content-type"] ?? "");
  const { status, bytes } = await accept(access, { what, accept: "*/*", isFound }, accepted, run);
  return { status, text: bytes.toString("utf8") };
}

/** A request, and what it takes for an answer. */
interface Asked {
  readonly what: ApiRequest;
  readonly accept: string;
  /** Whether a successful answer is what was asked. */
  readonly isFound: (answer: HttpAnswer) => boolean;
}

async function accept(access: Access, asked: Asked, accepted: readonly number[], run: Run): Promise<HttpAnswer> {
  const answer = await authorized(access, (connection) => exchange(access, connection, asked, run));
  if (answer.status < 300 || accepted.includes(answer.status)) return answer;
  throw refusal(access, asked.what, answer);
}

/** Sends a GET, and returns a successful answer as a stream, for watches. Reads any other answer completely. */
export async function open(access: Access, what: ApiRequest, run: Run): Promise<HttpStream | HttpAnswer> {
  return authorized(access, async (connection) => {
    const sent = await apiHttpRequest(access, connection, what, "application/json");
    const stream = await heard(access, "watch", () => connection.watches.open(sent, run));
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

async function exchange(access: Access, connection: Connection, asked: Asked, run: Run): Promise<HttpAnswer> {
  const { what, accept, isFound } = asked;
  const limits = what.method === "GET" ? {} : { firstByteMs: what.firstByteMs ?? WRITE_MS };
  const verb = what.method.toLowerCase();
  const sent = {
    ...(await apiHttpRequest(access, connection, what, accept)),
    limits,
    judge: (answer: HttpAnswer) => {
      if (answer.status < 300 ? !isFound(answer) : !isServerRefusal(what, answer))
        return new ForeignAnswer(answer.bytes);
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

async function apiHttpRequest(
  { server }: Access,
  connection: Connection,
  { path, contentType, final: _final, firstByteMs: _firstByteMs, ...request }: ApiRequest,
  accept: string,
): Promise<HttpRequest> {
  const headers = {
    ...(await connection.headers()),
    accept,
    ...(contentType !== undefined && { "content-type": contentType }),
  };
  return { ...request, url: new URL(`${server}${path}`), headers };
}

/**
 * Whether a refusal comes from the API server itself: a gateway's 404 does not tell that an object is missing. The server
 * explains a refusal with a Status, but answers in plain text for a kind that is not installed, which those of records and
 * Leases never are. Errors of a server are repeated, and a 401 is about the credentials, whoever sends it.
 */
export function isServerRefusal({ path }: Pick<ApiRequest, "path">, answer: HttpAnswer): boolean {
  const { status } = answer;
  if (status >= 500 || status === 429 || status === 401 || textAt(answer.json(), ["kind"]) === "Status") return true;
  return status === 404 && !BUILT_IN.test(path) && answerStart(answer).trim() === "404 page not found";
}

const BUILT_IN = /^\/(?:api\/v1|apis\/coordination\.k8s\.io\/v1)\//;

/** The error of an attempt, unless its answer is final. */
function judge({ final = UNDECLARED }: ApiRequest, answer: HttpAnswer): Error | undefined {
  return answer.status < 300 || final.test(statusMessage(answer)) ? undefined : judgeStatus(answer);
}

/** The one error of the server that stays: a field that the schema does not know. */
const UNDECLARED = /field not declared in schema/;

function answerStart({ bytes }: HttpAnswer): string {
  return bytes.toString("utf8", 0, 200);
}

/** The answer of a proxy is not JSON: its text is the message. */
function statusMessage(answer: HttpAnswer): string {
  return textAt(answer.json(), ["message"]) ?? answerStart(answer);
}

/** The Fault for an answer that is not what was asked. */
export function foreign({ server }: Access, { subject }: ApiRequest, bytes: Buffer): Fault {
  return requestFault(new ForeignAnswer(bytes), "CLUSTER", subject, server);
}

/** The Fault for an answer that refuses the request. */
export function refusal({ server }: Access, what: ApiRequest, answer: HttpAnswer): Fault {
  const { subject } = what;
  const error = judge(what, answer);
  if (error !== undefined) return requestFault(error, "CLUSTER", subject, server);
  const message = statusMessage(answer);
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
export function apiRoot(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
