import { connect } from "node:net";
import { expect, test } from "vitest";
import { doubleTown, type DoubleTown } from "../systems/github/doubleClient.ts";

async function createRef(town: DoubleTown, name: string): Promise<number> {
  const sha = town.double.refs().get("refs/heads/main");
  return (await town.ask("POST", "git/refs", { ref: `refs/heads/${name}`, sha })).status;
}

const CREATE = "POST /repos/octo/train/git/refs";

test("a lost response leaves the created ref", async () => {
  const town = await doubleTown();
  town.double.fault({ on: CREATE, trouble: { kind: "lost" } });
  await expect(createRef(town, "promote/a")).rejects.toThrow("fetch failed");
  expect(town.double.refs().has("refs/heads/promote/a")).toBe(true);
  expect(await createRef(town, "promote/a")).toBe(422);
  expect(town.double.requests.map(({ status }) => status)).toEqual([0, 422]);
});

test("a connection that breaks before the request leaves nothing", async () => {
  const town = await doubleTown();
  town.double.fault({ on: CREATE, trouble: { kind: "lost", isBefore: true } });
  await expect(createRef(town, "promote/a")).rejects.toThrow("fetch failed");
  expect(await createRef(town, "promote/a")).toBe(201);
});

test.each([404, 409, 422, 500, 502])("status %i answers only the chosen request", async (status) => {
  const town = await doubleTown();
  town.double.fault({ on: CREATE, nth: 2, times: 2, trouble: { kind: "refused", status } });
  const got = [];
  for (const name of ["a", "b", "c", "d"]) got.push(await createRef(town, name));
  expect(got).toEqual([201, status, status, 201]);
  expect([...town.double.refs().keys()]).toEqual(["refs/heads/a", "refs/heads/d", "refs/heads/main"]);
});

test("a write may succeed although its response is a refusal", async () => {
  const town = await doubleTown();
  const isWrite = ({ method }: { readonly method: string }): boolean => method === "POST";
  town.double.fault({ on: isWrite, trouble: { kind: "refused", status: 502, isAfter: true } });
  expect(await createRef(town, "a")).toBe(502);
  expect(town.double.refs().has("refs/heads/a")).toBe(true);
});

test("a secondary rate limit says when to retry", async () => {
  const { double, ask } = await doubleTown();
  double.fault({ on: "GET", trouble: { kind: "secondary rate limit", retryAfterS: 7 } });
  const got = await ask("GET", "pulls");
  expect(got.status).toBe(403);
  expect(got.headers.get("retry-after")).toBe("7");
  expect(got.body["message"]).toContain("secondary rate limit");
});

test("a branch can be protected against one request", async () => {
  const town = await doubleTown();
  town.double.fault({ on: CREATE, trouble: { kind: "protected" } });
  expect([await createRef(town, "a"), await createRef(town, "a")]).toEqual([422, 201]);
});

test("a response may never arrive", async () => {
  const { double, ask } = await doubleTown();
  double.fault({ on: "GET", trouble: { kind: "hang" } });
  const silence = fetch(`${double.url}/repos/octo/train`, { signal: AbortSignal.timeout(200) });
  await expect(silence).rejects.toThrow("timeout");
  expect((await ask("GET", "")).status).toBe(200);
});

test("a stale read does not contain the last writes", async () => {
  const town = await doubleTown();
  const { double, ask, push } = town;
  push("promote/a", { a: "1" });
  await ask("POST", "pulls", { title: "A", head: "promote/a", base: "main" });
  await createRef(town, "promote/b");
  const names = async (): Promise<readonly string[]> => {
    const got = await ask<readonly { readonly ref: string }[]>("GET", "git/matching-refs/heads/promote/");
    return got.body.map(({ ref }) => ref);
  };
  double.fault({ on: "GET", trouble: { kind: "stale", writes: 1 } });
  expect(await names()).toEqual(["refs/heads/promote/a"]);
  expect((await ask("GET", "pulls")).body).toHaveLength(1);
  double.fault({ on: "GET /repos/octo/train/pulls", trouble: { kind: "stale", writes: 2 } });
  expect((await ask("GET", "pulls")).body).toEqual([]);
  expect(await names()).toEqual(["refs/heads/promote/a", "refs/heads/promote/b"]);
});

test("the hook waits before and after each request, and may drop it", async () => {
  const town = await doubleTown();
  const seen: string[] = [];
  town.double.onRequest(async (number, phase, description) => {
    await Promise.resolve();
    seen.push(`${number} ${phase} ${description}`);
    return phase === "before" ? (number === 2 ? "drop" : undefined) : number === 3 ? "drop" : undefined;
  });
  expect(await createRef(town, "a")).toBe(201);
  await expect(createRef(town, "b")).rejects.toThrow("fetch failed");
  await expect(createRef(town, "c")).rejects.toThrow("fetch failed");
  expect([...town.double.refs().keys()]).toEqual(["refs/heads/a", "refs/heads/c", "refs/heads/main"]);
  expect(seen).toEqual([
    `1 before ${CREATE}`,
    `1 after ${CREATE}`,
    `2 before ${CREATE}`,
    `3 before ${CREATE}`,
    `3 after ${CREATE}`,
  ]);
});

test("a client that is killed while it sends a request causes no write", async () => {
  const { double } = await doubleTown();
  const { port } = new URL(double.url);
  const socket = connect(Number(port), "127.0.0.1");
  await new Promise<void>((sent) => {
    socket.write("POST /repos/octo/train/git/refs HTTP/1.1\r\nhost: double\r\ncontent-length: 99\r\n\r\n{", () => {
      sent();
    });
  });
  socket.destroy();
  await double.close();
  expect([double.requests, [...double.refs().keys()]]).toEqual([[], ["refs/heads/main"]]);
});
