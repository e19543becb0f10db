import { renderPage } from "../../dashboard/layout.ts";
import type { DashboardState } from "../../dashboard/state.ts";
import { hashOf } from "../../document/canonical.ts";
import { oncePer } from "../../document/once.ts";
import type { Users } from "../../fleet/users.ts";
import type { Run } from "../../ports.ts";
import { openAssets, openChanges, openPages, type PageAuth, type PageChanges } from "../compose/dashboard.ts";
import { clock } from "../compose/systems.ts";
import type { StateKeeper } from "./keep.ts";

/** How long the first page waits for landscapes that do not answer. Milliseconds. */
const FIRST_LOOK_MS = 3000;

/** Where pages are served, to whom, and how often all is looked at. */
export interface PageSettings {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** `undefined`: whoever reaches it. */
  readonly auth: PageAuth | undefined;
  readonly intervalMs: number;
}

/** Pages that are served, and show something. */
export interface ServedPages {
  readonly address: string;
  /** Keeps them in step until `run` is aborted, and ends the server. */
  readonly keep: (run: Run) => Promise<never>;
}

/** Serves the pages of what `keeper` keeps. */
export async function servePages(
  { intervalMs, ...where }: PageSettings,
  keeper: StateKeeper,
  run: Run,
): Promise<ServedPages> {
  const [assets, changes] = [openAssets(), openChanges()];
  const page: Parameters<typeof openPages>[0]["page"] = ({ theme, ...address }) =>
    renderPage(keeper.state(), address, { theme, ...assets });
  keeper.watch(run);
  try {
    await Promise.race([keeper.look(run), clock.pause(FIRST_LOOK_MS, run)]);
    const server = await openPages({ ...where, assets, changes, page }, run);
    const end = (): Promise<unknown> => Promise.all([server.close(), keeper.stop()]);
    return { address: server.address, keep: (within) => keep(keeper, changes, intervalMs, within).finally(end) };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}

/** What changes together is shown together. Milliseconds. */
const TOGETHER_MS = 2_000;

async function keep(keeper: StateKeeper, changes: PageChanges, intervalMs: number, run: Run): Promise<never> {
  let shown = signatureOf(keeper.state());
  for (;;) {
    // A landscape that does not answer keeps the others waiting no longer than this.
    await clock.pause(TOGETHER_MS, run);
    await keeper.wait(intervalMs - TOGETHER_MS, run);
    await Promise.all([Promise.race([keeper.look(run), clock.pause(intervalMs, run)]), keeper.refresh(run)]);
    const next = signatureOf(keeper.state());
    if (next !== shown) changes.raise();
    shown = next;
  }
}

/** Differs when a page would. */
function signatureOf({ revision, statuses, landscapes, unreadable }: DashboardState): string {
  const seen = landscapes.map(({ status, blind, input }) => [status, blind, input && numberOf(input.users)]);
  const told = { revision, statuses, seen, unreadable };
  return hashOf(JSON.stringify(told, (_key, value: unknown) => (value instanceof Map ? [...value] : value)));
}

/** Who uses what stays one value until it changes, and is too much to be compared. */
const numberOf = oncePer((_: Users) => ++known);
let known = 0;
