import { describe, expect, it } from "vitest";
import { DESKTOP, expectReadable, openPage, servePages } from "../../support/pages.ts";
import { istioOnProd } from "./istio.ts";

describe("the page of a module in a browser", () => {
  it("is accessible at every width, in the light and in the dark", async (context) => {
    const { address } = await servePages(context, await istioOnProd(1));

    for (const path of ["/modules", "/modules/istio"])
      await expectReadable(await openPage(context, `${address}${path}`, DESKTOP));
  });

  it("scrolls the timeline by itself, also by the keyboard, from now into the past", async (context) => {
    const { address } = await servePages(context, await istioOnProd());
    const { page } = await openPage(context, `${address}/modules/istio`, { width: 360, colorScheme: "light" });
    const scroller = page.getByRole("region", { name: "Timeline, scrolls sideways" });
    const left = (): Promise<number> =>
      page.evaluate<number>("Math.abs(document.querySelector('.timeline-scroller').scrollLeft)");
    const before = await left();
    const now = await scroller.locator("line.now-line").boundingBox();
    await scroller.focus();
    await page.keyboard.press("ArrowLeft");

    expect(before).toBe(0);
    expect(now?.x).toBeLessThan(344);
    expect(now?.x).toBeGreaterThan(137);
    await expect.poll(left).toBeGreaterThan(0);
  });

  it("marks a module as a favourite, which the train offers as its first filter", async (context) => {
    const { address } = await servePages(context, await istioOnProd());
    const { page, complaints } = await openPage(context, `${address}/modules/istio`, {
      width: 1440,
      colorScheme: "light",
    });
    const star = page.getByRole("button", { name: "Favourite" });
    const links = (): Promise<string[]> => page.getByRole("navigation", { name: "Which modules" }).allInnerTexts();
    await star.click();
    await page.goto(`${address}/`);
    await page.getByRole("link", { name: "Favourites 1" }).click();
    const marked = await page.getByRole("rowheader", { name: /istio/ }).getByRole("img").getAttribute("aria-label");
    await page.goto(`${address}/modules/istio`);
    const pressed = await star.getAttribute("aria-pressed");
    await star.click();
    await page.goto(`${address}/?group=favourites`);

    expect([marked, pressed]).toEqual(["favourite", "true"]);
    expect(await page.getByText("No module matches.").count()).toBe(1);
    expect((await links()).join()).not.toContain("Favourites");
    expect(complaints).toEqual([]);
  });
});
