import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { serving, twoLandscapes } from "../cli/syncing.ts";
import { watching } from "../cli/watching.ts";
import { kubeconfigFile } from "../systems/kubeconfigFile.ts";

it("a controller is not ready while it cannot reach its control plane, and says why", async (context) => {
  const site = await twoLandscapes(context);
  const unreachable = kubeconfigFile({ server: "https://127.0.0.1:1" }, {});
  site.commit(serving("1.0.0"));
  const settings = readFileSync(join(site.repository.path, "kyma-modules.yaml"), "utf8");
  site.repository.write({ "kyma-modules.yaml": settings.replaceAll(site.dev.access.kubeconfig, unreachable) });
  site.repository.commit();
  const controller = await watching(site, "dev");
  await controller.logs({ message: "pass failed" });

  const answer = await fetch(`${controller.address}/readyz`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("127.0.0.1:1 cannot be reached")]);
});
