import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { DashboardState } from "../../../src/dashboard/state.ts";
import { DESKTOP, expectReadable, openPage, servePages } from "../../support/pages.ts";
import { clustersOf } from "../landscapeState.ts";
import { entryIn, HOUR, NOW, reason, sightOf, stateOf, statusIn, verdictOn, waveOf } from "./trainState.ts";

const HOSTILE = `</td><script>alert("x")</script><img src=x onerror=alert(1)>\u202e`;

/** A train with every kind of state, and hostile texts. */
function busyState(): DashboardState {
  const reasons = [
    reason({ topic: "hold", outcome: "blocking", message: HOSTILE, remedy: HOSTILE }),
    reason({ topic: "soak", outcome: "met", source: { kind: "commit", commit: "d".repeat(40) } }),
    reason({ topic: "smoke", outcome: "note", source: { kind: "evidence", source: "javascript:alert(1)" } }),
  ];
  const soaking = [reason({ topic: "soak", outcome: "waiting", metAtMs: NOW + 48 * HOUR })];
  const halt = { sinceMs: NOW - HOUR, reason: HOSTILE };
  const wanted = { kind: "waiting", version: "1.1.0", reason: "it soaks", untilMs: Date.now() + 100_000 } as const;
  const refused = { kind: "refused", version: "1.1.0", reason: HOSTILE, remedy: "Move them." } as const;
  return stateOf(
    [
      statusIn("fast", "istio", "1.1.0"),
      statusIn("regular", "istio", "1.0.0", verdictOn("istio", "blocked", "1.1.0", { reasons })),
      statusIn("fast", "nats", "1.1.0"),
      statusIn(
        "regular",
        "nats",
        "1.0.0",
        verdictOn("nats", "wait", "1.1.0", { reasons: soaking, earliest: { kind: "at", atMs: NOW + 48 * HOUR } }),
      ),
      statusIn("regular", "keda", "1.0.0", verdictOn("keda", "promote", "1.1.0")),
      statusIn("regular", "quiet", "1.0.0", verdictOn("quiet", "nothing", "1.0.0")),
      statusIn("experimental", "pipeline", "0.3.0-experimental"),
      statusIn("mandatory", "warden", "1.0.0"),
    ],
    {
      isRehearsal: true,
      landscapes: [
        sightOf("dev", [
          entryIn("fast", "istio", "1.1.0", {
            wave: waveOf({ halt }),
            clusters: clustersOf({ inOrder: 3, failing: 1 }),
          }),
          entryIn("fast", "nats", "1.1.0"),
        ]),
        sightOf("stage", [
          entryIn("fast", "istio", "1.0.0", { wanted }),
          entryIn("fast", "nats", "1.1.0", { clusters: clustersOf({ inOrder: 2, pending: 1 }) }),
        ]),
        {
          ...sightOf("prod", [entryIn("fast", "nats", "1.0.0", { wanted: refused })]),
          blind: { sinceMs: NOW - HOUR, because: HOSTILE },
        },
      ],
    },
  );
}

describe("the page of the train in a browser", () => {
  it("is accessible at every width, in the light and in the dark", async (context) => {
    const { address } = await servePages(context, busyState());
    const opened = await openPage(context, `${address}/#why-istio`, DESKTOP);

    await expectReadable(opened);
    expect(await opened.page.locator("#why-istio").isVisible()).toBe(true);
    expect(await opened.page.locator("#why-nats").isVisible()).toBe(false);
  });

  it("shows hostile texts as text", async (context) => {
    const { address } = await servePages(context, busyState());
    const { page, complaints } = await openPage(context, `${address}/#why-istio`, DESKTOP);

    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.locator("#why-istio").innerText()).toContain(String.raw`<img src=x onerror=alert(1)>\u202e`);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("works by keyboard: a slash opens the search, and Escape closes reasons", async (context) => {
    const { address } = await servePages(context, busyState());
    const { page } = await openPage(context, address, DESKTOP);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Skip to content");

    await page.locator('#row-istio a[href="#why-istio"]').first().press("Enter");
    expect(await page.locator("#why-istio").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.locator("#why-istio").isVisible()).toBe(false);

    await page.keyboard.press("/");
    await page.keyboard.type("nats");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("h1").innerText()).toBe("1 hit for nats");
  });

  it("updates without a reload, and shows that it is live", async (context) => {
    const pages = await servePages(context, busyState());
    const { page, complaints } = await openPage(context, `${pages.address}/#why-istio`, DESKTOP);
    await expect.poll(() => page.locator("#live").innerText()).toBe("Live");
    const before = busyState();
    pages.state = {
      ...before,
      statuses: before.statuses.map((status) =>
        status.module === "istio" && status.channel === "regular"
          ? { ...status, ...verdictOn("istio", "blocked", "1.9.0") }
          : status,
      ),
    };
    pages.changes.raise();

    await expect.poll(() => page.locator("#row-istio .verdict-gate b").innerText()).toBe("1.9.0");
    expect(await page.locator("#why-istio").isVisible()).toBe(true);
    const blind = (...names: readonly string[]): void => {
      const because = "It does not answer.";
      pages.state = {
        ...pages.state,
        landscapes: before.landscapes.map((sight) => ({
          ...sight,
          blind: names.includes(sight.name) ? { sinceMs: NOW, because } : undefined,
        })),
      };
      pages.changes.raise();
    };
    blind("dev", "prod");
    await expect.poll(() => page.locator(".blind-banner").count()).toBe(2);
    blind();
    await expect.poll(() => page.locator(".blind-banner").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("counts down in the browser, and keeps the chosen theme", async (context) => {
    const { address } = await servePages(context, { ...busyState(), nowMs: Date.now() });
    const { page } = await openPage(context, address, DESKTOP);
    const soak = page.locator("#row-istio time[data-countdown]").first();
    const first = await soak.innerText();

    await expect.poll(() => soak.innerText()).not.toBe(first);
    await page.locator("#theme").click();
    await page.reload();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  });

  it("works without scripts, and is small", async (context) => {
    const { address } = await servePages(context, busyState());
    const answer = await fetch(`${address}/?group=blocked`);
    const text = await answer.text();

    expect(text).toContain('id="row-istio"');
    expect(text).not.toContain('id="row-quiet"');
    expect(gzipSync(text).length).toBeLessThan(40_000);
  });
});
