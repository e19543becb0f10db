import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, type TestContext } from "vitest";
import { renderPage } from "../../src/dashboard/layout.ts";
import type { DashboardState } from "../../src/dashboard/state.ts";
import { readPageAssets } from "../../src/systems/http/pageAssets.ts";
import { PageChanges } from "../../src/systems/http/pageChanges.ts";
import { openPageServer } from "../../src/systems/http/pageServer.ts";
import { openWindow } from "./browser.ts";
import { quietRun } from "./quietRun.ts";

/** How axe looks at every page: at both ends of the widths, and in both colours, since contrast does not depend on width. */
const LOOKS: readonly PageLook[] = [
  { width: 360, colorScheme: "light" },
  { width: 1440, colorScheme: "dark" },
];
/** The widths at which no page may scroll sideways. */
const WIDTHS = [360, 768, 1440];
const HEIGHT = 900;

/** A large window in the light. */
export const DESKTOP: PageLook = { width: 1440, colorScheme: "light" };

/** How a page is looked at. */
export interface PageLook {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
}

/** A server of pages of `state`, which a test may replace. */
export interface ServedPages {
  readonly address: string;
  readonly changes: PageChanges;
  state: DashboardState;
  readonly close: () => Promise<void>;
}

/** Serves pages as the program does, until the test ends. */
export async function servePages(context: TestContext, state: DashboardState): Promise<ServedPages> {
  const pages = await openPages(state);
  context.onTestFinished(() => pages.close());
  return pages;
}

/** Serves pages as the program does. */
export async function openPages(state: DashboardState): Promise<ServedPages> {
  const assets = readPageAssets(join(import.meta.dirname, "../../src/dashboard"));
  const changes = new PageChanges("test");
  const pages = { address: "", changes, state, close: () => Promise.resolve() };
  const server = await openPageServer(
    {
      ...{ host: "127.0.0.1", port: 0, auth: undefined, assets, changes, nowMs: () => Date.now() },
      page: ({ theme, ...asked }) => renderPage(pages.state, asked, { theme, ...assets }),
    },
    quietRun(),
  );
  return Object.assign(pages, { address: server.address, close: () => server.close() });
}

/** An opened page, and what it complained of: also each thing that the content security policy forbids. */
export interface OpenedPage {
  readonly page: Page;
  readonly complaints: string[];
}

/** Opens a page in a real browser; skips the test where there is none. */
export async function openPage(context: TestContext, address: string, look: PageLook): Promise<OpenedPage> {
  const { width, colorScheme } = look;
  const window = await openWindow(context, { colorScheme, viewport: { width, height: HEIGHT } });
  const page = await window.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", ({ message }) => complaints.push(message));
  await page.goto(address);
  return { page, complaints };
}

/** Asserts that a page can be read by all at every width and in both colours, and that it does not scroll sideways. */
export async function expectReadable({ page, complaints }: OpenedPage): Promise<void> {
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    // Pages have no frames, which only the slower mode could look into.
    const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
    const { violations } = await axe.analyze();
    const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);

    expect({ width, found }).toEqual({ width, found: [] });
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

    expect({ width, excess: await page.evaluate<number>(excess) }).toEqual({ width, excess: 0 });
  }
  expect(complaints).toEqual([]);
}
