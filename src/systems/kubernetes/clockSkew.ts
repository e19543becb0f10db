import { durationText } from "../../document/times.ts";
import { Fault } from "../../ports.ts";
import type { HttpHead } from "../http/answer.ts";

/** As much as identity providers usually allow. Milliseconds. */
const ALLOWED_MS = 300_000;

/**
 * The difference between the clock of this machine and that of an API server, by the `Date` header of its latest answer.
 * Soaks, halts and exposure compare times that one machine writes with the clock of another one.
 */
export class ClockSkew {
  /** How far this machine is ahead. */
  #aheadMs = 0;

  /** Compares the clocks by an answer. One without the header tells nothing. */
  note({ headers }: HttpHead): void {
    const atMs = Date.parse(headers["date"] ?? "");
    if (!Number.isNaN(atMs)) this.#aheadMs = Date.now() - atMs;
  }

  /** Throws CONFIGURATION if the clocks differ by more than five minutes: a write would record a wrong time. */
  refuse(server: string): void {
    if (Math.abs(this.#aheadMs) <= ALLOWED_MS) return;
    const direction = this.#aheadMs > 0 ? "ahead of" : "behind";
    throw new Fault(
      "CONFIGURATION",
      `The clock of this machine is ${durationText(Math.abs(this.#aheadMs))} ${direction} the clock of ${server}. ` +
        "Nothing is written, because soaks compare both clocks. Correct the clock that is wrong, then run the command again.",
    );
  }
}
