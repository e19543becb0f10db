import { createHmac } from "node:crypto";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Run } from "../../../src/ports.ts";
import {
  type AnnouncedPush,
  type ControllerServerOptions,
  openControllerServer,
} from "../../../src/systems/http/server.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";

const SECRET = "It's a Secret to Everybody";
const METRICS = "# HELP a b\n";

interface Controller {
  readonly address: string;
  readonly pushes: readonly AnnouncedPush[];
  readonly logged: readonly unknown[];
  readonly close: () => Promise<void>;
}

/** A server on a free port, which ends with the test. */
async function open(options: Partial<ControllerServerOptions> = {}): Promise<Controller> {
  const [pushes, logged]: [AnnouncedPush[], unknown[]] = [[], []];
  const log: Run["log"] = {
    info: (...line) => logged.push(line),
    warn: (...line) => logged.push(line),
    with: () => log,
  };
  const server = await openControllerServer(
    {
      ...{ host: "127.0.0.1", port: 0, hookSecret: SECRET, alive: () => undefined, ready: () => undefined },
      onPush: (push) => pushes.push(push),
      metrics: () => Promise.resolve({ contentType: "text/plain; version=0.0.4", text: METRICS }),
      ...options,
    },
    { ...quietRun(), log },
  );
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= server.close());
  onTestFinished(close);
  return { address: server.address, pushes, logged, close };
}

const signatureOf = (body: string, secret = SECRET): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

interface Delivery {
  readonly body: string;
  readonly signature?: string;
  readonly event?: string;
  readonly delivery?: string;
}

function deliver({ address }: Controller, { body, ...rest }: Delivery): Promise<Response> {
  const { signature = signatureOf(body), event = "push", delivery = "72d3162e-cc78" } = rest;
  const headers = { "x-hub-signature-256": signature, "x-github-event": event, "x-github-delivery": delivery };
  return fetch(`${address}/hooks/github`, { method: "POST", body, headers });
}

/** A connection on which these bytes were sent. */
function dial({ address }: Controller, bytes: string): Socket {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write(bytes);
  return socket;
}

const PUSH = JSON.stringify({ ref: "refs/heads/main", after: "a".repeat(40), commits: [] });

describe("the server of the controller", () => {
  it("reports liveness and readiness with the reason", async () => {
    const well = await open();
    const ill = await open({ alive: () => "stuck since 10:00", ready: () => "no catalogue yet" });
    const seen = async ({ address }: Controller, path: string): Promise<unknown> => {
      const response = await fetch(address + path);
      return [response.status, await response.text()];
    };

    expect([await seen(well, "/healthz"), await seen(well, "/readyz?verbose")]).toEqual([
      [200, "ok"],
      [200, "ok"],
    ]);
    expect([await seen(ill, "/healthz"), await seen(ill, "/readyz")]).toEqual([
      [503, "stuck since 10:00"],
      [503, "no catalogue yet"],
    ]);
  });

  it("answers 500 if an answer cannot be made, and logs why", async () => {
    const controller = await open({ metrics: () => Promise.reject(new TypeError("no figures")) });

    expect((await fetch(`${controller.address}/metrics`)).status).toBe(500);
    expect(controller.logged).toEqual([["request failed", { path: "/metrics", because: mentions("no figures") }]]);
    expect((await fetch(`${controller.address}/healthz`)).status).toBe(200);
  });

  it("serves metrics unchanged", async () => {
    const response = await fetch(`${(await open()).address}/metrics`);

    expect([response.headers.get("content-type"), await response.text()]).toEqual([
      "text/plain; version=0.0.4",
      METRICS,
    ]);
  });

  it.for<[string, string, number, string | null]>([
    ["GET", "/", 404, null],
    ["GET", "/healthz/", 404, null],
    ["GET", "//", 404, null],
    ["POST", "/healthz", 405, "GET, HEAD"],
    ["HEAD", "/readyz", 200, null],
    ["DELETE", "/metrics", 405, "GET, HEAD"],
    ["GET", "/hooks/github", 405, "POST"],
    ["POST", "/hooks/gitlab", 404, null],
  ])("answers %s %s with %i", async ([method, path, status, allow]) => {
    const response = await fetch((await open()).address + path, { method });

    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
  });

  it("refuses a port that is taken, and names the option to change", async () => {
    const { port } = new URL((await open()).address);

    for (const where of [{ port: Number(port) }, { host: "203.0.113.1" }, { host: "no-such-host.invalid" }])
      await expect(open(where)).rejects.toMatchObject({
        code: "CONFIGURATION",
        message: expect.stringContaining("--listen HOST:PORT") as string,
      });
    await expect(open({ hookSecret: "" })).rejects.toMatchObject({ code: "CONFIGURATION" });
  });

  it("listens on IPv6 as well", async () => {
    expect((await fetch(`${(await open({ host: "::1" })).address}/healthz`)).status).toBe(200);
  });

  it("disconnects a client that sends the head or the body slowly", async () => {
    const limits = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };
    const server = await open({ limits });
    const head = "POST /hooks/github HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{";

    for (const bytes of ["", "GET /hea", head]) expect(await text(dial(server, bytes))).toMatch(/^(|HTTP\/1.1 408 .*)/);
    expect(server.pushes).toEqual([]);
  });

  it("survives a client that disconnects during a request", async () => {
    const server = await open();
    const socket = dial(server, "POST /hooks/github HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{");
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.resetAndDestroy();
    dial(server, "what is this\r\n\r\n");

    expect((await fetch(`${server.address}/healthz`)).status).toBe(200);
  });

  it("closes its connections at the end, also waiting ones", async () => {
    const server = await open({ metrics: () => new Promise(() => undefined) });
    const waiting = fetch(`${server.address}/metrics`).catch((error: unknown) => error);
    const idle = dial(server, "");
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();

    expect([await waiting, await text(idle)]).toEqual([expect.any(Error), ""]);
    await expect(fetch(`${server.address}/healthz`)).rejects.toThrow();
  });
});

