import { describe, expect, it } from "vitest";
import type { World } from "../sync/world.ts";
import { troublesomeProxy } from "../systems/troublesomeProxy.ts";
import { kymaIn } from "./promoting.ts";
import { documentOf, landscapesOf, leaseTo, SAMPLE, servedIn, serving, twoLandscapes, type Item } from "./syncing.ts";
import { long } from "../support/long.ts";

const JSON_FORMAT = ["--format", "json"];
const NOW = ["--now", "--reason", "the registry is on fire"];

/** The parent of a set: where it says whose it is. */
async function parentOf(world: World): Promise<Readonly<Record<string, string>>> {
  return (await world.read("configmaps", "kyma-modules"))?.metadata.annotations ?? {};
}

/** What became of the parent, as the document says it. */
function ofParent(items: readonly Item[]): Item | undefined {
  return items.find(({ object }) => (object as { kind?: string } | undefined)?.kind === "ConfigMap");
}

describe("the owner of a landscape's set", () => {
  it("is recorded: the repository, the landscape, the generation and the commit", async (context) => {
    const { repository, dev, commit } = await twoLandscapes(context);
    const revision = commit(SAMPLE);
    await kymaIn(repository.path, ["sync", "dev"]);

    expect(await parentOf(dev)).toMatchObject({
      "kyma-modules/repository": `root-${revision}`,
      "kyma-modules/landscape": "dev",
      "kyma-modules/generation": "version-templates",
      "kyma-modules/revision": revision,
    });
  });

  it("keeps out another repository, which may take the set over", async (context) => {
    const { repository, dev, commit, other } = await twoLandscapes(context);
    commit(serving("1.0.0"), "ours");
    await kymaIn(repository.path, ["sync", "dev"]);
    const before = await dev.versions();
    const theirs = other();
    const revision = theirs.commit(serving("2.0.0"), "theirs");

    const refused = await kymaIn(theirs.repository.path, ["sync", "dev", ...JSON_FORMAT]);
    const after = await dev.versions();
    const planned = await kymaIn(theirs.repository.path, ["plan", "dev"]);
    const passed = await kymaIn(theirs.repository.path, ["sync", "dev", ...NOW, "--rewind", "--adopt"]);
    const taken = await kymaIn(theirs.repository.path, ["sync", "dev", "--take-over-set"]);

    expect([refused.code, planned.code, passed.code]).toEqual([1, 1, 1]);
    expect(ofParent(documentOf("sync", refused.stdout).items)).toMatchObject({ kind: "refused", refusal: "other-set" });
    expect(after).toEqual(before);
    expect(taken.code).toBe(0);
    expect(await servedIn(dev, "certs")).toEqual({ fast: "2.0.0" });
    expect(await parentOf(dev)).toMatchObject({ "kyma-modules/repository": `root-${revision}` });
  });

  it("keeps out a landscape with the address of another one", async (context) => {
    const { repository, dev, elsewhere, commit } = await twoLandscapes(context);
    commit(SAMPLE);
    await kymaIn(repository.path, ["sync", "dev"]);
    const before = await dev.versions();
    const settings = repository.git("show", "HEAD:kyma-modules.yaml").replace(elsewhere.namespace, dev.namespace);
    repository.write({ "kyma-modules.yaml": settings });
    repository.commit("mixed up");

    expect(await kymaIn(repository.path, ["sync", "elsewhere"])).toMatchObject({ code: 1 });
    expect(await dev.versions()).toEqual(before);
  });
});

