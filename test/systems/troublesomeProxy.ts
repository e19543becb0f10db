import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { load } from "js-yaml";
import { Agent, type Dispatcher, request } from "undici";
import { onTestFinished } from "vitest";
import type { ControlPlane } from "../../src/ports.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { type ClusterLimits, openAccess } from "../../src/systems/kubernetes/access.ts";
import { kubeconfigFile } from "./kubeconfigFile.ts";
import type { OutsideAccess } from "../sync/outside.ts";

/**
 * What becomes of one request: it is passed on; it is answered in the API server's place; the connection breaks before
 * it is passed on, or after the API server carried it out, or in the middle of the answer; or nothing ever happens.
 */
export type Trouble =
  | "none"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | "break before"
  | "break after"
  | "break within"
  | "hang"
  /** It is passed on; the answer has the time of a clock that is so far ahead of the clock of this machine. */
  | { readonly clockMs: number };

/** Trouble for the first requests, and then none. */
export function atFirst(...troubles: readonly Trouble[]): (index: number) => Trouble {
  return (index) => troubles[index] ?? "none";
}

/** Something between us and a real API server that decides about each request. */
export interface TroublesomeProxy {
  readonly controlPlane: ControlPlane;
  /** Path of a kubeconfig that leads through it. */
  readonly kubeconfig: string;
  /** Method and path of every request that came, in order. */
  readonly requests: readonly string[];
  /** How many connections are open. */
  readonly connections: () => number;
}

/** Starts the proxy; it ends with the test. `decide` is asked once a request, with its number. */
export async function troublesomeProxy(
  access: OutsideAccess,
  decide: (index: number, method: string, path: string) => Trouble,
  limits?: ClusterLimits,
): Promise<TroublesomeProxy> {
  const dispatcher = new Agent({ connect: { ca: authorityOf(access.kubeconfig) } });
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url = "/" } = incoming;
    requests.push(`${method} ${url}`);
    answer(decide(requests.length - 1, method, url), incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.on("connection", (socket) => {
    connections += 1;
    socket.on("close", () => (connections -= 1));
  });
  const answer = async (trouble: Trouble, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (trouble === "hang") return;
    if (trouble === "break before") {
      incoming.socket.destroy();
      return;
    }
    if (typeof trouble === "object" && "status" in trouble) {
      outgoing.writeHead(trouble.status, trouble.headers).end(trouble.body ?? "");
      return;
    }
    const passed = await passOn(incoming);
    if (trouble === "none" || typeof trouble === "object") {
      const date = new Date(Date.now() + (trouble === "none" ? 0 : trouble.clockMs)).toUTCString();
      outgoing.writeHead(passed.statusCode, { "content-type": "application/json", date }).flushHeaders();
      // A watch ends when either side leaves.
      await pipeline(passed.body, outgoing).catch(() => undefined);
      return;
    }
    const text = await passed.body.text();
    if (trouble === "break after") {
      incoming.socket.destroy();
      return;
    }
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    outgoing
      .writeHead(passed.statusCode, headers)
      .write(text.slice(0, text.length / 2), () => incoming.socket.destroy());
  };
  const passOn = async (incoming: IncomingMessage): Promise<Dispatcher.ResponseData> => {
    const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
    const type = incoming.headers["content-type"];
    return request(`${access.server}${incoming.url ?? "/"}`, {
      method: (incoming.method ?? "GET") as "GET",
      dispatcher,
      headers: { authorization: `Bearer ${access.token}`, ...(type !== undefined && { "content-type": type }) },
      ...(body.length > 0 && { body }),
    });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    // A watch that was passed on after its client had left would end by itself after minutes.
    return dispatcher.destroy();
  });
  const { port } = server.address() as AddressInfo;
  // client-node takes plain HTTP only from those who waive TLS.
  const cluster = { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
  const kubeconfig = kubeconfigFile(cluster, { token: "not looked at" });
  return {
    controlPlane: controlPlane(await openAccess({ kubeconfig }, limits)),
    kubeconfig,
    requests,
    connections: () => connections,
  };
}

function authorityOf(kubeconfig: string): string {
  const { clusters } = load(readFileSync(kubeconfig, "utf8")) as {
    readonly clusters: readonly { readonly cluster: { readonly "certificate-authority-data": string } }[];
  };
  return Buffer.from(clusters[0]?.cluster["certificate-authority-data"] ?? "", "base64").toString();
}
