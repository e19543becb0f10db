import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Agent } from "undici";
import { expect, it } from "vitest";
import { Backpressure, HttpClient } from "../../src/systems/http/client.ts";
import { quietRun } from "../support/quietRun.ts";

const HOUR_MS = 3_600_000;

/** An address at which nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}

it("a request that cannot be sent is not tried again once the run is aborted", async () => {
  const policy = { patienceMs: HOUR_MS, retryAfterMs: 0, firstPauseMs: 100, longestPauseMs: 100 };
  const client = new HttpClient(new Agent(), policy, new Backpressure());
  const interruption = new AbortController();
  const { promise: triedAgain, resolve } = Promise.withResolvers<string>();
  const onPause = (): void => {
    if (interruption.signal.aborted) resolve("it was tried again");
    interruption.abort(new Error("interrupted"));
  };
  const server = await closedPort();
  const request = { method: "GET", server, path: "/", headers: {}, firstByteMs: HOUR_MS, idleMs: HOUR_MS } as const;
  const exchange = client.exchange({ ...request, repeatsTimeouts: true }, onPause, quietRun(interruption.signal));

  expect(
    await Promise.race([
      triedAgain,
      exchange.then(
        () => "it was answered",
        () => "it ended",
      ),
    ]),
  ).toBe("it ended");
});