describe("the webhook", () => {
  it("announces every push, and no other event", async () => {
    const server = await open();
    const push = { ref: "refs/heads/main", after: "a".repeat(40) };

    expect((await deliver(server, { body: PUSH })).status).toBe(202);
    expect((await deliver(server, { body: PUSH })).status).toBe(202);
    for (const event of ["ping", "issues", ""]) expect((await deliver(server, { body: "{}", event })).status).toBe(204);
    expect(server.pushes).toEqual([push, push]);
  });

  it("accepts the signature of GitHub's own example", async () => {
    const server = await open();
    const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

    // Signed well, and not JSON.
    expect((await deliver(server, { body: "Hello, World!", signature })).status).toBe(400);
    expect((await deliver(server, { body: "Hello, World?", signature })).status).toBe(401);
  });

  it.each([
    ["none", ""],
    ["that of another secret", signatureOf(PUSH, "another")],
    ["that of another body", signatureOf("{}")],
    ["one that is cut off", signatureOf(PUSH).slice(0, -1)],
    ["one that is longer", `${signatureOf(PUSH)}0`],
    ["one of another kind", `sha1=${createHmac("sha1", SECRET).update(PUSH).digest("hex")}`],
    ["one without its kind", signatureOf(PUSH).slice("sha256=".length)],
    ["two", `${signatureOf(PUSH)}, ${signatureOf(PUSH)}`],
  ])("refuses a body whose signature is %s", async (_, signature) => {
    const server = await open();
    await deliver(server, { body: PUSH });

    expect((await deliver(server, { body: PUSH, signature })).status).toBe(401);
    expect(server.pushes).toHaveLength(1);
  });

  it.each(["", "{", "payload=%7B%7D", "[]", "null", "1", '{"ref":1,"after":2}', '{"ref":"refs/heads/main"}'])(
    "refuses the body %j",
    async (body) => {
      const server = await open();

      expect((await deliver(server, { body })).status).toBe(400);
      expect(server.pushes).toEqual([]);
    },
  );

  it("refuses more than a mebibyte, with or without a content length", async () => {
    const server = await open();
    const filler = (bytes: number): string => JSON.stringify({ ...JSON.parse(PUSH), filler: "x".repeat(bytes) });
    const body = filler(1_048_576);
    const head = "POST /hooks/github HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    const chunked = dial(server, `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);

    expect((await deliver(server, { body })).status).toBe(413);
    expect(await text(chunked)).toMatch(/^HTTP\/1.1 413 /);
    expect((await deliver(server, { body: filler(1_000_000) })).status).toBe(202);
    expect(server.pushes).toHaveLength(1);
  });

  it("is disabled without a secret", async () => {
    expect((await deliver(await open({ hookSecret: undefined }), { body: PUSH })).status).toBe(404);
  });

  it("logs the delivery, and nothing else of the request", async () => {
    const server = await open();
    await deliver(server, { body: PUSH, delivery: "72d3162e-cc78" });
    await deliver(server, { body: "{}", delivery: "not one of GitHub's" });

    const line = { method: "POST", path: "/hooks/github" };
    expect(server.logged).toEqual([
      ["answered a webhook", { ...line, delivery: "72d3162e-cc78", status: 202 }],
      ["answered a webhook", { ...line, delivery: "", status: 400 }],
    ]);
  });
});
