import type { Worker } from "node:worker_threads";
import type { ValidationVerdict } from "../../kubernetes/validation.ts";
import type { Run } from "../../ports.ts";
import { errorCode, problemText } from "../errno.ts";
import type { Job, Reply } from "./message.ts";

/** The end of a conversation. */
type ConversationEnd =
  { readonly kind: "done"; readonly memoryBytes: number } | { readonly kind: "failed"; readonly why: string };

/** The verdicts of a worker, and the end of the conversation. */
interface Conversation {
  readonly found: readonly ValidationVerdict[];
  readonly outcome: ConversationEnd;
}

/**
 * Sends a job and collects verdicts until the worker is done, dies, or works for `limitMs` of CPU time on one verdict.
 * Time in which other programs have the CPU does not count, so that a busy machine gets the same verdicts. An abort throws.
 */
export function converse(worker: Worker, job: Job, limitMs: number, run: Run): Promise<Conversation> {
  const found: ValidationVerdict[] = [];
  return new Promise<Conversation>((resolve, reject) => {
    const finish = (outcome: ConversationEnd): void => {
      tidy();
      resolve({ found, outcome });
    };
    const fail = (what: string): void => {
      finish({ kind: "failed", why: `the validator ${what}` });
    };
    const hear = (reply: Reply): void => {
      if (reply.kind === "done") finish(reply);
      else found.push(reply.verdict);
    };
    const die = (error: Error): void => {
      fail(`broke off: ${problemText(error)}`);
    };
    const exit = (): void => {
      fail("ended by itself");
    };
    const abort = (): void => {
      tidy();
      reject(run.signal.reason instanceof Error ? run.signal.reason : new Error(String(run.signal.reason)));
    };
    const exhaust = (): void => {
      fail(`found no verdict in ${limitMs / 1000} s of CPU time`);
    };
    const stopWatching = watchWork(worker, { limitMs, answers: () => found.length, exhaust, die });
    const tidy = (): void => {
      stopWatching();
      run.signal.removeEventListener("abort", abort);
      worker.off("message", hear).off("error", die).off("exit", exit);
      worker.unref();
    };
    worker.ref();
    worker.on("message", hear).on("error", die).on("exit", exit);
    run.signal.addEventListener("abort", abort);
    worker.postMessage(job);
  });
}

interface WorkWatch {
  readonly limitMs: number;
  /** The number of verdicts so far. */
  readonly answers: () => number;
  readonly exhaust: () => void;
  readonly die: (error: Error) => void;
}

/**
 * Calls `exhaust` when a worker uses `limitMs` of CPU time, or up to twice that, without an answer. Looks only when that
 * is possible: a thread uses no more CPU time than passes. Returns a function that stops it.
 */
function watchWork(worker: Worker, { limitMs, answers, exhaust, die }: WorkWatch): () => void {
  let isWatching = true;
  let [known, startMs] = [-1, 0];
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage();
    if (!isWatching) return;
    const usedMs = (user + system) / 1000;
    if (answers() !== known) [known, startMs] = [answers(), usedMs];
    const leftMs = startMs + limitMs - usedMs;
    if (leftMs <= 0) exhaust();
    else timer = setTimeout(lookAgain, Math.max(leftMs, SHORTEST_WAIT_MS));
  };
  const lookAgain = (): void => {
    look().catch((error: unknown) => {
      if (!isWatching) return;
      // It is still starting: the event `exit` tells when it has ended.
      if (errorCode(error) === "ERR_WORKER_NOT_RUNNING") timer = setTimeout(lookAgain, SHORTEST_WAIT_MS);
      else die(error instanceof Error ? error : new Error(String(error)));
    });
  };
  let timer = setTimeout(lookAgain, limitMs);
  return () => {
    isWatching = false;
    clearTimeout(timer);
  };
}

/** On a busy machine, what is left of the limit takes longer than that. */
const SHORTEST_WAIT_MS = 50;
