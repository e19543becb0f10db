import { chromium, type Browser } from "playwright-core";
import type { TestContext } from "vitest";
import { findOnPath } from "../../src/systems/environment.ts";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome"];

/** Starts a real Chromium that ends with the test; skips the test where none is installed. */
export async function startBrowser(context: TestContext): Promise<Browser> {
  const found = await Promise.all(PROGRAMS.map((program) => findOnPath(program, process.env)));
  const executablePath = found.find((path) => path !== undefined);
  if (executablePath === undefined) return context.skip("there is no chromium (the package of that name has it)");
  // root, as in a container, has no sandbox; the page is the test's own
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  context.onTestFinished(() => browser.close());
  return browser;
}
