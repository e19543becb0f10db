import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { textAt } from "../../src/document/fields.ts";
import type { Sample } from "../sync/catalogueFiles.ts";
import { writeKyma } from "../sync/fleet.ts";
import type { World } from "../sync/world.ts";
import { kymaIn } from "../cli/promoting.ts";
import { refuseTemplate } from "../cli/refusing.ts";
import { servedIn, twoLandscapes } from "../cli/syncing.ts";
import { announcePush, configMap, linesOf, statusIn, watching } from "../cli/watching.ts";

const DEV = { landscape: "dev" };

it("an API server that refuses a template stops only that module, is not asked repeatedly, and gets the fix at once", async (context) => {
  const site = await twoLandscapes(context);
  await refuseTemplate(site.dev, "certs-1.1.0");
  site.commit(both("1.0.0"));
  const controller = await watching(site);
  await controller.logs({ message: "entry moved", ...DEV, module: "certs" });
  site.commit(both("1.1.0"));
  await announcePush(controller.address);
  await controller.logs({ message: "object not written", ...DEV, because: /a rule of the house/ });
  await controller.logs({ message: "entry moved", ...DEV, module: "keda", to: "1.1.0" });
  for (let round = 0; round < 4; round++) {
    await writeKyma(site.dev, `k-${round}`, []);
    await sleep(500);
  }
  await expect
    .poll(() => statusIn(site.dev))
    .toMatchObject({
      failures: expect.stringMatching(/^certs: .*a rule of the house/) as string,
    });
  expect(await eventsOn(site.dev, "kyma-modules")).toContainEqual(expect.stringMatching(/^Failed .*a rule of the/));
  expect(await eventsOn(site.dev, "certs")).toContainEqual(
    expect.stringMatching(/^EntryNotMoved fast stays at 1\.0\.0 instead of 1\.1\.0: .*certs-1\.1\.0/),
  );
  const records = await site.dev.outside.must("GET", configMap(site.dev, "kyma-modules-entries"));
  expect(Object.keys(JSON.parse(String(textAt(records, ["data", "entries"]))) as object)).toEqual([
    ...["fast/certs", "fast/keda"],
  ]);
  const status = await kymaIn(site.repository.path, ["status", "dev"]);
  expect([status.code, status.stdout]).toEqual([1, expect.stringMatching(/^failed +certs: .*a rule of the house/m)]);
  site.commit({ channels: { fast: { certs: "1.2.0", keda: "1.1.0" } } });
  await announcePush(controller.address);
  await controller.logs({ message: "entry moved", ...DEV, module: "certs", to: "1.2.0" });
  await expect.poll(() => statusIn(site.dev)).toMatchObject({ failures: "" });
  const refusals = (await linesOf(controller)).filter(({ message }) => message === "object not written");

  expect(refusals).toHaveLength(1);
  expect(await servedIn(site.dev, "certs")).toEqual({ fast: "1.2.0" });
}, 60_000);

function both(version: string): Sample {
  return { channels: { fast: { certs: version, keda: version } } };
}

/** The events of an object: `REASON MESSAGE`. */
async function eventsOn({ outside, namespace }: World, name: string): Promise<readonly string[]> {
  const { body } = await outside.send("GET", `/api/v1/namespaces/${namespace}/events`);
  const events = body["items"] as readonly {
    readonly involvedObject: { readonly name: string };
    readonly reason: string;
    readonly message: string;
  }[];
  return events
    .filter((event) => event.involvedObject.name === name)
    .map(({ reason, message }) => `${reason} ${message}`);
}
