import type { StateKeeper } from "../../dashboard/keep.ts";
import { renderPage } from "../../dashboard/layout.ts";
import type { DashboardState } from "../../dashboard/state.ts";
import { hashOf } from "../../document/canonical.ts";
import { oncePer } from "../../document/once.ts";
import type { Users } from "../../fleet/users.ts";
import type { Run } from "../../ports.ts";
import { openAssets, openChanges, openPages, type PageAuth, type PageChanges } from "../compose/dashboard.ts";
import { clock } from "../compose/systems.ts";

/** How long the start waits for landscapes that do not answer, in milliseconds. */
const FIRST_LOOK_MS = 3000;

/** Where to serve pages, to whom, and how often to refresh them. */
export interface PageSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** `undefined` for anyone who can reach it. */
  readonly auth: PageAuth | undefined;
  readonly intervalMs: number;
}

/** Served pages. */
export interface ServedPages {
  readonly address: string;
  /** Refreshes the pages until `run` is aborted, then stops the server. */
  readonly keep: (run: Run) => Promise<never>;
}

/** Serves pages of the state that `keeper` keeps. */
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

/** How long to collect changes before pages show them, in milliseconds. */
const TOGETHER_MS = 2_000;

async function keep(keeper: StateKeeper, changes: PageChanges, intervalMs: number, run: Run): Promise<never> {
  let shown = signatureOf(keeper.state());
  for (;;) {
    // A landscape that does not answer delays the others by at most one interval.
    await clock.pause(TOGETHER_MS, run);
    await keeper.wait(intervalMs - TOGETHER_MS, run);
    await Promise.all([Promise.race([keeper.look(run), clock.pause(intervalMs, run)]), keeper.refresh(run)]);
    const next = signatureOf(keeper.state());
    if (next !== shown) changes.raise();
    shown = next;
  }
}

/** A text that changes whenever a page changes. */
function signatureOf({ revision, statuses, landscapes, unreadable }: DashboardState): string {
  const seen = landscapes.map(({ status, blind, input }) => [status, blind, input && numberOf(input.users)]);
  const told = { revision, statuses, seen, unreadable };
  return hashOf(JSON.stringify(told, (_key, value: unknown) => (value instanceof Map ? [...value] : value)));
}

/** Users keep their identity until they change, and are too large to compare, so each value gets a number. */
const numberOf = oncePer((_: Users) => ++known);
let known = 0;
