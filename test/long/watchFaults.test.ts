import { describe, expect, it } from "vitest";
import { pathOf } from "../sync/outside.ts";
import { eventually } from "../sync/world.ts";
import { kymaIn } from "../cli/promoting.ts";
import { onlyDev, pruned, servedIn, serving, settingsOf, twoLandscapes } from "../cli/syncing.ts";
import { announcePush, linesOf, watching } from "../cli/watching.ts";

const DEV = { landscape: "dev" };

describe("two controllers", () => {
  it("take turns: the standby is ready, and takes over when the leader stops", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(serving("1.0.0"));
    const leader = await watching(site);
    await leader.logs({ message: "entry moved", ...DEV, to: "1.0.0" });
    const standby = await watching(site);
    await standby.logs({ message: "standing by", ...DEV });
    await standby.logs({ message: "standing by", landscape: "elsewhere" });

    expect((await fetch(`${standby.address}/readyz`)).status).toBe(200);
    const sentMs = performance.now();
    leader.signal("SIGTERM");
    await standby.logs({ message: "lease acquired", ...DEV });
    const tookMs = performance.now() - sentMs;
    console.log(`hand-over: ${tookMs.toFixed(0)} ms`);

    expect(tookMs).toBeLessThan(10_000);
    expect(await leader.ended).toMatchObject({ code: 143 });
  }, 60_000);
});

describe("the repository", () => {
  it("may be unreachable: its last commit is served, drift is repaired, and the log says so once", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(serving("1.0.0"));
    const controller = await watching(site);
    await controller.logs({ message: "entry moved", ...DEV, to: "1.0.0" });
    await controller.logs({ message: "entry moved", landscape: "elsewhere", to: "1.0.0" });
    site.repository.git("branch", "--move", "main", "away");
    for (let round = 0; round < 3; round++) await announcePush(controller.address);
    await controller.logs({ message: "fetch failed" });
    await site.dev.outside.must("DELETE", pathOf("templates", site.dev.namespace, "certs-1.0.0"));
    await eventually(async () => (await site.dev.read("templates", "certs-1.0.0")) !== undefined);

    expect((await fetch(`${controller.address}/readyz`)).status).toBe(200);
    site.repository.git("branch", "--move", "away", "main");
    site.commit(serving("1.1.0"));
    await announcePush(controller.address);
    await controller.logs({ message: "entry moved", ...DEV, to: "1.1.0" });

    const failures = (await linesOf(controller)).filter(({ message }) => message === "fetch failed");
    const reasons = failures.map(({ because }) => because);
    expect(reasons).toContainEqual(expect.stringContaining("has no branch main"));
    expect(new Set(reasons).size).toBe(reasons.length);
  }, 60_000);

  it("may have no commit to serve at the start: that is said, and the fix is served", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(serving("1.0.0"), "broken", { "kyma-modules.yaml": "format: 9" });
    const controller = await watching(site);
    await controller.logs({ message: "fetch failed", because: /cannot be read.*kyma-modules\.yaml:1/ });
    const answer = await fetch(`${controller.address}/readyz`);

    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("kyma-modules.yaml:1")]);
    site.commit(serving("1.0.0"));
    await announcePush(controller.address);
    await controller.logs({ message: "entry moved", ...DEV, to: "1.0.0" });
  }, 60_000);

  it("may drop a landscape that the controller was started for: it is left as it is, and the others are served, also after a restart", async (context) => {
    const site = await twoLandscapes(context);
    const { repository, elsewhere } = site;
    site.commit(serving("1.0.0"));
    site.commit(serving("1.0.0"), "pruned", pruned(site));
    const first = await watching(site, "dev", "elsewhere");
    for (const landscape of ["dev", "elsewhere"]) await first.logs({ message: "entry moved", landscape, to: "1.0.0" });
    site.commit(serving("1.1.0"), "dropped", onlyDev(settingsOf(site)));
    await announcePush(first.address);
    await first.logs({ message: "lease given up", landscape: "elsewhere" });
    await first.logs({ message: "landscape not followed", landscape: "elsewhere", because: /It has: dev\./ });
    await first.logs({ message: "entry moved", ...DEV, to: "1.1.0" });
    first.signal("SIGTERM");
    await first.ended;
    const second = await watching(site, "dev", "elsewhere");
    await second.logs({ message: "landscape not followed", landscape: "elsewhere" });
    site.commit(serving("1.2.0"), "next", onlyDev(settingsOf(site)));
    await announcePush(second.address);
    await second.logs({ message: "entry moved", ...DEV, to: "1.2.0" });
    expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.0.0" });

    repository.git("revert", "--no-edit", "HEAD", "HEAD~1");
    await announcePush(second.address);
    await second.logs({ message: "trouble is over", landscape: "elsewhere" });
    expect((await linesOf(second)).filter(({ message }) => message === "landscape not followed")).toHaveLength(1);
  }, 60_000);

  it("may be rewritten without a landscape that has not served the lost commits: it is left as it is", async (context) => {
    const site = await twoLandscapes(context);
    const { repository, elsewhere } = site;
    site.commit(serving("1.0.0"));
    site.commit(serving("1.0.0"), "pruned", pruned(site));
    const controller = await watching(site);
    for (const landscape of ["dev", "elsewhere"]) await controller.logs({ message: "entry moved", landscape });
    await kymaIn(repository.path, ["sync", "pause", "elsewhere", "--reason", "INC-3"]);
    site.commit(serving("1.1.0"), "lost", pruned(site));
    await announcePush(controller.address);
    await controller.logs({ message: "entry moved", ...DEV, to: "1.1.0" });
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    site.commit(serving("1.2.0"), "dropped", onlyDev(settingsOf(site)));
    await announcePush(controller.address);
    await controller.logs({ message: "commit held", ...DEV });
    const because = /landscape elsewhere\b/;
    await controller.logs({ message: "pass failed", landscape: "elsewhere", because });

    expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.0.0" });
  }, 60_000);

  it("may have broken settings: nothing changes, even for a controller that starts then", async (context) => {
    const site = await twoLandscapes(context);
    const served = site.commit(serving("1.0.0"));
    const first = await watching(site);
    await first.logs({ message: "entry moved", ...DEV, to: "1.0.0" });
    await first.logs({ message: "entry moved", landscape: "elsewhere", to: "1.0.0" });
    const settings = settingsOf(site);
    const [dev, elsewhere] = settings.landscapes;
    const broken = JSON.stringify({ ...settings, landscapes: [dev, { ...elsewhere, namespace: 7 }] });
    site.commit(serving("1.1.0"), "broken settings", { "kyma-modules.yaml": broken });
    await announcePush(first.address);
    for (const landscape of ["dev", "elsewhere"]) await first.logs({ message: "commit held", landscape });
    first.signal("SIGTERM");
    await first.ended;
    const second = await watching(site);
    for (const landscape of ["dev", "elsewhere"]) {
      await second.logs({ message: "commit held", landscape });
      const world = landscape === "dev" ? site.dev : site.elsewhere;
      await world.outside.must("DELETE", pathOf("templates", world.namespace, "certs-1.0.0"));
      await second.logs({ message: "object written", landscape, revision: served });

      expect(await servedIn(world, "certs")).toEqual({ fast: "1.0.0" });
    }
  }, 60_000);
});
