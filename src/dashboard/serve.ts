import { canonicalHash } from "../document/canonical.ts";
import { oncePer } from "../document/once.ts";
import type { Users } from "../fleet/users.ts";
import type { Clock, Run } from "../ports.ts";
import type { StateKeeper } from "./keep.ts";
import { renderPage, type Address, type PageLook, type RenderedPage } from "./layout.ts";
import type { DashboardState } from "./state.ts";

/** How long the start waits for landscapes that do not answer, in milliseconds. */
const FIRST_LOOK_MS = 3000;
/** How long to collect changes before pages show them, in milliseconds. */
const TOGETHER_MS = 2_000;

/** The server of pages, and what it needs. */
export interface PageHost {
  readonly clock: Clock;
  readonly assets: Omit<PageLook, "theme">;
  /** Starts the server. Throws CONFIGURATION if its address is in use. */
  readonly open: (page: RenderAsked, run: Run) => Promise<PageServer>;
  /** Tells the readers of pages that something changed. */
  readonly raise: () => void;
}

/** Renders the page that a reader asks for. */
type RenderAsked = (asked: Address & Pick<PageLook, "theme">) => RenderedPage;

interface PageServer {
  readonly address: string;
  /** Stops it. */
  readonly close: () => Promise<void>;
}

/** Served pages. */
export interface ServedPages {
  readonly address: string;
  /** Refreshes the pages until `run` is aborted, then stops the server. */
  readonly keep: (run: Run) => Promise<never>;
}

/** Serves pages of the state that `keeper` keeps, refreshed every `intervalMs` milliseconds. Throws the faults of `host.open`. */
export async function servePages(
  keeper: StateKeeper,
  host: PageHost,
  intervalMs: number,
  run: Run,
): Promise<ServedPages> {
  keeper.watch(run);
  try {
    await Promise.race([keeper.look(run), host.clock.pause(FIRST_LOOK_MS, run)]);
    const page: RenderAsked = ({ theme, ...asked }) => renderPage(keeper.state(), asked, { theme, ...host.assets });
    const server = await host.open(page, run);
    return {
      address: server.address,
      keep: (within) =>
        keep(keeper, host, intervalMs, within).finally(() => Promise.all([server.close(), keeper.stop()])),
    };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}

async function keep(keeper: StateKeeper, { clock, raise }: PageHost, intervalMs: number, run: Run): Promise<never> {
  let shown = stateSignature(keeper.state());
  for (;;) {
    await clock.pause(TOGETHER_MS, run);
    await keeper.wait(intervalMs - TOGETHER_MS, run);
    // A landscape or forge that does not answer delays the others by at most one interval.
    const work = Promise.all([keeper.look(run), keeper.refresh(run)]);
    await Promise.race([work, clock.pause(intervalMs, run)]);
    const next = stateSignature(keeper.state());
    if (next !== shown) raise();
    shown = next;
  }
}

/** A text that changes whenever a page changes. */
function stateSignature({ revision, statuses, landscapes, unreadable }: DashboardState): string {
  const seen = landscapes.map(({ status, blind, input }) => [status, blind, input && numberOf(input.users)]);
  const told = { revision, statuses, seen, unreadable };
  return canonicalHash(JSON.stringify(told, (_key, value: unknown) => (value instanceof Map ? [...value] : value)));
}

/** Users keep their identity until they change, and are too large to compare, so each value gets a number. */
const numberOf = oncePer((_: Users) => ++known);
let known = 0;
