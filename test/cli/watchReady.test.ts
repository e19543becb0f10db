import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../sync/world.ts";
import { kubeconfigFile } from "../systems/kubeconfigFile.ts";
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

it("is not ready while it cannot reach its control plane, and says why", async (context) => {
  const site = await twoLandscapes(context);
  const nobody = kubeconfigFile({ server: "https://127.0.0.1:1" }, {});
  site.commit(serving("1.0.0"));
  const settings = readFileSync(join(site.repository.path, "kyma-modules.yaml"), "utf8");
  site.repository.write({ "kyma-modules.yaml": settings.replaceAll(site.dev.access.kubeconfig, nobody) });
  site.repository.commit();
  const controller = await watching(site, "dev");
  await controller.logs({ message: "pass failed" });

  const answer = await fetch(`${controller.address}/readyz`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("127.0.0.1:1 cannot be reached")]);
});
