import {
  problemOf,
  StateKeeper,
  type KeeperWorld,
  type KeptRevision,
  type LandscapeSource,
} from "../../dashboard/keep.ts";
import { Fault, type Run } from "../../ports.ts";
import { NO_LANDSCAPES } from "../compose/dashboard.ts";
import { openReading } from "../compose/promotion.ts";
import { servePages, type ServedPages } from "../dashboard/serve.ts";
import type { DemoKeeper, DemoTarget } from "./keeper.ts";
import { openTrain, QUESTION, type PromotedTrain } from "./trainPromotion.ts";

/** What the control planes of a demo serve, and their keepers. */
export interface ShownDemo {
  readonly keepers: readonly DemoKeeper[];
  readonly wanted: DemoTarget;
}

/** How often pages of a train are refreshed, whose clock may be fast, in milliseconds. */
const TRAIN_MS = 2_000;
/** How often pages of a working tree are refreshed, in milliseconds. */
const FILES_MS = 5_000;

/** Serves the web pages of a train. */
export function serveTrain(train: ShownDemo & PromotedTrain, run: Run): Promise<ServedPages> {
  const open = (): ReturnType<typeof openTrain> => openTrain(train.wanted.catalogue, train);
  return serve({ ...QUESTION, intervalMs: TRAIN_MS }, { open, landscapes: keptBy(train.keepers, true) }, run);
}

/**
 * Serves the web pages of a demo without clusters: they show HEAD, and the control planes of the demo. Does not contact
 * the forge. Throws CONFIGURATION without a readable commit, HISTORY_TOO_SHALLOW.
 */
export function serveFiles({ keepers, wanted: { repository: repo } }: ShownDemo, run: Run): Promise<ServedPages> {
  const asked = { evidence: [], revision: "HEAD", intervalMs: FILES_MS };
  const open = (): ReturnType<typeof openReading> => openReading({ repo, offline: true });
  return serve(asked, { open, landscapes: keptBy(keepers, false) }, run);
}

/** The landscapes of the settings that a keeper serves, read by their keepers. */
function keptBy(keepers: readonly DemoKeeper[], isRehearsal: boolean): LandscapeSource {
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

async function serve(
  { intervalMs, ...asked }: KeptRevision & { readonly intervalMs: number },
  world: KeeperWorld,
  run: Run,
): Promise<ServedPages> {
  const keeper = await StateKeeper.open(asked, world, run);
  if (keeper instanceof StateKeeper)
    return servePages({ host: "127.0.0.1", port: 0, auth: undefined, intervalMs }, keeper, run);
  throw new Fault("CONFIGURATION", `${asked.revision} cannot be read. ${problemOf(keeper)}`.trim());
}
