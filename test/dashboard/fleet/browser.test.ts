import { describe, expect, it } from "vitest";
import type { DashboardState } from "../../../src/dashboard/state.ts";
import { DESKTOP, expectReadable, openPage, servePages } from "../../support/pages.ts";
import { fleetSight, stateOf } from "../landscapeState.ts";
import { cluster, fleetOf, NOW } from "./fleetOf.ts";

/** A fleet of so many clusters, of which a few fail with long messages. */
function largeFleet(length = 10_000): DashboardState {
  const users = Array.from({ length }, (_, index) =>
    cluster(`c-${String(index).padStart(6, "0")}`, index % 7 === 0 ? "1.16.2" : "1.17.1", {
      ...(index % 50 === 0 && { state: "Error", cause: `no match for kind "${"PodMonitor".repeat(9)}"` }),
      ...(index % 90 === 1 && { leftOut: "unmanaged" as const }),
      ...(index % 70 === 2 && { state: "Warning", sinceMs: NOW - 60_000 }),
      isWaiting: index % 14 === 0,
    }),
  );
  const regions = Object.fromEntries(users.map(({ kyma = "" }, index) => [kyma, `eu${String((index % 11) * 10)}`]));
  return stateOf([fleetSight("stage", fleetOf([])), fleetSight("prod", fleetOf(users, regions))], NOW);
}

describe("the pages of a fleet in a browser", () => {
  it("are accessible at every width, in the light and in the dark", async (context) => {
    const { address } = await servePages(context, largeFleet(1_000));

    const beside = "/fleet?landscape=prod&module=telemetry&cluster=c-000000";
    for (const path of ["/fleet", "/fleet/prod/c-000000", beside]) {
      await expectReadable(await openPage(context, `${address}${path}`, DESKTOP));
    }
  });

  it("are filtered by the form, and by a click on a number", async (context) => {
    const { address } = await servePages(context, largeFleet());
    const { page, complaints } = await openPage(context, `${address}/fleet`, DESKTOP);
    await page.locator("select[name=state]").selectOption("Error");
    await page.waitForURL(/state=Error/);
    await page.locator(".page-answer", { hasText: "Filtered to" }).waitFor();
    const filtered = await page.locator(".page-answer").textContent();
    await page.getByRole("link", { name: /Error on 1\.16\.2/ }).click();
    await page.waitForURL(/version=1\.16\.2/);

    expect(filtered).toContain("Filtered to");
    expect(await page.locator(".cluster-table tbody tr").count()).toBe(29);
    expect(complaints).toEqual([]);
  });

  it("apply typed and chosen filters without leaving the page, also on the way back", async (context) => {
    const { address } = await servePages(context, largeFleet());
    const { page, complaints } = await openPage(context, `${address}/fleet`, DESKTOP);
    await page.evaluate("window.isSame = true");
    const search = page.locator("form.fleet-filters input[type=search]");
    await search.pressSequentially("c-00042");
    await expect.poll(() => page.locator(".cluster-table tbody tr").count()).toBe(10);
    const typed = [await search.inputValue(), await page.evaluate("document.activeElement.name")];
    await page.locator("select[name=version]").selectOption("1.16.2");
    await expect.poll(() => page.locator(".cluster-table tbody tr").count()).toBe(2);
    const chosen = new URL(page.url()).searchParams;
    await page.goBack();
    await expect.poll(() => page.locator(".cluster-table tbody tr").count()).toBe(10);

    expect(typed).toEqual(["c-00042", "q"]);
    expect([chosen.get("q"), chosen.get("version")]).toEqual(["c-00042", "1.16.2"]);
    expect(await page.locator("select[name=version]").inputValue()).toBe("");
    expect(await page.evaluate("window.isSame")).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("show a cluster in a drawer, by mouse and keyboard, also on the way back", async (context) => {
    const { address } = await servePages(context, largeFleet());
    const from = `${address}/fleet?landscape=prod&module=telemetry&state=Error&page=2`;
    const { page, complaints } = await openPage(context, from, DESKTOP);
    await page.evaluate("window.isSame = true");
    const row = page.locator(".cluster-table tbody th a").nth(3);
    const name = (await row.textContent()) ?? "";
    const drawer = page.getByRole("complementary", { name });
    await row.click();
    await drawer.getByText("telemetry 1.17.1: ").waitFor();
    const opened = [page.url(), await page.evaluate("document.activeElement.ariaLabel")];
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(name);
    const closed = page.url();
    await page.goBack();
    await drawer.waitFor();

    expect(opened).toEqual([`${from}&cluster=${name}`, "Close the cluster"]);
    expect(closed).toBe(from);
    expect(await page.locator("tr[aria-current]").textContent()).toContain(name);
    expect(await page.evaluate("window.isSame")).toBe(true);
    await drawer.getByRole("link", { name: "own page" }).click();
    await page.waitForURL(`${address}/fleet/prod/${name}`);
    expect(complaints).toEqual([]);
  });

  it("open the answer of the server if it has no clusters", async (context) => {
    const pages = await servePages(context, largeFleet());
    const { page } = await openPage(context, `${pages.address}/fleet`, DESKTOP);
    pages.state = stateOf([], NOW);
    await page.locator("select[name=state]").selectOption("Error");

    await page.locator("form.fleet-filters").waitFor({ state: "detached" });
    expect(page.url()).toMatch(/state=Error/);
  });
});
