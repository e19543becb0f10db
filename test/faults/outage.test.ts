import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { serving } from "../cli/syncing.ts";
import { announcePush, watching } from "../cli/watching.ts";
import { pathOf } from "../sync/outside.ts";
import { relayed } from "../sync/relay.ts";
import { eventually } from "../sync/world.ts";
import { seconds } from "./figures.ts";
import { landscapesThrough } from "./through.ts";

const DEV = { landscape: "dev" };

it.for([3, 60])("continues after the API server was unreachable for %d s", async (outageS, context) => {
  const { site, between } = await landscapesThrough(relayed, context);
  site.commit(serving("1.0.0"));
  const controller = await watching(site);
  await controller.logs({ message: "entry moved", ...DEV, to: "1.0.0" });
  await controller.logs({ message: "entry moved", landscape: "elsewhere", to: "1.0.0" });
  await sleep(1_000);
  const versions = await site.elsewhere.versions();
  between.sever();
  await site.dev.outside.must("DELETE", pathOf("templates", site.dev.namespace, "certs-1.0.0"));
  await sleep(outageS * 1000);
  const restoredMs = performance.now();
  between.restore();
  await eventually(async () => (await site.dev.read("templates", "certs-1.0.0")) !== undefined);
  console.log(`after an outage of ${outageS} s, drift is repaired within ${seconds(restoredMs)}`);
  await sleep(3_000);

  expect(await site.elsewhere.versions()).toEqual(versions);
  site.commit(serving("1.1.0"));
  await announcePush(controller.address);
  await controller.logs({ message: "entry moved", ...DEV, to: "1.1.0" });
});
