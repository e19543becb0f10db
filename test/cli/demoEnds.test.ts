import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { needControlPlane } from "../support/needControlPlane.ts";
import { kill, processesWith } from "../systems/embedded/processes.ts";
import { kubeconfigIn, ownTemporaryFolder, smallRepository } from "./demonstrating.ts";
import { run, start } from "./program.ts";

beforeEach((context) => {
  needControlPlane(context);
});

describe("kyma-modules demo at its end", () => {
  it("refuses an invalid repository and invalid definitions before it starts anything", async () => {
    const repository = smallRepository();

    expect(await run(["demo", "--repo", join(repository, "channels")])).toMatchObject({ code: 2 });
    const { code, stderr } = await run(["demo", "--repo", repository, "--crds", join(repository, "channels")]);
    expect(stderr).toContain("There is no CustomResourceDefinition in");
    expect(code).toBe(2);
  });

  it.each([
    ["while it starts its control planes", /Starting etcd/],
    ["while it syncs", /Installing/],
  ])("leaves nothing behind after SIGTERM %s", async (_when, moment) => {
    const { environment, left } = ownTemporaryFolder();
    const demo = start(["demo", "--repo", smallRepository()], environment);
    await demo.says(moment);
    demo.signal("SIGTERM");

    expect((await demo.ended).code).toBe(143);
    expect(left()).toEqual([]);
  });

  it("leaves nothing behind after Ctrl-C while a control plane restarts", async () => {
    const demo = start(["demo", "--repo", smallRepository()]);
    const said = await demo.says(/export KUBECONFIG.*\n/);
    const folder = dirname(kubeconfigIn(said));
    kill("kube-apiserver", folder);
    await demo.says(/is restarted/);
    demo.signal("SIGINT");

    expect(said).toMatch(/^No web pages: \S+ is not a Git repository with a commit/m);
    expect((await demo.ended).code).toBe(130);
    expect([existsSync(folder), processesWith(folder)]).toEqual([false, []]);
  });
});
