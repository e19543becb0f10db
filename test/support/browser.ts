import { chromium, type Browser } from "playwright-core";
import type { TestContext } from "vitest";
import { findOnPath } from "../../src/systems/environment.ts";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome"];

/** Starts a real Chromium that ends with the test; skips the test where none is installed. */
export async function startBrowser(context: TestContext): Promise<Browser> {
  const program = await browserProgram();
  if (program === undefined) return context.skip("there is no chromium (the package of that name has it)");
  const browser = await launchBrowser(program);
  context.onTestFinished(() => browser.close());
  return browser;
}

/** Where Chromium is; `undefined` where none is installed. */
export async function browserProgram(): Promise<string | undefined> {
  const found = await Promise.all(PROGRAMS.map((program) => findOnPath(program, process.env)));
  return found.find((path) => path !== undefined);
}

/** Starts Chromium. Root, as in a container, has no sandbox; the pages are our own. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}
