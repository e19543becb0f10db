import { describe, expect, it } from "vitest";
import { DESKTOP, expectReadable, openPage, servePages } from "../../support/pages.ts";
import { istio } from "../module/istio.ts";

const ASKED = "/policy?channel=regular&soak.minor=20d";
const WRONG = "/policy?channel=regular&soak.minor=soon";

describe("the page of policies in a browser", () => {
  it("is accessible at every width, in the light and in the dark", async (context) => {
    const { address } = await servePages(context, await istio());

    for (const path of [ASKED, WRONG]) await expectReadable(await openPage(context, `${address}${path}`, DESKTOP));
  });

  it("replays history when a number is changed in the form", async (context) => {
    const { address } = await servePages(context, await istio());
    const { page, complaints } = await openPage(context, `${address}/policy`, DESKTOP);
    await page.getByLabel("Soak of a minor step").fill("20d");
    await page.getByRole("button", { name: "Replay history" }).click();
    await page.waitForURL(/soak\.minor=20d/);

    expect(await page.locator(".replay-outcome").isVisible()).toBe(true);
    expect(await page.locator("pre").last().textContent()).toContain("minor: 20d");
    expect(complaints).toEqual([]);
  });
});
