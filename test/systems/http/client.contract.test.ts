import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { Backpressure } from "../../../src/systems/http/backpressure.ts";
import { HttpClient, type HttpRequest, type HttpSettings } from "../../../src/systems/http/client.ts";
import { openDispatcher, environmentProxies } from "../../../src/systems/http/proxies.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { LIMITS, startServer, type Reply } from "../webServer.ts";

const HOUR_MS = 3_600_000;
const run = quietRun();
const FOUND: Reply = { status: 200, body: "found" };

function clientWith(settings: Partial<HttpSettings> = {}, proxy = ""): HttpClient {
  const dispatcher = openDispatcher({ ...environmentProxies({ HTTP_PROXY: proxy }), connectMs: 300 });
  return new HttpClient({ kind: "LINK", dispatcher, limits: LIMITS, mayAsk: () => true, ...settings });
}

function get(host: string, request: Partial<HttpRequest> = {}): HttpRequest {
  return { method: "GET", url: new URL(`http://${host}/`), subject: "s", ...request };
}

/** A server that takes connections and says nothing; `HOST:PORT`. */
async function silentServer(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a request", () => {
  it("is retried as a whole if its answer breaks off or is late", async () => {
    for (const trouble of ["truncate", "stall", "hang"] as const) {
      const server = await startServer((_, index) => (index === 0 ? trouble : FOUND));
      const limits = { ...LIMITS, backOffMs: 60_000, ...(trouble !== "truncate" && { firstByteMs: 300, idleMs: 300 }) };
      const { bytes } = await clientWith().exchange(get(server.host, { limits }), run);

      expect(bytes.toString()).toBe("found");
      expect(server.requests.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
    }
  });

  it("that is not idempotent is retried after a rate limit only, and one without retries never", async () => {
    const repeats = async (repeat: HttpRequest["repeat"], trouble: Reply): Promise<number> => {
      const server = await startServer((_, index) => (index === 0 ? trouble : FOUND));
      const limits = { ...LIMITS, backOffMs: 60_000 };
      const request = get(server.host, { limits, method: "POST", body: "b", ...(repeat && { repeat }) });
      await clientWith()
        .exchange(request, run)
        .catch(() => undefined);
      return server.requests.length - 1;
    };
    expect(
      await Promise.all(([{ status: 429 }, { status: 503 }, "break"] as const).map((it) => repeats("make", it))),
    ).toEqual([1, 0, 0]);
    expect(await repeats("never", { status: 429 })).toBe(0);
    expect(await repeats("safe", { status: 500 })).toBe(1);
  });

  it("ends at its timeout, even in the middle of the answer", async () => {
    const server = await startServer(() => "stall");
    const limits = { ...LIMITS, wholeMs: 200 };

    await expect(clientWith().exchange(get(server.host, { limits }), run)).rejects.toMatchObject({
      code: "LINK_UNREACHABLE",
    });
    expect(server.requests).toHaveLength(1);
  });

  it("is not redirected as a GET without its content", async () => {
    for (const status of [301, 302, 303]) {
      const server = await startServer(({ path }) =>
        path === "/" ? { status, headers: { location: "/elsewhere" } } : FOUND,
      );
      const posted = clientWith().exchange(get(server.host, { method: "POST", body: "b" }), run);

      await expect(posted).rejects.toMatchObject({ code: "LINK_REFUSED" });
      expect(server.requests).toHaveLength(1);
    }
    const server = await startServer(({ path }) =>
      path === "/" ? { status: 307, headers: { location: "/b" } } : FOUND,
    );
    await clientWith().exchange(get(server.host, { method: "POST", body: "b" }), run);

    expect(server.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/", "b"],
      ["POST", "/b", "b"],
    ]);
  });

  it("waits while the server holds back another request", async () => {
    const backpressure = new Backpressure();
    const server = await startServer(() => FOUND);
    const startedAt = performance.now();
    backpressure.holdFor(100);
    await clientWith({ backpressure }).exchange(get(server.host), run);

    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(100);
  });

  it("waits if the server would get too many, after the first ones at once", async () => {
    const backpressure = new Backpressure({ perSecond: 50, burst: 5 });
    const server = await startServer(() => FOUND);
    const client = clientWith({ backpressure });
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 15 }, () => client.exchange(get(server.host), run)));

    // The ten after the burst take 20 ms each.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(195);
  });

  it("does not wait for a silent proxy", async () => {
    const client = clientWith({}, `http://${await silentServer()}`);
    const limits = { ...LIMITS, backOffMs: 0 };
    const asked = client.exchange(
      { ...get("nowhere.invalid", { limits }), url: new URL("https://nowhere.invalid") },
      run,
    );

    await expect(asked).rejects.toMatchObject({ code: "LINK_UNREACHABLE", retry: true });
  });
});

describe("an abort", () => {
  it("ends a request without a connection yet", async () => {
    const interruption = new AbortController();
    const dispatcher = openDispatcher({
      ...environmentProxies({ HTTPS_PROXY: `http://${await silentServer()}` }),
      connectMs: HOUR_MS,
    });
    const request = { ...get("x"), url: new URL("https://nowhere.invalid") };
    const asked = clientWith({ dispatcher }).exchange(request, quietRun(interruption.signal));
    setTimeout(() => {
      interruption.abort(new Error("interrupted"));
    }, 50);

    await expect(asked).rejects.toThrow("interrupted");
  });

  it("ends the pause of a request that cannot be sent, without a further attempt", async () => {
    const interruption = new AbortController();
    const log = {
      info: () => undefined,
      warn: () => {
        interruption.abort(new Error("interrupted"));
      },
      with: () => log,
    };
    const attempts: string[] = [];
    const beforeRepeating = (): Promise<void> => Promise.resolve(void attempts.push("another"));
    const limits = { ...LIMITS, backOffMs: HOUR_MS, firstPauseMs: 2_000 };
    const asked = clientWith().exchange(get("127.0.0.1:1", { limits, beforeRepeating }), {
      signal: interruption.signal,
      log,
    });

    await expect(asked).rejects.toThrow("interrupted");
    expect(attempts).toEqual([]);
  });
});

describe("a streamed answer", () => {
  const read = async (host: string, signal?: AbortSignal): Promise<string> => {
    const limits = { ...LIMITS, idleMs: 300 };
    const { status, pieces } = await clientWith().open(get(host, { limits }), quietRun(signal));
    return `${status} ${Buffer.concat(await Array.fromAsync(pieces)).toString()}`;
  };

  it("is retried only until it begins", async () => {
    const first = await startServer((_, index) => (index === 0 ? { status: 503 } : FOUND));
    const cut = await startServer(() => "truncate");

    expect(await read(first.host)).toBe("200 found");
    await expect(read(cut.host)).rejects.toMatchObject({ name: "Fault", code: "LINK_UNREACHABLE", retry: true });
    expect(cut.requests).toHaveLength(1);
  });

  it("may have any status", async () => {
    const gone = await startServer(() => ({ status: 410, body: "gone" }));

    expect(await read(gone.host)).toBe("410 gone");
  });

  it("ends if no data arrives, or with the reason of an abort", async () => {
    const server = await startServer(() => "stall");
    const interruption = new AbortController();

    await expect(read(server.host)).rejects.toMatchObject({
      code: "LINK_UNREACHABLE",
      message: mentions("in time", "stopped"),
    });
    const asked = read(server.host, interruption.signal);
    setTimeout(() => {
      interruption.abort(new Error("interrupted"));
    }, 100);
    await expect(asked).rejects.toThrow("interrupted");
  });
});
