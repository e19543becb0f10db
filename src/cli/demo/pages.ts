import {
  unreadableProblem,
  StateKeeper,
  type KeeperWorld,
  type KeptRevision,
  type LandscapeSource,
} from "../../dashboard/keep.ts";
import { servePages, type ServedPages } from "../../dashboard/serve.ts";
import { Fault, type Run } from "../../ports.ts";
import { NO_LANDSCAPES, openPageHost } from "../compose/dashboard.ts";
import type { DemoKeeper } from "./keeper.ts";

/** What the pages of a demo show, and how often they are refreshed, in milliseconds. */
interface DemoPages extends KeptRevision {
  readonly intervalMs: number;
}

/** Serves the web pages of a demo. Throws CONFIGURATION without a readable commit, HISTORY_TOO_SHALLOW. */
export async function serveDemo(
  { intervalMs, ...shown }: DemoPages,
  world: KeeperWorld,
  run: Run,
): Promise<ServedPages> {
  const keeper = await StateKeeper.open(shown, world, run);
  if (keeper instanceof StateKeeper)
    return servePages(keeper, openPageHost({ host: "127.0.0.1", port: 0, auth: undefined }), intervalMs, run);
  throw new Fault("CONFIGURATION", `${shown.revision} cannot be read. ${unreadableProblem(keeper)}`.trim());
}

/** The landscapes of the settings that a keeper serves, read by their keepers. */
export function keptBy(keepers: readonly DemoKeeper[], isRehearsal: boolean): LandscapeSource {
  const at: LandscapeSource["at"] = (_, { settings }) =>
    Promise.resolve(
      settings.landscapes.flatMap((landscape) =>
        keepers
          .filter((keeper) => keeper.landscape.name === landscape.name)
          .map((keeper) => ({ landscape, gather: keeper.look.bind(keeper) })),
      ),
    );
  return { ...NO_LANDSCAPES, isRehearsal, at };
}
