import type { ControlPlane, Run } from "../../ports.ts";
import type { ObjectName } from "../plan/item.ts";
import { EventTeller, eventsOf } from "./events.ts";
import type { PassReport } from "./pass.ts";
import type { RevisionChoice } from "./revisions.ts";
import { statusOf, writeStatus } from "./status.ts";
import type { LandscapeStore } from "./store.ts";

/** The outcome of a pass. */
export interface PassNews {
  readonly choice: RevisionChoice;
  readonly report: PassReport;
  /** The results of requests, as the status shows them. */
  readonly requests: string;
}

/** Where the status and the events are written, and by which process. */
export interface TellerWorld {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly holder: string;
}

/**
 * Reports on a landscape in its control plane: a status for all of it, and events on its objects. Neither touches
 * objects that people use, so both continue while the landscape is paused.
 */
export class Teller {
  readonly #world: TellerWorld;
  readonly #events = new EventTeller();
  /** The last written status, as JSON. */
  #status = "";

  constructor(world: TellerWorld) {
    this.#world = world;
  }

  /** Writes the status if it changed, and new events. */
  async tell({ choice, report, requests }: PassNews, store: LandscapeStore, nowMs: number, run: Run): Promise<void> {
    const document = { ...statusOf(choice, report), requests };
    const text = JSON.stringify(document);
    if (text !== this.#status) await writeStatus(document, nowMs, this.#world, run);
    this.#status = text;
    const world = { ...this.#world, nowMs, find: (object: ObjectName) => store.find(object) };
    await this.#events.tell(eventsOf(report), world, run);
  }
}
