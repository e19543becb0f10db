import type { ControlPlane, Run } from "../../ports.ts";
import type { ObjectName } from "../plan/item.ts";
import { EventTeller, eventsOf } from "./events.ts";
import type { PassReport } from "./pass.ts";
import type { RevisionChoice } from "./revisions.ts";
import { statusOf, writeStatus } from "./status.ts";
import type { LandscapeStore } from "./store.ts";

/** What a pass came to. */
export interface PassNews {
  readonly choice: RevisionChoice;
  readonly report: PassReport;
  /** What became of requests, as the status says it. */
  readonly requests: string;
}

/** Where and by whom a landscape is told about. */
export interface TellerWorld {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly holder: string;
}

/**
 * Tells on the control plane how a landscape stands: a status for all of it, and events on its objects. That is no write
 * to what people use, and goes on while the landscape is paused.
 */
export class Teller {
  readonly #world: TellerWorld;
  readonly #events = new EventTeller();
  /** What was written last. */
  #status = "";

  constructor(world: TellerWorld) {
    this.#world = world;
  }

  /** Says what is new. */
  async tell({ choice, report, requests }: PassNews, store: LandscapeStore, nowMs: number, run: Run): Promise<void> {
    const document = { ...statusOf(choice, report), requests };
    const text = JSON.stringify(document);
    if (text !== this.#status) await writeStatus(document, nowMs, this.#world, run);
    this.#status = text;
    const world = { ...this.#world, nowMs, find: (object: ObjectName) => store.find(object) };
    await this.#events.tell(eventsOf(report), world, run);
  }
}
