import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { needControlPlane } from "../support/needControlPlane.ts";
import { ownTemporaryFolder, smallRepository } from "./demonstrating.ts";
import { run, start } from "./program.ts";

beforeEach((context) => {
  needControlPlane(context);
});

describe("kyma-modules demo at its end", () => {
  it("refuses an invalid repository and invalid definitions before it starts anything", async () => {
    const repository = smallRepository();

    expect(await run(["demo", "--repo", join(repository, "channels")])).toMatchObject({ code: 2 });
    const { code, stderr } = await run(["demo", "--repo", repository, "--crds", join(repository, "channels")]);
    expect(stderr).toEqual(mentions("CustomResourceDefinition", join(repository, "channels")));
    expect(code).toBe(2);
  });

  long("leaves nothing behind after SIGTERM while it starts its control planes", async () => {
    const { environment, left } = ownTemporaryFolder();
    const demo = start(["demo", "--repo", smallRepository()], environment);
    await demo.says(/Starting etcd/);
    demo.signal("SIGTERM");

    expect((await demo.ended).code).toBe(143);
    expect(left()).toEqual([]);
  });
});