describe("the commit that a landscape serves", () => {
  it("is not rewound by a late job, which has nothing to do", async (context) => {
    const { repository, dev, commit } = await twoLandscapes(context);
    const older = commit(serving("1.0.0"));
    const newer = commit(serving("1.1.0"));
    await kymaIn(repository.path, ["sync", "dev"]);
    const before = await dev.versions();

    const late = await kymaIn(repository.path, ["sync", "dev", "--revision", older, ...JSON_FORMAT]);
    const planned = await kymaIn(repository.path, ["plan", "dev", "--revision", older, "--exit-code", ...JSON_FORMAT]);
    const told = await kymaIn(repository.path, ["sync", "dev", "--revision", older]);

    const superseded = [{ landscape: "dev", kind: "superseded", by: newer }];
    expect(documentOf("sync", late.stdout).items).toEqual(superseded);
    expect(documentOf("plan", planned.stdout).items).toEqual(superseded);
    expect(told.stdout).toMatch(new RegExp(`^dev: superseded: .*${newer.slice(0, 10)}`));
    expect([late.code, planned.code, told.code]).toEqual([0, 0, 0]);
    expect(await dev.versions()).toEqual(before);
  });

  long("is rewound on request", async (context) => {
    const { repository, dev, commit } = await twoLandscapes(context);
    const older = commit(serving("1.0.0"));
    commit(serving("1.1.0"));
    await kymaIn(repository.path, ["sync", "dev"]);

    expect(await kymaIn(repository.path, ["sync", "dev", "--revision", older, "--rewind"])).toMatchObject({ code: 0 });
    expect(await servedIn(dev, "certs")).toEqual({ fast: "1.0.0" });
    expect(await parentOf(dev)).toMatchObject({ "kyma-modules/revision": older });
  });

  it("is kept by a history that does not descend from it, unless --rewind is given", async (context) => {
    const { repository, dev, commit } = await twoLandscapes(context);
    commit(serving("1.0.0"));
    commit(serving("1.1.0"));
    await kymaIn(repository.path, ["sync", "dev"]);
    const before = await dev.versions();
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    const rewritten = commit(serving("1.2.0"));

    const refused = await kymaIn(repository.path, ["sync", "dev", ...JSON_FORMAT]);
    const after = await dev.versions();
    const rewound = await kymaIn(repository.path, ["sync", "dev", "--rewind"]);

    expect(ofParent(documentOf("sync", refused.stdout).items)).toMatchObject({ kind: "refused", refusal: "other-set" });
    expect(refused.code).toBe(1);
    expect(after).toEqual(before);
    expect(rewound.code).toBe(0);
    expect(await servedIn(dev, "certs")).toEqual({ fast: "1.2.0" });
    expect(await parentOf(dev)).toMatchObject({ "kyma-modules/revision": rewritten });
  });

  it("is not guessed in a shallow clone: exit 2", async (context) => {
    const { repository, dev, commit } = await twoLandscapes(context);
    commit(serving("1.0.0"));
    commit(serving("1.1.0"));
    repository.git("clone", "--quiet", "--depth=1", `file://${repository.path}`, "shallow");

    const { code, stderr } = await kymaIn(`${repository.path}/shallow`, ["sync", "dev"]);

    expect(stderr).toContain("git fetch --unshallow");
    expect(code).toBe(2);
    expect(await dev.versions()).toEqual({});
  });
});

describe("a second writer", () => {
  long("waits until its limit, then exits 3 with the name of the first", async (context) => {
    const { repository, dev, commit } = await twoLandscapes(context);
    commit(SAMPLE);
    const end = await leaseTo("robot-7", dev);

    const busy = await kymaIn(repository.path, ["sync", "dev", "--wait", "1s", ...JSON_FORMAT]);
    const written = await dev.versions();
    const planned = await kymaIn(repository.path, ["plan", "dev"]);
    await end();
    const free = await kymaIn(repository.path, ["sync", "dev", "--wait", "1s"]);

    expect(busy.stderr).toContain("robot-7");
    expect(documentOf("sync", busy.stdout).items).toMatchObject([
      { landscape: "dev", kind: "failed", fault: { code: "CLUSTER_BUSY" } },
    ]);
    expect(busy.code).toBe(3);
    expect(written).toEqual({});
    expect([planned.code, free.code]).toEqual([0, 0]);
  });

  it("starts when the first has ended", async (context) => {
    const { repository, dev, commit } = await twoLandscapes(context);
    commit(SAMPLE);
    const end = await leaseTo("robot-7", dev);
    const second = kymaIn(repository.path, ["sync", "dev", "--wait", "20s"]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const meanwhile = await dev.versions();
    await end();

    expect(await second).toMatchObject({ code: 0 });
    expect(meanwhile).toEqual({});
    expect(await dev.list("metas")).toHaveLength(1);
  });

  it("finds the Lease free after a sync", async (context) => {
    const { repository, commit } = await twoLandscapes(context);
    commit(SAMPLE);
    await kymaIn(repository.path, ["sync", "dev"]);

    expect(await kymaIn(repository.path, ["sync", "dev", "--wait", "0s"])).toMatchObject({ code: 0 });
  });
});

describe("a clock that differs from that of the API server", () => {
  it("writes nothing: a soak would end too early", async (context) => {
    const { dev, elsewhere } = await twoLandscapes(context);
    const { kubeconfig } = await troublesomeProxy(dev.access, () => ({ clockMs: -7_200_000 }));
    const throughProxy = { ...dev, access: { ...dev.access, kubeconfig } };
    const { repository, commit } = landscapesOf({ dev: throughProxy, elsewhere });
    commit(SAMPLE);
    const { code, stderr } = await kymaIn(repository.path, ["sync", "dev"]);

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/\b2h ahead\b.*\bclock\b/) as string,
    });
    expect(await dev.read("configmaps", "kyma-modules")).toBeUndefined();
  });
});
