import { beforeEach, describe, expect, it } from "vitest";
import { writeKyma } from "../sync/fleet.ts";
import { forgetIdentity, kymaIn } from "./promoting.ts";
import { NOWHERE, rollout, running } from "./rollingOut.ts";
import { serving, twoLandscapes } from "./syncing.ts";
import { long } from "../support/long.ts";

beforeEach(forgetIdentity);

describe("kyma-modules rollout without a landscape", () => {
  long("shows a landscape that still serves a module that no channel brings there any more", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(serving("1.1.0"));
    await kymaIn(site.repository.path, ["sync"]);
    const policy = JSON.stringify({ format: 1, versions: "any", landscapes: ["dev"] });
    const only = { "channels/fast.yaml": policy };
    site.commit(serving("1.1.0"), "leave elsewhere", only);
    await writeKyma(site.elsewhere, "a", running("1.1.0"));
    await writeKyma(site.elsewhere, "b", running("0.9.0"));
    const placed = async (...args: readonly string[]) =>
      (await rollout(site, ...args)).items.map(({ landscape, versions }) => [landscape, versions]);

    const asked = (clusters: number): object =>
      expect.arrayContaining([
        expect.objectContaining({ clusters: expect.objectContaining({ asked: clusters }) as object }),
      ]) as object;
    expect(await placed("certs")).toEqual([
      ["dev", asked(0)],
      ["elsewhere", asked(2)],
    ]);
    expect(await placed("certs@0.9.0")).toEqual([
      ["dev", asked(0)],
      ["elsewhere", asked(1)],
    ]);
    expect(await placed("certs@0.8.0")).toEqual([["dev", asked(0)]]);
  });

  it("does not take a landscape that it cannot read for one without the module", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(serving("1.1.0"));
    const settings = site.repository.git("show", "HEAD:kyma-modules.yaml");
    const [dev = "", elsewhere = ""] = settings.split(/(?="name": "elsewhere")/);
    const nowhere = `${site.repository.path}/nowhere.yaml`;
    site.repository.write({
      "nowhere.yaml": JSON.stringify(NOWHERE),
      "kyma-modules.yaml": dev + elsewhere.replaceAll(site.elsewhere.access.kubeconfig, nowhere),
      "channels/fast.yaml": JSON.stringify({ format: 1, versions: "any", landscapes: ["dev"] }),
    });
    site.repository.commit("leave elsewhere");
    const { code, items } = await rollout(site, "certs");

    expect(code).toBe(3);
    expect(items).toMatchObject([
      { landscape: "dev", unknown: null },
      { landscape: "elsewhere", versions: [], unknown: expect.stringContaining("127.0.0.1:9") as string },
    ]);
  });
});
