import { describe, expect, it } from "vitest";
import type { DashboardState } from "../../../src/dashboard/state.ts";
import { expectReadable, LOOKS, openPage, servePages } from "../../support/pages.ts";
import { fleetSight, stateOf } from "../landscapeState.ts";
import { cluster, fleetOf, NOW } from "./fleetOf.ts";

/** A fleet of ten thousand clusters, of which a few fail in long words. */
function largeFleet(): DashboardState {
  const users = Array.from({ length: 10_000 }, (_, index) =>
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
  it.for(LOOKS)("can be read by everybody at $width px, in the $colorScheme", async (look, context) => {
    const { address } = await servePages(context, largeFleet());

    for (const path of ["/fleet", "/fleet/prod/c-000000"]) {
      await expectReadable(await openPage(context, `${address}${path}`, look));
    }
  });

  it("are filtered by the form, and by a click on a number", async (context) => {
    const { address } = await servePages(context, largeFleet());
    const { page, complaints } = await openPage(context, `${address}/fleet`, { width: 1440, colorScheme: "light" });
    await page.locator("select[name=state]").selectOption("Error");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/state=Error/);
    const filtered = await page.locator(".answer").textContent();
    await page.getByRole("link", { name: /Error on 1\.16\.2/ }).click();
    await page.waitForURL(/version=1\.16\.2/);

    expect(filtered).toContain("that the filter leaves");
    expect(await page.locator(".tb.cl tbody tr").count()).toBe(29);
    expect(complaints).toEqual([]);
  });
});
