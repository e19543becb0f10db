import type { Worker } from "node:worker_threads";
import type { ValidationVerdict } from "../../kubernetes/validation.ts";
import type { Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import type { Job, Reply } from "./message.ts";

/** The end of a conversation. */
type ConversationEnd =
  { readonly kind: "done"; readonly memoryBytes: number } | { readonly kind: "failed"; readonly why: string };

/** The verdicts of a worker, and the end of the conversation. */
interface Conversation {
  readonly found: readonly ValidationVerdict[];
  readonly outcome: ConversationEnd;
}

const TRANSIENT = "the validator ";

/** Whether another attempt may give a verdict: the machine may have been slow. */
export function isTransient(verdict: ValidationVerdict): boolean {
  return verdict.kind === "not-evaluated" && verdict.why.startsWith(TRANSIENT);
}

/** Sends a job and collects verdicts until the worker is done, dies, or exceeds the time limit. An abort throws. */
export function converse(worker: Worker, job: Job, limitMs: number, run: Run): Promise<Conversation> {
  const found: ValidationVerdict[] = [];
  return new Promise<Conversation>((resolve, reject) => {
    const finish = (outcome: ConversationEnd): void => {
      tidy();
      resolve({ found, outcome });
    };
    const fail = (what: string): void => {
      finish({ kind: "failed", why: `${TRANSIENT}${what}` });
    };
    const timer = setTimeout(() => {
      fail(`did not answer within ${limitMs / 1000} s`);
    }, limitMs);
    const hear = (reply: Reply): void => {
      timer.refresh();
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
    const tidy = (): void => {
      clearTimeout(timer);
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
