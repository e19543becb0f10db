import { Fault, type Run } from "../../ports.ts";
import { openReading, type HistoryPorts } from "../compose/promotion.ts";
import { problemOf, StateKeeper, type DemoLooks, type KeptRepository } from "../dashboard/keep.ts";
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
  const asked = { repo: train.clone.folder, ...QUESTION, isRehearsal: true, intervalMs: TRAIN_MS };
  return serve(asked, () => openTrain(train.wanted.catalogue, train), train, run);
}

/**
 * Serves the web pages of a demo without clusters: they show HEAD, and the control planes of the demo. Does not contact
 * the forge. Throws CONFIGURATION without a readable commit, HISTORY_TOO_SHALLOW.
 */
export function serveFiles(shown: ShownDemo, run: Run): Promise<ServedPages> {
  const { repository: repo } = shown.wanted;
  const asked = { repo, evidence: [], revision: "HEAD", isRehearsal: false, intervalMs: FILES_MS };
  return serve(asked, () => openReading({ repo, offline: true }), shown, run);
}

type Asked = Omit<KeptRepository, "offline" | "demo"> &
  Pick<DemoLooks, "isRehearsal"> & { readonly intervalMs: number };

async function serve(
  { isRehearsal, intervalMs, ...asked }: Asked,
  openPorts: () => HistoryPorts,
  { keepers }: Pick<ShownDemo, "keepers">,
  run: Run,
): Promise<ServedPages> {
  const looks = new Map(keepers.map((keeper) => [keeper.landscape.name as string, keeper.look.bind(keeper)]));
  const keeper = await StateKeeper.open({ ...asked, offline: false, demo: { looks, isRehearsal } }, openPorts, run);
  if (keeper instanceof StateKeeper)
    return servePages({ host: "127.0.0.1", port: 0, auth: undefined, intervalMs }, keeper, run);
  throw new Fault("CONFIGURATION", `${asked.revision} cannot be read. ${problemOf(keeper)}`.trim());
}
