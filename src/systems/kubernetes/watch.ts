import { setTimeout as sleep } from "node:timers/promises";
import { fieldAt, textAt } from "../../document/fields.ts";
import type { Resource } from "../../kubernetes/object.ts";
import { Fault, type Run, type WatchEvent } from "../../ports.ts";
import { HttpAnswer } from "../http/answer.ts";
import { parseJson } from "../../document/json.ts";
import type { Access } from "./access.ts";
import { parsePage } from "./list.ts";
import { foreign, isServerRefusal, open, refusal, request, type ApiRequest } from "./request.ts";
import { kindMissing, parseListed, resourcePath, selecting } from "./resource.ts";

/** What is watched, and since when. */
interface Watched {
  readonly resource: Resource;
  readonly namespace: string;
  /** A resource version. */
  readonly from: string;
}

/** A server that no longer knows a version says so at once. */
const QUIET_MS = 1_000;
const NEWLINE = 0x0a;
const GONE = 410;
const TIMED_OUT = 504;

/** What changes in a namespace, as the port `ControlPlane` gives it. */
export async function* watch(access: Access, watched: Watched, run: Run): AsyncGenerator<WatchEvent> {
  const what = requestFor(watched, access.limits.watchMs);
  // Ends the connection also where the caller leaves while nothing comes.
  const leaving = new AbortController();
  const signal = AbortSignal.any([run.signal, leaving.signal]);
  try {
    const answer = await open(access, what, { ...run, signal });
    if (answer instanceof HttpAnswer) {
      yield ended(access, watched, what, answer);
      return;
    }
    const lines = streamLines(answer.pieces);
    const first = lines.next();
    const isQuiet = await Promise.race([first.then(() => false), sleep(QUIET_MS, true, { ref: false })]);
    if (isQuiet && (await isBehind(access, watched, run))) {
      yield { kind: "expired" };
      return;
    }
    if (isQuiet) yield { kind: "bookmark", resourceVersion: watched.from };
    for (let line = await first; line.done !== true; line = await lines.next()) {
      const event = watchEvent(access, watched, what, line.value);
      yield event;
      if (event.kind === "expired") return;
    }
  } finally {
    leaving.abort();
  }
}

function requestFor({ resource, namespace, from }: Watched, watchMs: number): ApiRequest {
  const query = new URLSearchParams({
    ...selecting(resource),
    ...{ watch: "true", allowWatchBookmarks: "true", resourceVersion: from },
    // Jittered, so that watches that began at one time do not end at one time.
    timeoutSeconds: String(Math.ceil((watchMs / 1000) * (1 + Math.random()))),
  });
  const path = `${resourcePath(resource, namespace)}?${query.toString()}`;
  return { method: "GET", path, subject: `the changes of ${resource.plural} in ${namespace}` };
}

const TOO_LARGE = /Too large resource version/;

/**
 * Whether the server has not reached a version yet, as after its data was restored from a backup: a watch from there
 * reports nothing until then, not even that.
 */
async function isBehind(access: Access, { resource, namespace, from }: Watched, run: Run): Promise<boolean> {
  const query = new URLSearchParams({
    ...selecting(resource),
    ...{ limit: "1", resourceVersion: from, resourceVersionMatch: "NotOlderThan" },
  });
  const path = `${resourcePath(resource, namespace)}?${query.toString()}`;
  const subject = `the ${resource.plural} in ${namespace}`;
  const parse = (body: unknown): true | undefined => parsePage(body, resource, namespace) && true;
  const what = { method: "GET", path, subject, parse, final: TOO_LARGE } as const;
  let status: number | undefined;
  try {
    ({ status } = await request(access, what, [TIMED_OUT], run));
  } catch (error) {
    // The watch itself is in order: a server that has no time for this question is asked again with the next watch.
    if (!(error instanceof Fault)) throw error;
  }
  return status === TIMED_OUT;
}

/** The lines of a stream, without their ends, and what follows the last of these. */
export async function* streamLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...begun, piece.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    if (start < piece.length) begun.push(piece.subarray(start));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

function watchEvent(access: Access, watched: Watched, what: ApiRequest, line: Buffer): WatchEvent {
  const event = parseJson(line);
  const object = fieldAt(event, ["object"]);
  const type = fieldAt(event, ["type"]);
  if (type === "ERROR" && textAt(object, ["kind"]) === "Status") {
    const status = Number(fieldAt(object, ["code"]));
    return ended(access, watched, what, new HttpAnswer({ status, headers: {} }, Buffer.from(JSON.stringify(object))));
  }
  const resourceVersion = textAt(object, ["metadata", "resourceVersion"]);
  if (type === "BOOKMARK" && resourceVersion !== undefined) return { kind: "bookmark", resourceVersion };
  const kind = CHANGES[String(type)];
  const changed = parseListed(object, watched.resource, watched.namespace);
  if (kind === undefined || changed === undefined) throw foreign(access, what, line);
  return { kind, object: changed };
}

const CHANGES: Readonly<Record<string, "changed" | "deleted">> = {
  ADDED: "changed",
  MODIFIED: "changed",
  DELETED: "deleted",
};

/** The last event, by the answer that ends a watch. Throws what that refuses. */
function ended(access: Access, { resource }: Watched, what: ApiRequest, answer: HttpAnswer): WatchEvent {
  if (!isServerRefusal(what, answer)) throw foreign(access, what, answer.bytes);
  if (answer.status === GONE) return { kind: "expired" };
  throw answer.status === 404 ? kindMissing(access, resource) : refusal(access, what, answer);
}
