import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { authenticate, rateOf, type Accounts } from "./doubleAccount.ts";
import { findOperation, requestFaults, responseFaults, type Operation } from "./doubleDescription.ts";
import { afterwards, insteadOf, SLOWER, type Faults, type Outcome, type Trouble } from "./doubleFaults.ts";
import { Refusal, type Answer, type Call, type Routes } from "./doubleRoute.ts";
import { follow } from "./doubleFollow.ts";
import { PERSON, type Actor, type State, type World } from "./doubleWorld.ts";

/** A request that came. */
export interface LoggedRequest {
  readonly method: string;
  /** With the query, as it came. */
  readonly path: string;
  /** 0 until it is answered, and for ever when it never is. */
  status: number;
  /** Wall clock, Unix milliseconds. */
  readonly atMs: number;
  /** Whether it changes nothing: GraphQL asks by POST as well. */
  isRead: boolean;
}

/**
 * Called before the n-th request (from 1) is looked at, and after it was carried out but not answered. `drop` breaks the
 * connection: before, as if the request had never come.
 */
export type RequestHook = (
  number: number,
  phase: "before" | "after",
  description: string,
) => "drop" | undefined | Promise<"drop" | undefined>;

/** What the server works with. */
export interface Desk {
  readonly world: World;
  readonly accounts: Accounts;
  readonly routes: Routes;
  readonly faults: Faults;
  readonly requests: LoggedRequest[];
  readonly violations: string[];
  /** When something was written, Unix milliseconds. */
  readonly writes: number[];
  readonly hook: () => RequestHook | undefined;
  /** How it was before each write, oldest first. */
  readonly past: { readonly refs: ReadonlyMap<string, string>; readonly state: State }[];
}

interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly isRead: boolean;
}

/** Writes of content that nothing refers to yet: a stale read does not show them. */
const UNSEEN = /\/git\/(blobs|trees|commits)$/;
/** It has a limit of its own. */
const GRAPHQL = "/graphql";
const API_VERSIONS = ["2022-11-28", "2026-03-10"];

/** The HTTP server; it does not listen yet. */
export function doubleServer(desk: Desk): Server {
  return createServer((incoming, outgoing) => {
    void serve(desk, incoming, outgoing);
  });
}

