import { beforeEach, describe, expect, it } from "vitest";
import { writeKyma } from "../sync/fleet.ts";
import { READ, signInAs } from "../sync/users.ts";
import { start } from "./program.ts";
import { forgetIdentity, kymaIn } from "./promoting.ts";
import { serving, twoLandscapes, type TwoLandscapes } from "./syncing.ts";
import { long } from "../support/long.ts";

beforeEach(forgetIdentity);

async function synced(site: TwoLandscapes): Promise<void> {
  site.commit(serving("1.0.0"));
  await kymaIn(site.repository.path, ["sync", "dev"]);
}

function ready(site: TwoLandscapes, name: string): Promise<unknown> {
  return writeKyma(site.dev, name, [{ name: "certs", channel: "fast", version: "1.0.0", state: "Ready" }]);
}

describe("--watch", () => {
  long("shows a roll-out again on every change of its clusters, until Ctrl-C", async (context) => {
    const site = await twoLandscapes(context);
    await synced(site);
    await ready(site, "kyma-1");
    const program = start(["rollout", "certs", "--landscape", "dev", "--watch", "--repo", site.repository.path]);
    await program.says(/ of 1 cluster /);
    await ready(site, "kyma-2");
    await program.says(/ of 2 clusters /);
    program.signal("SIGINT");

    expect(await program.ended).toMatchObject({ code: 130, stderr: "" });
  });

  it("shows a landscape again on every change", async (context) => {
    const site = await twoLandscapes(context);
    await synced(site);
    const program = start(["status", "dev", "--watch", "--repo", site.repository.path]);
    await program.says(/^fast +certs +1\.0\.0 +\S+ +– /m);
    await ready(site, "kyma-1");
    await program.says(/^fast +certs +1\.0\.0 +\S+ +\d of 1 /m);
    await kymaIn(site.repository.path, ["sync", "pause", "dev", "--reason", "INC-1", "--by", "octocat"]);
    await program.says(/^paused +everything: by octocat/m);
    program.signal("SIGINT");

    expect(await program.ended).toMatchObject({ code: 130, stderr: "" });
  });

  long("works with the permission to list but not to watch", async (context) => {
    const site = await twoLandscapes(context);
    await synced(site);
    await ready(site, "kyma-1");
    const leases = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get"] };
    const clusters = { apiGroups: ["operator.kyma-project.io"], resources: ["kymas", "manifests"], verbs: ["list"] };
    const reader = await signInAs([...READ, clusters, leases], site.dev);
    const settings = site.repository.git("show", "HEAD:kyma-modules.yaml");
    site.repository.write({ "kyma-modules.yaml": settings.replace(site.dev.access.kubeconfig, reader.kubeconfig) });
    site.repository.commit("see less");
    const program = start(["status", "dev", "--watch", "--repo", site.repository.path]);
    await program.says(/^fast +certs +1\.0\.0 +\S+ +\d of 1 /m);
    await ready(site, "kyma-2");

    expect(await program.says(/^fast +certs +1\.0\.0 +\S+ +\d of 2 /m)).not.toContain("unknown");
  });

  it("follows only landscapes", async (context) => {
    const { repository } = await twoLandscapes(context);

    expect(await kymaIn(repository.path, ["status", "--watch"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--watch follows landscapes") as string,
    });
  });
});
