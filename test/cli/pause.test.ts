import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTROLS_NAME } from "../../src/sync/controlStore.ts";
import type { World } from "../sync/world.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import type { Ended } from "./program.ts";
import { kymaIn } from "./promoting.ts";
import { twoLandscapes, type TwoLandscapes } from "./syncing.ts";

const SERVED = { channels: { fast: { certs: "1.0.0", keda: "1.0.0" } } };

/** Tells it in the repository of a site, as `by`. */
function tell(
  { repository }: Pick<TwoLandscapes, "repository">,
  by: string,
  ...args: readonly string[]
): Promise<Ended> {
  return kymaIn(repository.path, ["sync", ...args, "--by", by, "--reason", `of ${by}`]);
}

async function pausesIn(world: World): Promise<readonly string[]> {
  const controls = await world.read("configmaps", CONTROLS_NAME);
  const { pauses = "{}" } = (controls?.["data"] ?? {}) as { readonly pauses?: string };
  return Object.keys(JSON.parse(pauses) as object);
}

describe("sync pause and sync resume", () => {
  it("do not touch the set of another repository or landscape", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SERVED);
    await kymaIn(site.repository.path, ["sync", "dev"]);
    await tell(site, "alice", "pause", "dev");
    const stranger = site.other();
    stranger.commit({ channels: { fast: { certs: "9.0.0" } } }, "of others");

    const refusal = { code: 2, stderr: expect.stringMatching(/\bdev of root-[0-9a-f]+/) as unknown };
    expect(await tell(stranger, "bob", "resume", "dev")).toMatchObject(refusal);
    expect(await tell(stranger, "bob", "pause", "dev", "certs")).toMatchObject(refusal);
    const rollout = await kymaIn(stranger.repository.path, ["rollout", "certs", "--landscape", "dev"]);
    expect(rollout.stdout).toMatch(/^dev: not known: .*https:\/\/127\.0\.0\.1:/m);
    expect(rollout.code).toBe(2);
    expect(await pausesIn(site.dev)).toEqual(["*"]);
  });

  long("name remaining pauses, and a replaced pause", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SERVED);

    const early = await tell(site, "alice", "pause", "dev", "certs");
    expect(early.stderr).toEqual(mentions("synced", site.dev.namespace, "https://127.0.0.1"));
    await kymaIn(site.repository.path, ["sync", "dev"]);
    await tell(site, "bob", "pause", "dev");
    expect((await tell(site, "carol", "pause", "dev")).stderr).toMatch(/earlier pause: bob paused it at .*: of bob/);
    const both = await tell(site, "bob", "resume", "dev", "keda");
    expect(both.stderr).toMatch(/dev: keda is unchanged: .*\neverything .*paused: carol/);

    site.commit({ channels: { fast: { certs: "1.1.0", keda: "1.0.0" } } });
    const paused = await kymaIn(site.repository.path, ["sync", "dev"]);
    expect([paused.code, paused.stdout]).toEqual([0, expect.stringContaining("carol paused it")]);
    expect(await kymaIn(site.repository.path, ["plan", "dev"])).toMatchObject({ code: 0 });

    const resumed = await tell(site, "bob", "resume", "dev");
    expect(resumed.stderr).toMatch(/certs is still paused: alice .*: kyma-modules sync resume dev certs --reason TEXT/);
    expect(await pausesIn(site.dev)).toEqual(["certs"]);
    expect((await tell(site, "alice", "resume", "dev", "certs")).stderr).toMatch(/^dev: certs is resumed\b.*\n$/);
    expect(await pausesIn(site.dev)).toEqual([]);
    expect((await tell(site, "alice", "resume", "dev", "certs")).stderr).toContain("dev: certs is unchanged: ");
  });

  it("use the control plane of the commit, regardless of edits and broken modules", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SERVED);
    await kymaIn(site.repository.path, ["sync", "dev"]);
    site.commit(SERVED, "break it", { "channels/fast/keda.yaml": "no: [template" });
    const settings = readFileSync(join(site.repository.path, "kyma-modules.yaml"), "utf8");
    site.repository.write({ "kyma-modules.yaml": settings.replace(site.dev.namespace, site.elsewhere.namespace) });

    expect(await tell(site, "alice", "pause", "dev", "certs")).toMatchObject({ code: 0 });
    expect([await pausesIn(site.dev), await pausesIn(site.elsewhere)]).toEqual([["certs"], []]);
  });
});
