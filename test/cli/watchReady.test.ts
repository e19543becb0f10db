import { expect, it } from "vitest";
import { eventually } from "../sync/world.ts";
import { serving, twoLandscapes } from "./syncing.ts";
import { watching, type Watching } from "./watching.ts";

const isReady = async ({ address }: Watching): Promise<boolean> => (await fetch(`${address}/readyz`)).status === 200;

it("is ready as a standby, and soon takes over from a stopped controller", async (context) => {
  const site = await twoLandscapes(context);
  site.commit(serving("1.0.0"));
  const leader = await watching(site, "dev");
  await leader.logs({ message: "entry moved" });
  const standby = await watching(site, "dev");
  await eventually(() => isReady(standby));

  leader.signal("SIGTERM");
  const { time: stopped } = await leader.logs({ message: "lease given up" });
  const { time: acquired } = await standby.logs({ message: "lease acquired" });
  expect(Date.parse(String(acquired)) - Date.parse(String(stopped))).toBeLessThan(5_000);
  expect(await leader.ended).toMatchObject({ code: 143 });
});