async function serve(desk: Desk, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "GET", url: path = "/", headers } = incoming;
  const text = await textOf(incoming);
  // a client that was killed while it wrote asked for nothing
  if (text === undefined) return;
  const entry: LoggedRequest = { method, path, status: 0, atMs: Date.now(), isRead: method === "GET" };
  const number = desk.requests.push(entry);
  let outcome: Outcome;
  try {
    const body = parsed(text);
    entry.isRead ||= isQuery(body);
    const arrived = { method, path, headers, url: new URL(path, "http://double"), body, isRead: entry.isRead };
    outcome = await decide(desk, arrived, number);
  } catch (error) {
    outcome = violation(desk, `${method} ${path}: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
  }
  if (outcome === "hang") return;
  if (outcome === "break") {
    incoming.socket.destroy();
    return;
  }
  entry.status = outcome.status;
  send(desk, outcome, outgoing, path === GRAPHQL);
}

async function textOf(incoming: IncomingMessage): Promise<string | undefined> {
  try {
    return Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString();
  } catch (error) {
    if (incoming.destroyed) return undefined;
    throw error;
  }
}

/** Whether a body asks GraphQL for something, and changes nothing. */
function isQuery(body: unknown): boolean {
  const document = typeof body === "object" && body !== null && "query" in body ? String(body.query) : "mutation";
  return !document.trimStart().startsWith("mutation");
}

function parsed(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}

async function decide(desk: Desk, arrived: Arrived, number: number): Promise<Outcome> {
  const { method, path, url, body } = arrived;
  const about = `${method} ${path}`;
  const asksHook = async (phase: "before" | "after"): Promise<boolean> =>
    (await desk.hook()?.(number, phase, about)) === "drop";
  if (await asksHook("before")) return "break";
  const operation = findOperation(method, url.pathname);
  if (operation === undefined) return violation(desk, `${about}: the description knows no such operation`);
  const mistakes = requestFaults(operation, url.searchParams, body);
  if (mistakes.length > 0) return violation(desk, `${about}: ${mistakes.join("; ")}`);
  const trouble = desk.faults.of(arrived);
  const instead = insteadOf(trouble);
  if (instead !== undefined) return judged(desk, operation, instead, about);
  const answer = judged(desk, operation, carryOut(desk, operation, arrived, trouble), about);
  if (await asksHook("after")) return "break";
  return afterwards(trouble, answer);
}

function violation(desk: Desk, sentence: string): Outcome {
  desk.violations.push(sentence);
  return { status: 500, text: sentence };
}

/** The answer, unless GitHub's description does not allow it: then the double is wrong. */
function judged(desk: Desk, operation: Operation, outcome: Outcome, about: string): Outcome {
  if (typeof outcome === "string" || "text" in outcome) return outcome;
  const mistakes = responseFaults(operation, outcome.status, outcome.body);
  return mistakes.length === 0 ? outcome : violation(desk, `${about}: ${mistakes.join("; ")}`);
}

function carryOut(desk: Desk, operation: Operation, arrived: Arrived, trouble: Trouble | undefined): Answer {
  const route = desk.routes[operation.name];
  if (route === undefined) throw new Error(`the double does not carry out ${operation.name}`);
  try {
    const call = admit(desk, operation, arrived);
    // nothing comes between: the refs need to be read but once
    const world = { ...desk.world, refs: once(desk.world.refs) };
    follow(world, PERSON);
    if (!arrived.isRead) return write(desk, operation, () => route(call, world), call.actor);
    return route(call, trouble?.kind === "stale" ? before(desk, trouble.writes) : world);
  } catch (error) {
    if (error instanceof Refusal) return error.answer();
    throw error;
  }
}

function once<Value>(read: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => (kept ??= { value: read() }).value;
}

/** What a request asks for, when its client may ask at all. */
function admit(desk: Desk, operation: Operation, arrived: Arrived): Call {
  const { world, accounts } = desk;
  const { headers, url, body } = arrived;
  checkHeaders(headers);
  const actor = authenticate(accounts, operation.name, arrived);
  spend(world, url.pathname);
  if (!arrived.isRead) refuseMany(desk);
  const { owner, repo } = operation.path;
  const ours = `${world.owner}/${world.name}`.toLowerCase();
  const isOurs = owner === undefined || `${owner}/${repo ?? ""}`.toLowerCase() === ours;
  if (!isOurs) throw new Refusal(404, "Not Found");
  return { path: operation.path, pathname: url.pathname, query: url.searchParams, body, actor };
}

/** GitHub counts what creates content by the hour, and says so only once it is too much. */
function refuseMany({ world, writes }: Desk): void {
  const nowMs = world.now();
  writes.push(nowMs);
  const recent = writes.filter((atMs) => atMs > nowMs - 3_600_000).length;
  if (recent > world.settings.writesPerHour) throw new Refusal(403, SLOWER);
}

function write({ world, past }: Desk, operation: Operation, act: () => Answer, actor: Actor): Answer {
  if (UNSEEN.test(operation.name)) return act();
  const then = { refs: world.refs(), state: structuredClone(world.state) };
  const answer = act();
  past.push(then);
  follow(world, actor);
  return answer;
}

function checkHeaders(headers: IncomingHttpHeaders): void {
  const { accept = "*/*" } = headers;
  const version = headers["x-github-api-version"];
  if (headers["user-agent"] === undefined) throw new Refusal(403, "Request forbidden by administrative rules.");
  if (typeof version === "string" && !API_VERSIONS.includes(version)) {
    throw new Refusal(400, `The API version ${version} is not supported.`);
  }
  if (!/\*\/\*|application\/(json|vnd\.github)/.test(accept)) throw new Refusal(415, "Unsupported 'Accept' header");
}

function spend(world: World, path: string): void {
  if (path === "/rate_limit" || path === GRAPHQL) return;
  if (world.settings.remaining <= 0) throw new Refusal(403, "API rate limit exceeded for user ID 1.");
  world.settings.remaining -= 1;
}

/** The world before the last `writes` writes; git's objects are all there, but what refers to them is not. */
function before(desk: Desk, writes: number): World {
  const then = desk.past[Math.max(0, desk.past.length - writes)];
  return then === undefined || writes === 0 ? desk.world : { ...desk.world, refs: () => then.refs, state: then.state };
}

function send(desk: Desk, outcome: Exclude<Outcome, string>, outgoing: ServerResponse, isGraphql: boolean): void {
  const { limit, remaining, used, reset } = rateOf(desk.world, isGraphql);
  outgoing.setHeader("x-github-request-id", `DOUBLE:${desk.requests.length}`);
  outgoing.setHeader("x-ratelimit-limit", limit);
  outgoing.setHeader("x-ratelimit-remaining", remaining);
  outgoing.setHeader("x-ratelimit-used", used);
  outgoing.setHeader("x-ratelimit-reset", reset);
  outgoing.setHeader("x-ratelimit-resource", isGraphql ? "graphql" : "core");
  if ("text" in outcome) {
    const format = outcome.text.startsWith("<") || outcome.status >= 500 ? "text/html" : "application/json";
    outgoing.writeHead(outcome.status, { "content-type": `${format}; charset=utf-8` }).end(outcome.text);
    return;
  }
  const { status, body, headers } = outcome;
  const type = body === undefined ? {} : { "content-type": "application/json; charset=utf-8" };
  outgoing.writeHead(status, { ...type, ...headers }).end(body === undefined ? "" : JSON.stringify(body));
}
