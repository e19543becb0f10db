import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Forge } from "../../../src/ports.ts";
import { mentions } from "../../support/mentions.ts";
import { faultOf, forgeTown, PERSONS, proposeNew, readyTown, type ForgeTown } from "./forgeTown.ts";

describe("a rate limit", () => {
  it("reserves its last tenth for hot-fixes", async () => {
    const town = await forgeTown({ settings: { limit: 5_000, remaining: 490 } });
    const fault = await faultOf(proposeNew(town));

    expect(fault).toMatchObject({ code: "FORGE_BUSY", retry: true });
    expect(fault.message).toMatch(/\b489\b.*\b5000\b.*\bhot-fixes\b.* 20\d\d-\S+Z\b/);
    expect(town.double.requests.map(({ method }) => method)).toEqual(["GET"]);
    expect(await proposeNew(town, true)).toMatchObject({ pull: { number: 1 } });
  });

  it("of GraphQL is counted separately", async () => {
    const { town, forge, draft, proposal } = await readyTown({ checks: "pending", points: 490 });
    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "waiting" });
    const fault = await faultOf(forge.merge(proposal, draft, town.run));

    expect(fault).toMatchObject({ code: "FORGE_BUSY", retry: true });
    expect(fault.message).toEqual(mentions("490", "5000"));
  });

  it("that is used up tells until when", async () => {
    const town = await forgeTown({ settings: { remaining: 0 } });
    const fault = await faultOf((await town.open()).look(["promote/"], town.run));

    expect(fault).toMatchObject({ code: "FORGE_BUSY", retry: true });
    expect(fault.message).toMatch(/ 20\d\d-\S+Z\b/);
    expect(town.waitedMs()).toBe(0);
  });

  it("of too many concurrent writes is waited for as long as GitHub demands", async () => {
    const town = await forgeTown();
    town.double.fault({ on: "POST ", nth: 3, trouble: { kind: "secondary rate limit", retryAfterS: 17 } });

    expect(await proposeNew(town)).toMatchObject({ pull: { number: 1 } });
    expect(town.waitedMs()).toBe(17_000);
  });

  it("that lasts longer than a minute is not waited for", async () => {
    const town = await forgeTown();
    town.double.fault({ on: "POST ", times: 9, trouble: { kind: "secondary rate limit", retryAfterS: 25 } });
    const fault = await faultOf(proposeNew(town));

    expect(fault).toMatchObject({ code: "FORGE_BUSY" });
    expect(town.waitedMs()).toBe(50_000);
  });

  it("of writes is respected", async () => {
    const town = await forgeTown();
    town.double.setNow(Date.now());
    const forge = await town.open();
    for (let index = 0; index < 6; index++) {
      await forge.propose(town.draft({ branch: `promote/regular/m${index}` }), undefined, town.run);
    }

    expect(town.waitedMs()).toBeGreaterThan(0);
  });
});

