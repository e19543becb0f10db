import { describe, expect, it } from "vitest";
import { CONTROLS_NAME } from "../../src/sync/controlStore.ts";
import { writeKyma } from "../sync/fleet.ts";
import { pathOf } from "../sync/outside.ts";
import { eventually } from "../sync/world.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { kymaIn } from "./promoting.ts";
import { run, start } from "./program.ts";
import { documentOf, servedIn, twoLandscapes } from "./syncing.ts";
import { announcePush, numbers, watching } from "./watching.ts";

describe("sync --watch", () => {
  it("serves a push at once, and repairs drift", async (context) => {
    const site = await twoLandscapes(context);
    site.commit({ channels: { fast: { certs: "1.0.0" } } });
    const controller = await watching(site);
    await controller.logs({ message: "entry moved", landscape: "dev", to: "1.0.0" });
    await controller.logs({ message: "entry moved", landscape: "elsewhere", to: "1.0.0" });

    expect((await fetch(`${controller.address}/readyz`)).status).toBe(200);
    site.commit({ channels: { fast: { certs: "1.1.0" } } });
    expect(await announcePush(controller.address)).toBe(202);
    const template = { message: "object written", object: "ModuleTemplate/certs-1.1.0", landscape: "dev" };
    await controller.logs({ message: "entry moved", landscape: "dev", from: "1.0.0", to: "1.1.0" });
    await controller.logs(template);
    expect(await servedIn(site.dev, "certs")).toEqual({ fast: "1.1.0" });

    await site.dev.outside.must("DELETE", pathOf("templates", site.dev.namespace, "certs-1.1.0"));
    await controller.logs(template);
    expect(await site.dev.read("templates", "certs-1.1.0")).toBeDefined();
    const lag = async (): Promise<string> => (await numbers(controller.address, "revision_lag_seconds")).join();
    await expect.poll(lag).toBe("kyma_modules_revision_lag_seconds 0");
    const requests = (await numbers(controller.address, "api_requests_total")).join("\n");
    for (const sample of ['landscape="dev",verb="watch",code="200"', 'landscape="elsewhere",verb="patch",code="201"'])
      expect(requests).toContain(`{${sample}} `);
  });

  long("counts the clusters that do not have a mandatory module in its metrics", async (context) => {
    const site = await twoLandscapes(context);
    await writeKyma(site.dev, "a", []);
    const core = JSON.stringify({ format: 1, kind: "mandatory", versions: "any", landscapes: ["dev", "elsewhere"] });
    const module = { "modules/base/module.yaml": JSON.stringify({ format: 1, owners: ["@org/base"] }) };
    const sample = { channels: { core: { base: "1.0.0" } }, mandatory: ["core"] };
    site.commit(sample, undefined, { "channels/core.yaml": core, ...module });
    const controller = await watching(site, "dev");

    await expect
      .poll(() => numbers(controller.address, "rollout_clusters"))
      .toContainEqual(expect.stringMatching(/module="base".*state="pending"\} 1$/));
  });

  long(
    "carries out the request of a sync, because it is the only writer, also for a commit that it has not fetched yet",
    async (context) => {
      const site = await twoLandscapes(context, { landscape: "dev", soak: "1h" });
      site.commit({ channels: { fast: { certs: "1.0.0" } } });
      const controller = await watching(site);
      await controller.logs({ message: "entry moved", landscape: "dev", to: "1.0.0" });
      const asked = await kymaIn(site.repository.path, [
        "sync",
        "elsewhere",
        "--now",
        "--reason",
        "INC-1",
        "--format",
        "json",
      ]);

      expect(asked).toMatchObject({ code: 0 });
      expect(documentOf("sync", asked.stdout).items).toMatchObject([{ kind: "asked", landscape: "elsewhere" }]);
      expect(await servedIn(site.elsewhere, "certs")).toEqual({ fast: "1.0.0" });
      expect(JSON.stringify(await site.elsewhere.read("configmaps", "kyma-modules-entries"))).toContain("INC-1");

      site.commit({ channels: { fast: { certs: "1.0.1" } } });
      const unannounced = await kymaIn(site.repository.path, ["sync", "dev"]);
      expect(unannounced).toMatchObject({ code: 0, stdout: expect.stringContaining("carried out") as unknown });
      const pushed = site.repository.git("rev-parse", "HEAD");
      site.repository.git("checkout", "--quiet", "-b", "aside");
      site.commit({ channels: { fast: { certs: "1.1.0" } } });
      const unknown = await kymaIn(site.repository.path, ["sync", "dev", "--wait", "2s"]);
      expect(unknown).toMatchObject({ code: 3, stderr: mentions("dev: not synced:", "2 s", "pushed", "--wait 5m") });
      const other = await kymaIn(site.repository.path, ["sync", "dev", "--revision", pushed]);
      expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining("carried out") as unknown });

      const stranger = site.other();
      stranger.commit({ channels: { fast: { certs: "9.0.0" } } });
      const foreign = await kymaIn(stranger.repository.path, ["sync", "dev", "--wait", "2s"]);
      expect(foreign).toMatchObject({ code: 2, stderr: expect.stringMatching(/\bdev of root-[0-9a-f]+/) as unknown });
      expect(JSON.stringify(await site.dev.read("configmaps", CONTROLS_NAME))).not.toContain(
        stranger.repository.git("rev-parse", "HEAD"),
      );
    },
  );

  long("drops the request of an interrupted sync", async (context) => {
    const site = await twoLandscapes(context);
    site.commit({ channels: { fast: { certs: "1.0.0" } } });
    const controller = await watching(site);
    await controller.logs({ message: "entry moved", landscape: "dev", to: "1.0.0" });
    site.repository.git("checkout", "--quiet", "-b", "aside");
    site.commit({ channels: { fast: { certs: "1.1.0" } } });
    const asked = start(["sync", "dev", "--now", "--reason", "INC-7", "--repo", site.repository.path]);
    const requests = async (): Promise<string> =>
      JSON.stringify((await site.dev.read("configmaps", CONTROLS_NAME)) ?? {});
    await eventually(async () => (await requests()).includes("INC-7"));
    asked.signal("SIGINT");

    expect(await asked.ended).toMatchObject({ code: 130, stderr: expect.stringContaining("withdrawn") as unknown });
    expect(await requests()).not.toContain("INC-7");
  });

  it("writes nothing during a pause, and continues when it is resumed", async (context) => {
    const site = await twoLandscapes(context);
    site.commit({ channels: { fast: { certs: "1.0.0", keda: "1.0.0" } } });
    const controller = await watching(site);
    await controller.logs({ message: "entry moved", landscape: "dev", module: "certs", to: "1.0.0" });
    const tell = (...args: readonly string[]): ReturnType<typeof kymaIn> =>
      kymaIn(site.repository.path, ["sync", ...args]);
    const misspelt = await tell("pause", "dev", "cert", "--reason", "INC-2");
    expect(misspelt).toMatchObject({ code: 2, stderr: mentions("error:", "module cert", "certs, keda") });
    expect(await tell("pause", "dev", "certs", "--reason", "INC-2", "--by", "octocat")).toMatchObject({ code: 0 });
    site.commit({ channels: { fast: { certs: "1.1.0", keda: "1.1.0" } } });
    await announcePush(controller.address);
    await controller.logs({ message: "entry moved", landscape: "dev", module: "keda", to: "1.1.0" });

    expect(await servedIn(site.dev, "certs")).toEqual({ fast: "1.0.0" });
    expect((await tell("dev", "--format", "text")).stdout).toContain("octocat paused it");
    expect(await tell("resume", "dev", "certs", "--reason", "over", "--by", "octocat")).toMatchObject({ code: 0 });
    await controller.logs({ message: "entry moved", landscape: "dev", module: "certs", to: "1.1.0" });
  });

  it.each([[], ["dev", "elsewhere"]])("keeps one landscape with --in-cluster, and not %j", async (...landscapes) => {
    const { code, stderr } = await run(["sync", "--watch", "--in-cluster", ...landscapes]);

    expect([code, stderr]).toEqual([2, mentions("error:", "--in-cluster", "one landscape")]);
  });
});
