import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HttpClient } from "../../../src/systems/http/client.ts";
import { openWeb } from "../../../src/systems/http/web.ts";
import { quietRun } from "../../support/quietRun.ts";
import { LIMITS, startServer } from "../webServer.ts";

const run = quietRun();

/** A web without any rule of where it may go. */
function openWorld(variables: Readonly<Record<string, string>> = {}): HttpClient {
  return openWeb("LINK", variables, () => true, LIMITS);
}

describe("a redirected request", () => {
  it("sends credentials to the same server only", async () => {
    const storage = await startServer(() => ({ status: 200, body: "content" }));
    const registry = await startServer(({ path }) =>
      path === "/first"
        ? { status: 307, headers: { location: "/second" } }
        : { status: 307, headers: { location: `http://${storage.host}/signed` } },
    );
    const headers = { authorization: "Bearer secret", accept: "a/b" };
    const url = new URL(`http://${registry.host}/first`);
    const { bytes } = await openWorld().exchange({ method: "GET", url, headers, maxBytes: 100, subject: "s" }, run);

    expect(bytes.toString()).toBe("content");
    expect(registry.requests.map((request) => request.headers.authorization)).toEqual([
      "Bearer secret",
      "Bearer secret",
    ]);
    expect(storage.requests[0]?.headers.authorization).toBeUndefined();
    expect(storage.requests[0]?.headers.accept).toBe("a/b");
  });
});

describe("a request", () => {
  it("uses the proxy of the variables", async () => {
    const asked: string[] = [];
    const proxy = createServer((socket) => {
      socket.on("data", (data) => {
        asked.push(data.toString().split("\r\n")[0] ?? "");
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      proxy.close();
    });
    const web = openWorld({ HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    const url = new URL("https://nowhere.invalid/");

    await expect(web.exchange({ method: "GET", url, maxBytes: 100, subject: "s" }, run)).rejects.toThrow("s: ");
    expect(asked[0]).toBe("CONNECT nowhere.invalid:443 HTTP/1.1");
  });

  it("to an unknown host fails with its subject and the reason", async () => {
    const url = new URL("http://nowhere.invalid/");
    const asked = openWorld().exchange({ method: "GET", url, maxBytes: 100, subject: "the link" }, run);

    await expect(asked).rejects.toMatchObject({ code: "LINK_UNREACHABLE" });
    await expect(asked).rejects.toThrow(/^the link: http:\/\/nowhere\.invalid cannot be reached/);
  });
});
