import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from "playwright-core";
import type { TestContext } from "vitest";
import { findOnPath } from "../../src/systems/environment.ts";

/** The first one needs half the time of the others, since it has no windows. */
const PROGRAMS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The Chromium of this process: its tests share it, and it ends with the process. */
let shared: Promise<Browser> | undefined;

/** Opens a window of a real Chromium, which shares nothing with others and ends with the test; skips it without one. */
export async function openWindow(context: TestContext, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const program = await browserProgram();
  if (program === undefined)
    return context.skip("there is no chromium (the packages chromium-headless-shell and chromium have it)");
  const window = await (await (shared ??= launchBrowser(program))).newContext(options);
  context.onTestFinished(() => window.close());
  return window;
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
