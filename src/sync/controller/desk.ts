import type { ControlPlane, Run } from "../../ports.ts";
import type { Controls } from "../plan/controls.ts";
import { pendingRequests, printResults, type RequestResult, type SyncRequest } from "../plan/requests.ts";
import type { PassReport } from "./pass.ts";
import { readResults, resultOf } from "./status.ts";

/** The requests of people for a sync of a landscape, and their results; both survive restarts. */
export class RequestDesk {
  readonly #where: { readonly controlPlane: ControlPlane; readonly namespace: string };
  /** `undefined` until they have been read. */
  #results: Map<string, RequestResult> | undefined;

  constructor(where: { readonly controlPlane: ControlPlane; readonly namespace: string }) {
    this.#where = where;
  }

  /** The requests to carry out, oldest first. */
  async pending({ requests }: Controls, nowMs: number, run: Run): Promise<readonly SyncRequest[]> {
    if (requests.length === 0) return [];
    this.#results ??= new Map(await readResults(this.#where, run));
    return pendingRequests(requests, this.#results, nowMs);
  }

  /** Keeps the result of a request. */
  answer({ id }: SyncRequest, report: PassReport, nowMs: number): void {
    this.#results = new Map([...(this.#results ?? []), [id, resultOf(report, nowMs)]]);
  }

  /** The results of requests, for the status. */
  print(nowMs: number): string {
    return printResults(this.#results ?? new Map(), nowMs);
  }
}
