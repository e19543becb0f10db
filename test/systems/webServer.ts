import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Limits } from "../../src/systems/http/client.ts";

/** What a server does with one request. */
export type Reply =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string | number>>;
      readonly body?: string | Uint8Array;
    }
  /** Never answers. */
  | "hang"
  /** Closes the connection without an answer. */
  | "break"
  /** Answers with less than it promises, and closes the connection. */
  | "truncate"
  /** Begins to answer, and never ends. */
  | "stall";

/** A request as it came. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server of the test's own. */
export interface WebServer {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  readonly requests: readonly SeenRequest[];
}

/** Limits for what comes, however slow the machine is; what goes on failing is given up soon. */
export const LIMITS: Limits = {
  ...{ firstByteMs: 60_000, idleMs: 60_000 },
  ...{ backOffMs: 400, retryAfterMs: 400, firstPauseMs: 10 },
};

/** The limits for a server that always does the same: what never comes is given up soon. */
export function limitsFor(reply: Reply): Limits {
  return reply === "hang" || reply === "stall" ? { ...LIMITS, firstByteMs: 300, idleMs: 600 } : LIMITS;
}

/** Starts a server that does as `decide` says; it ends with the test. */
export async function startServer(
  decide: (request: SeenRequest, index: number) => Reply | Promise<Reply>,
): Promise<WebServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
      requests.push(request);
      void Promise.resolve(decide(request, requests.length - 1)).then((reply) => {
        answer(reply, outgoing);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function answer(reply: Reply, outgoing: ServerResponse): void {
  if (reply === "hang") return;
  if (reply === "break") {
    outgoing.destroy();
  } else if (reply === "truncate") {
    outgoing.writeHead(200, { "content-length": 1_000 });
    outgoing.write("half", () => outgoing.destroy());
  } else if (reply === "stall") {
    outgoing.writeHead(200);
    outgoing.write("begun");
  } else {
    outgoing.writeHead(reply.status, reply.headers).end(reply.body ?? "");
  }
}