describe("the limit of requests that create content in an hour", () => {
  const START_MS = Date.parse("2026-03-02T10:00:00Z");

  /** A double that takes 40, after a proposal and 32 more of them by many runs. */
  async function crowdedTown(): Promise<{ town: ForgeTown; open: () => Promise<Forge> }> {
    const town = await forgeTown({ settings: { writesPerHour: 40 } });
    town.double.setNow(START_MS);
    const retryPolicy = { answerMs: 60_000, waitMs: 60_000, firstPauseMs: 500, repeats: 4, writesPerHour: 40 };
    const open = (): Promise<Forge> => town.open({ retryPolicy });
    const first = await (await open()).propose(town.draft(), undefined, town.run);
    for (let index = 0; index < 32; index++) await (await open()).close(first, "It is held.", town.run);
    return { town, open };
  }

  it("is counted over all runs, and its last tenth is reserved for hot-fixes", async () => {
    const { town, open } = await crowdedTown();
    const draft = town.draft({ branch: "promote/regular/telemetry" });
    const fault = await faultOf((await open()).propose(draft, undefined, town.run));
    expect(fault).toMatchObject({ code: "FORGE_BUSY", retry: true });
    expect(fault.message).toMatch(
      /\bpromote\/regular\/telemetry: 127\.0\.0\.1:\d+ .*\b40\b.*\b36\b.*\bhot-fixes\b.* 2026-03-02T11:00:0\dZ\b/,
    );

    const urgent = { ...draft, isUrgent: true };
    expect(await (await open()).propose(urgent, undefined, town.run)).toMatchObject({ pull: { number: 2 } });
    const late = await faultOf((await open()).propose({ ...urgent, branch: "hold/istio" }, undefined, town.run));
    expect(late).toMatchObject({ code: "FORGE_BUSY", retry: true, message: mentions("hold/istio", "40", "40") });
    expect(town.double.requests.filter(({ status }) => status === 403)).toEqual([]);
  });

  it("is free again after an hour", async () => {
    const { town, open } = await crowdedTown();
    town.double.setNow(START_MS + 3_700_000);

    const draft = town.draft({ branch: "promote/regular/telemetry" });
    expect(await (await open()).propose(draft, undefined, town.run)).toMatchObject({ pull: { number: 2 } });
  });

  it("is enforced by GitHub if the account is lost", async () => {
    const { town, open } = await crowdedTown();
    rmSync(town.cacheFolder, { recursive: true });
    town.double.settings.writesPerHour = 36;
    const fault = await faultOf((await open()).propose(town.draft({ branch: "hold/istio" }), undefined, town.run));

    expect(fault).toMatchObject({ code: "FORGE_BUSY", retry: true });
    expect(fault.message).toContain("You have exceeded a secondary rate limit");
  });

  it("is counted by each run alone if the account cannot be written, which is logged once", async () => {
    const { town } = await crowdedTown();
    const [file = ""] = readdirSync(town.cacheFolder);
    const forge = await town.open({ cacheFolder: join(town.cacheFolder, file, "below-a-file") });
    const draft = town.draft({ branch: "hold/istio" });

    expect(await forge.propose(draft, undefined, town.run)).toMatchObject({ pull: { number: 2 } });
    expect(town.warnings.filter((text) => text.includes("counted"))).toEqual([mentions("requests", "counted", file)]);
  });
});

describe("a server", () => {
  it("that fails briefly is asked again", async () => {
    const town = await forgeTown();
    town.double.fault({ on: "GET ", times: 2, trouble: { kind: "refused", status: 503 } });

    expect(await proposeNew(town)).toMatchObject({ pull: { number: 1 } });
  });

  it("that keeps failing causes a fault", async () => {
    const town = await forgeTown();
    town.double.fault({ on: "GET ", times: 99, trouble: { kind: "refused", status: 500 } });
    const fault = await faultOf((await town.open()).propose(town.draft(), undefined, town.run));

    expect(fault).toMatchObject({ code: "FORGE_UNREACHABLE", retry: true });
    expect(fault.message).toMatch(/\bmain: 127\.0\.0\.1:\d+ .*\b500\b/);
    expect(town.double.requests.length).toBe(5);
  });

  it("that does not answer causes a fault in time", async () => {
    const town = await forgeTown();
    town.double.fault({ on: "GET ", times: 99, trouble: { kind: "hang" } });
    const retryPolicy = { answerMs: 50, waitMs: 60_000, firstPauseMs: 10, repeats: 1, writesPerHour: 500 };
    const fault = await faultOf((await town.open({ retryPolicy })).propose(town.draft(), undefined, town.run));

    expect(fault).toMatchObject({ code: "FORGE_TIMEOUT", retry: true, message: mentions("main", "127.0.0.1") });
  });

  it("that is not reachable causes a fault that says what to check", async () => {
    const town = await forgeTown();
    const variables = { ...PERSONS, GITHUB_API_URL: "http://127.0.0.1:9" };
    const fault = await faultOf((await town.open({ variables })).look(["promote/"], town.run));

    expect(fault).toMatchObject({ code: "FORGE_UNREACHABLE" });
    expect(fault.message).toContain("Check GITHUB_API_URL");
  });

  it("gets no further requests once the run is aborted", async () => {
    const town = await forgeTown();
    const stop = new AbortController();
    town.double.fault({ on: "GET ", trouble: { kind: "hang" } });
    const forge = await town.open();
    const work = forge.propose(town.draft(), undefined, { ...town.run, signal: stop.signal });
    town.double.onRequest(() => {
      stop.abort(new Error("interrupted"));
      return undefined;
    });

    await expect(work).rejects.toThrow("interrupted");
    expect(town.double.requests.length).toBe(1);
  });
});
