import { expect, it } from "vitest";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { eventually } from "../sync/world.ts";
import { serving, twoLandscapes } from "./syncing.ts";
import { kymaIn } from "./promoting.ts";
import { numbers, watching, type Watching } from "./watching.ts";

const isReady = async ({ address }: Watching): Promise<boolean> => (await fetch(`${address}/readyz`)).status === 200;

long("is ready as a standby, and soon takes over from a stopped controller", async (context) => {
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

it("reports a set of another landscape, and is not ready until it is taken over", async (context) => {
  const site = await twoLandscapes(context);
  site.commit(serving("1.0.0"));
  await kymaIn(site.repository.path, ["sync", "dev"]);
  for (const path of ["kyma-modules.yaml", "channels/fast.yaml"])
    site.repository.write({ [path]: site.repository.git("show", `HEAD:${path}`).replace('"dev"', '"renamed"') });
  site.repository.commit();
  const controller = await watching(site, "renamed");
  const lag = async (): Promise<number> => {
    const [sample = ""] = await numbers(controller.address, "revision_lag_seconds");
    return Number(sample.split(" ")[1]);
  };

  await controller.logs({ message: "set refused", landscape: "renamed", remedy: /--take-over-set/ });
  expect(await isReady(controller)).toBe(false);
  const take = "kyma-modules sync renamed --take-over-set";
  expect(await kymaIn(site.repository.path, ["status", "renamed"])).toMatchObject({
    code: 2,
    stdout: mentions("dev of", take),
  });
  await eventually(async () => (await lag()) > 0);
  expect(await kymaIn(site.repository.path, ["sync", "renamed", "--take-over-set"])).toMatchObject({ code: 0 });
  await controller.logs({ message: "trouble is over", landscape: "renamed" });
  await eventually(() => isReady(controller));
  expect(await lag()).toBe(0);
});
