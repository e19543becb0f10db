import { AxeBuilder } from "@axe-core/playwright";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it, type TestContext } from "vitest";
import { HISTORY } from "../promote/simulate/tables.ts";
import { openWindow } from "../support/browser.ts";
import { run } from "./program.ts";
import { tableSite } from "./tableSite.ts";

/** An opened page, and what it asked for and complained of. */
interface Opened {
  readonly page: Page;
  readonly complaints: readonly string[];
}

interface Look {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
}

/** Writes the page of a table, and opens it as one does who was sent the file. */
async function openPage(
  context: TestContext,
  table?: string,
  { colorScheme, width = 1280 }: Look = {},
): Promise<Opened> {
  const window = await openWindow(context, {
    colorScheme: colorScheme ?? "light",
    viewport: { width, height: 800 },
  });
  const { folder, args } = tableSite(table);
  const file = join(folder.path, "page.html");
  expect((await run([...args, "--format", `html=${file}`])).code).toBe(0);
  const page = await window.newPage();
  const complaints: string[] = [];
  const address = pathToFileURL(file).href;
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("request", (request) => {
    if (request.url() !== address) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(address);
  return { page, complaints };
}

/** The real history, where it lies beside this repository. */
function realTable(context: TestContext): string {
  if (!existsSync(HISTORY)) return context.skip("there is no ../shared/kyma-data beside this repository");
  return readFileSync(HISTORY, "utf8");
}

/** What an expression gives in the page. */
function inPage(page: Page, expression: string): Promise<number> {
  return page.evaluate<number>(expression);
}

describe("the page of simulate in a browser", () => {
  it("makes no requests, logs no errors, and shows the change of a bar", async (context) => {
    const { page, complaints } = await openPage(context);
    const bar = page.locator("g.channel-bar", { hasText: "1.1.0: 2024-01-04T00:00:00Z to 2024-01-15T00:00:00Z (11d)" });

    expect((await bar.boundingBox())?.width).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  });

  it.for(["light", "dark"] as const)(
    "can be read by everybody, in the %s",
    { tags: "long" },
    async (colorScheme, context) => {
      const { page } = await openPage(context, undefined, { colorScheme });
      for (const summary of await page.locator("summary").all()) await summary.press("Enter");
      const { violations, passes } = await new AxeBuilder({ page }).analyze();

      expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
      expect(passes.map(({ id }) => id)).toContain("color-contrast");
      expect(await page.locator("td").first().isVisible()).toBe(true);
    },
  );

  it("fits a telephone: wide parts scroll on their own, also with the keyboard", async (context) => {
    const { page } = await openPage(context, realTable(context), { width: 360 });
    await page.locator(".side-scroller:has(svg)").first().focus();
    await page.keyboard.press("ArrowRight");

    expect(await inPage(page, "document.documentElement.scrollWidth")).toBe(360);
    await expect.poll(() => inPage(page, "document.activeElement.scrollLeft")).toBeGreaterThan(0);
  });

  it("keeps each version's name inside its bar in the real history", async (context) => {
    const { page } = await openPage(context, realTable(context));
    const labels =
      "[...document.querySelectorAll('.side-scroller g > text')].map((text) => [text, text.previousSibling])";
    const end = "((shape) => shape.getBBox().x + shape.getBBox().width)";

    expect(await inPage(page, `${labels}.length`)).toBeGreaterThan(100);
    expect(await inPage(page, `${labels}.filter(([text, bar]) => ${end}(text) > ${end}(bar)).length`)).toBe(0);
  });
});
