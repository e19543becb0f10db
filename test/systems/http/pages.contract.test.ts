import { describe, expect, it, onTestFinished } from "vitest";
import { readPageAssets } from "../../../src/systems/http/pageAssets.ts";
import { PageChanges } from "../../../src/systems/http/pageChanges.ts";
import {
  CONTENT_SECURITY_POLICY,
  openPageServer,
  type PageServerOptions,
} from "../../../src/systems/http/pageServer.ts";
import { join } from "node:path";
import { stripTypeScriptTypes } from "node:module";
import { quietRun } from "../../support/quietRun.ts";

const ASSETS = readPageAssets(join(import.meta.dirname, "../../../src/dashboard"));

/** A server whose pages say what they were asked for. */
async function serve(options: Partial<PageServerOptions> = {}): Promise<{ address: string; changes: PageChanges }> {
  const changes = new PageChanges("test");
  const server = await openPageServer(
    {
      ...{ host: "127.0.0.1", port: 0, auth: undefined, assets: ASSETS, changes, nowMs: () => 1_000 },
      page: ({ path, theme }) => ({ status: path === "/" ? 200 : 404, text: `${path} ${theme ?? "no theme"}` }),
      ...options,
    },
    quietRun(),
  );
  onTestFinished(() => server.close());
  return { address: server.address, changes };
}

/** The status that a request is answered with. */
async function statusOf(address: string, init: RequestInit = {}): Promise<number> {
  const { status, body } = await fetch(address, init);
  await body?.cancel();
  return status;
}

describe("the server of pages", () => {
  it("sends pages that are not cached, with a policy that forbids foreign content", async () => {
    const { address } = await serve();
    const answer = await fetch(`${address}/`, { headers: { cookie: "theme=dark" } });

    expect(await answer.text()).toBe("/ dark");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "content-type": "text/html; charset=UTF-8",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(await (await fetch(`${address}/x`, { headers: { cookie: "theme=<b>" } })).text()).toBe("/x no theme");
    expect(await statusOf(`${address}/x`)).toBe(404);
  });

  it("is read-only, and accepts local host names only", async () => {
    const { address } = await serve();

    expect(await statusOf(`${address}/`, { method: "POST" })).toBe(405);
    expect(await statusOf(`${address}/`, { method: "HEAD" })).toBe(200);
    const { port } = new URL(address);
    const { request } = await import("node:http");
    const status = await new Promise((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, headers: { host: "evil.example" } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on("error", reject).end();
    });
    expect(status).toBe(403);
  });

  it("sends style sheets and scripts compressed and cacheable", async () => {
    const { address } = await serve();
    for (const path of [...ASSETS.styles, ...ASSETS.scripts]) {
      const answer = await fetch(address + path);
      const etag = answer.headers.get("etag") ?? "";
      expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, "gzip"]);
      const text = await answer.text();
      if (path.endsWith(".js")) expect(stripTypeScriptTypes(text)).toBe(text);
      expect(text).toBe(ASSETS.files.get(path)?.text);
      expect(await statusOf(address + path, { headers: { "if-none-match": etag } })).toBe(304);
    }
    expect(await statusOf(`${address}/assets/x/../../package.json`)).toBe(404);
    const plain = await fetch(address + (ASSETS.styles[0] ?? ""), { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    await plain.body?.cancel();
  });

  it("requires the token as a bearer or a password", async () => {
    const { address } = await serve({ auth: { kind: "token", token: "0123456789abcdef" } });
    const basic = (text: string): RequestInit => ({
      headers: { authorization: `Basic ${Buffer.from(text).toString("base64")}` },
    });

    expect(await statusOf(`${address}/`)).toBe(401);
    expect(await statusOf(`${address}/events`)).toBe(401);
    expect(await statusOf(`${address}/`, { headers: { authorization: "Bearer wrong" } })).toBe(401);
    expect(await statusOf(`${address}/`, { headers: { authorization: "Bearer 0123456789abcdef" } })).toBe(200);
    expect(await statusOf(`${address}/`, basic("octocat:0123456789abcdef"))).toBe(200);
    expect(await statusOf(`${address}/`, basic("0123456789abcdef:x"))).toBe(401);
  });

  it("requires a user name from the proxy", async () => {
    const { address } = await serve({ auth: { kind: "header", name: "X-User" } });

    expect(await statusOf(`${address}/`)).toBe(401);
    expect(await statusOf(`${address}/`, { headers: { "x-user": "octocat" } })).toBe(200);
  });

  it("sends changes, also those that a page missed", async () => {
    const { address, changes } = await serve();
    const answer = await fetch(`${address}/events`, { headers: { "last-event-id": "of-another-process-7" } });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();

    expect(answer.headers.get("cache-control")).toBe("no-store, no-transform");
    expect((await reader?.read())?.value).toMatch(/^event: change\ndata: 1000\nid: test-0\nretry: \d+\n\n$/);
    changes.raise();
    changes.raise();
    expect((await reader?.read())?.value).toContain("event: change\ndata: 1000\nid: test-2\n");
    await reader?.cancel();
  });

  it("serves the other pages if one fails, and hides the reason", async () => {
    const { address } = await serve({
      page: () => {
        throw new Error("secret");
      },
    });
    const answer = await fetch(`${address}/`);

    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("secret");
  });

  it("refuses a port that is taken", async () => {
    const { address } = await serve();

    await expect(serve({ port: Number(new URL(address).port) })).rejects.toMatchObject({ code: "CONFIGURATION" });
  });
});
