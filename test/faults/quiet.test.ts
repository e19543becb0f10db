import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { serving } from "../cli/syncing.ts";
import { linesOf, watching } from "../cli/watching.ts";
import { pathOf } from "../sync/outside.ts";
import { troublesomeProxy, type Trouble } from "../systems/troublesomeProxy.ts";
import { seconds } from "./figures.ts";
import { landscapesThrough } from "./through.ts";

const DEV = { landscape: "dev" };

it("an idle controller sends no requests except for its watches and its Leases", async (context) => {
  const { site, between } = await landscapesThrough((access) => troublesomeProxy(access, () => "none"), context);
  site.commit(serving("1.0.0"));
  const controller = await watching(site);
  for (const landscape of ["dev", "elsewhere"]) await controller.logs({ message: "entry moved", landscape });
  await sleep(3_000);
  const before = between.requests.length;
  await sleep(20_000);
  const requests = between.requests.slice(before);
  console.log(`an idle controller of two landscapes sends ${requests.length} requests in 20 s`);

  expect(requests.filter((request) => !/watch=|\/leases\//.test(request))).toEqual([]);
  expect(requests.length).toBeLessThan(20);
});

it("an object whose repairs another client undoes is contested after three, and does not keep the controller busy", async (context) => {
  const { site, between } = await landscapesThrough((access) => troublesomeProxy(access, () => "none"), context);
  site.commit(serving("1.0.0"));
  const controller = await watching(site);
  for (const landscape of ["dev", "elsewhere"]) await controller.logs({ message: "entry moved", landscape });
  await sleep(1_000);
  const before = between.requests.length;
  const path = `${pathOf("templates", site.dev.namespace, "certs-1.0.0")}?fieldManager=rival`;
  for (let round = 0; round < 40; round++) {
    await site.dev.outside.must("PATCH", path, { spec: { info: { repository: "https://rival" } } }, "merge-patch");
    await sleep(250);
  }
  await sleep(5_000);
  const written = between.requests
    .slice(before)
    .filter((request) => request.startsWith("PATCH") && request.includes("moduletemplates"));
  console.log(`40 writes of a rival cause ${written.length} repairs and ${between.requests.length - before} requests`);

  expect(written.length).toBeLessThanOrEqual(3);
});

it.for<[string, number, (index: number, method: string, path: string) => Trouble]>([
  ["answers 503 to every other request", 20, (index) => (index % 2 === 0 ? { status: 503 } : "none")],
  [
    "answers 429 to every other request",
    20,
    (index) => (index % 2 === 0 ? { status: 429, headers: { "retry-after": "1" } } : "none"),
  ],
  [
    "no longer knows old versions",
    20,
    (index, _, path) =>
      path.includes("watch=") && index % 2 === 0 ? { status: 410, body: '{"kind":"Status","code":410}' } : "none",
  ],
  ["breaks off responses", 20, (index) => (index % 3 === 0 ? "break within" : "none")],
])("recovers soon after an API server that %s for a while", async ([, lastS, decide], context) => {
  let isTroubled = false;
  const { site, between } = await landscapesThrough(
    (access) => troublesomeProxy(access, (...request) => (isTroubled ? decide(...request) : "none")),
    context,
  );
  site.commit(serving("1.0.0"));
  const controller = await watching(site);
  for (const landscape of ["dev", "elsewhere"]) await controller.logs({ message: "entry moved", landscape });
  isTroubled = true;
  const before = between.requests.length;
  await site.dev.outside.must("DELETE", pathOf("templates", site.dev.namespace, "certs-1.0.0"));
  await sleep(lastS * 1000);
  isTroubled = false;
  const overMs = performance.now();
  await site.dev.outside.must("DELETE", pathOf("metas", site.dev.namespace, "certs"));
  await controller.logs({ ...DEV, message: "object written", object: "ModuleReleaseMeta/certs" });
  await controller.logs({ ...DEV, message: "object written", object: "ModuleReleaseMeta/certs" });
  console.log(`all is well within ${seconds(overMs)}; ${between.requests.length - before} requests`);

  expect((await linesOf(controller)).filter(({ level }) => level === "warning").length).toBeLessThan(30);
});
