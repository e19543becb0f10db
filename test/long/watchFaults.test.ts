import { describe, expect, it } from "vitest";
import { pathOf } from "../sync/outside.ts";
import { eventually } from "../sync/world.ts";
import { serving, twoLandscapes } from "../cli/syncing.ts";
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
});
