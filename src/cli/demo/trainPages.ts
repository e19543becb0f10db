import type { Run } from "../../ports.ts";
import { servePages, type ServedPages } from "../dashboard/serve.ts";
import { StateKeeper } from "../dashboard/keep.ts";
import type { DemoKeeper, DemoTarget } from "./keeper.ts";
import { openTrain, QUESTION, type PromotedTrain } from "./trainPromotion.ts";

/** A train that pages are made of. */
export interface ShownTrain extends PromotedTrain {
  readonly keepers: readonly DemoKeeper[];
  readonly wanted: DemoTarget;
}

/** How often pages look at the train, whose clock may be fast. Milliseconds. */
const LOOK_MS = 2_000;

/** Serves the web pages of a train. */
export async function serveTrain(train: ShownTrain, run: Run): Promise<ServedPages> {
  const looks = new Map(
    train.keepers.map((keeper) => [keeper.landscape.name, (within: Run) => keeper.look(within)] as const),
  );
  const kept = { repo: train.clone.folder, ...QUESTION, offline: false, rehearsal: { looks } };
  const keeper = await StateKeeper.open(kept, () => openTrain(train.wanted.catalogue, train), run);
  if (!(keeper instanceof StateKeeper)) throw new Error("the clone of a demo cannot be read");
  const settings = { host: "127.0.0.1", port: 0, auth: undefined, intervalMs: LOOK_MS };
  return servePages(settings, keeper, run);
}
