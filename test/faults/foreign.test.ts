import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { run } from "../cli/program.ts";
import { servedIn, serving } from "../cli/syncing.ts";
import { announcePush, linesOf, watching } from "../cli/watching.ts";
import { pathOf } from "../sync/outside.ts";
import { eventually } from "../sync/world.ts";
import { troublesomeProxy, type Trouble } from "../systems/troublesomeProxy.ts";
import { seconds } from "./figures.ts";
import { landscapesThrough } from "./through.ts";

const FOREIGN = ["{}", "null", "[]", "<!DOCTYPE html><html>Please log in</html>"];

/** The kinds of requests that a sync and a controller make. */
const KINDS: Readonly<Record<string, RegExp>> = {
  "lists of templates": /^GET .*moduletemplates\?limit/,
  "lists of release metas": /^GET .*modulereleasemetas\?limit/,
  "lists of Kymas": /^GET .*kymas\?limit/,
  watches: /watch=true/,
  "records and controls": /^GET .*configmaps\/kyma-modules-/,
  "the Lease": /\/leases\//,
  "the writes": /^PATCH .*(moduletemplates|modulereleasemetas|configmaps)/,
  "all requests": /(?:)/,
};

const kindOf = (method: string, path: string): string => `${method} ${path.replaceAll(/\?.*|[\w.-]*\d[\w.-]*$/g, "")}`;

it.for(FOREIGN)(
  "a sync goes on after the answer %s to each kind of request, and ends with 3 if it stays",
  async (body, context) => {
    const seen = new Set<string>();
    let isLasting = false;
    const decide = (_: number, method: string, path: string): Trouble =>
      isLasting || seen.size < seen.add(kindOf(method, path)).size ? { status: 200, body } : "none";
    const { site } = await landscapesThrough((access) => troublesomeProxy(access, decide), context);
    site.commit(serving("1.0.0"));
    const once = await run(["sync", "dev", "--repo", site.repository.path]);
    isLasting = true;
    const always = await run(["sync", "dev", "--repo", site.repository.path]);

    expect([once.code, once.stderr]).toEqual([0, expect.not.stringContaining("Error:")]);
    expect(await servedIn(site.dev, "certs")).toEqual({ fast: "1.0.0" });
    expect([always.code, always.stderr]).toEqual([3, expect.not.stringContaining("TypeError")]);
  },
);

it.for(FOREIGN)("a controller goes on after the answer %s, whatever was asked", async (body, context) => {
  let troubled: RegExp | undefined;
  const decide = (_: number, method: string, path: string): Trouble =>
    troubled?.test(`${method} ${path}`) === true ? { status: 200, body } : "none";
  const { site } = await landscapesThrough((access) => troublesomeProxy(access, decide), context);
  site.commit(serving("1.0.0"));
  const controller = await watching(site);
  for (const landscape of ["dev", "elsewhere"]) await controller.logs({ message: "entry moved", landscape });
  for (const [name, kind] of Object.entries(KINDS)) {
    troubled = kind;
    await site.dev.outside.must("DELETE", pathOf("metas", site.dev.namespace, "certs"));
    await sleep(3_000);
    troubled = undefined;
    const overMs = performance.now();
    await eventually(async () => (await site.dev.read("metas", "certs")) !== undefined);
    console.log(`${name}: all is well ${seconds(overMs)} after ${body}`);
  }
  site.commit(serving("1.1.0"));
  await announcePush(controller.address);
  for (const landscape of ["dev", "elsewhere"])
    await controller.logs({ message: "entry moved", landscape, to: "1.1.0" });

  expect(JSON.stringify(await linesOf(controller))).not.toMatch(/TypeError|itself/);
});
