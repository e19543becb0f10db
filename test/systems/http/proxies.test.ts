import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fetch } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDispatcher, environmentProxies } from "../../../src/systems/http/proxies.ts";

/** A proxy that answers by itself, with the credentials that it was shown; gives `host:port`. */
async function startProxy(): Promise<string> {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    response.end(`${String(request.url)} ${String(request.headers["proxy-authorization"])}`);
  };
  const server = createServer(answer);
  // http goes through a tunnel as well, which ends at the same answers.
  server.on("connect", (request: IncomingMessage, socket: NodeJS.WritableStream) => {
    socket.end(`HTTP/1.1 418 ${String(request.headers["proxy-authorization"])}\r\n\r\n`);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The message of a request through the proxy `value`. */
async function asked(value: string): Promise<string> {
  try {
    const answer = await fetch("http://module.invalid/", {
      dispatcher: openDispatcher({ ...environmentProxies({ HTTP_PROXY: value }), connectMs: 1_000 }),
    });
    return await answer.text();
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  }
}

describe("a proxy", () => {
  it("may have an address with or without a scheme", async () => {
    const proxy = await startProxy();

    for (const value of [`http://${proxy}`, proxy, ` ${proxy} `, `user:secret@${proxy}`])
      expect(await asked(value)).toMatch(/module\.invalid|418/);
  });

  it("with an invalid address is refused with the name of its variable, without its password", () => {
    const open = (): unknown => environmentProxies({ https_proxy: "http://user:s3cr#et@proxy:3128" });

    expect(open).toThrow(/^https_proxy .*http:\/\/host:port/);
    expect(open).not.toThrow(/s3cr/);
    expect(() => environmentProxies({ HTTPS_PROXY: "http://user:100%@proxy:3128" })).toThrow(/^HTTPS_PROXY /);
    expect(() => environmentProxies({ HTTPS_PROXY: "socks5://127.0.0.1:1080" })).toThrow(/^HTTPS_PROXY /);
  });

  it("is not used if no variable names one", () => {
    expect(environmentProxies({ HTTPS_PROXY: " " })).toEqual({ httpProxy: "", httpsProxy: "", noProxy: "" });
  });
});
