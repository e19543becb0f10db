import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { ValidationVerdict } from "../../kubernetes/validation.ts";
import type { Run } from "../../ports.ts";
import { validatorModule } from "./binary.ts";
import { converse } from "./conversation.ts";
import { notEvaluated } from "./job.ts";
import type { Job, WorkerData } from "./message.ts";

/** One worker, which takes one job after the other. It starts with the first. */
export interface WorkerLane {
  /** How many items are waiting or being judged. */
  readonly load: () => number;
  /** The verdicts on the definition and on each item. */
  readonly judge: (job: Job, run: Run) => Promise<readonly ValidationVerdict[]>;
  /** Ends the worker when it has done what it was given. */
  readonly close: () => Promise<void>;
}

/** A program that holds more is ended when its job is done: WebAssembly gives no memory back. */
const MAX_MEMORY_BYTES = 768 * 1024 * 1024;

/** `.ts` in the repository, `.js` in the package. */
const WORKER = new URL(`worker${extname(import.meta.url)}`, import.meta.url);

/** What a definition costs, in items. */
const DEFINITION_WEIGHT = 30;

/** A lane whose worker may think for `limitMs` milliseconds about one definition or object. */
export function openLane(limitMs: number): WorkerLane {
  let worker: Worker | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  let load = 0;
  const end = async (): Promise<void> => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const forget = (dead: Worker): void => {
    if (worker === dead) worker = undefined;
  };
  const perform = async (job: Job, run: Run): Promise<readonly ValidationVerdict[]> => {
    const verdicts: ValidationVerdict[] = [];
    while (verdicts.length <= job.items.length) {
      run.signal.throwIfAborted();
      worker ??= startWorker(await validatorModule(), forget);
      const known = verdicts.length;
      const rest = { ...job, items: job.items.slice(Math.max(0, known - 1)) };
      const { found, outcome } = await converse(worker, rest, limitMs, run);
      // a job that goes on after its worker died hears the verdict on the definition once more
      verdicts.push(...found.slice(known === 0 ? 0 : 1));
      if (outcome.kind === "done" && outcome.memoryBytes <= MAX_MEMORY_BYTES) return verdicts;
      await end();
      if (outcome.kind !== "failed") return verdicts;
      verdicts.push(notEvaluated(outcome.why));
      run.log.warn("the validator was started again", { why: outcome.why });
      if (known === 0 && found.length === 0) return verdicts;
    }
    return verdicts;
  };
  return {
    load: () => load,
    judge: async (job, run) => {
      const weight = DEFINITION_WEIGHT + job.items.length;
      load += weight;
      const result = tail.then(() => perform(job, run));
      // whatever went wrong, the worker may be in the middle of it: the next job gets a new one
      tail = result.catch(end).finally(() => (load -= weight));
      return result;
    },
    close: async () => {
      await tail;
      await end();
    },
  };
}

function startWorker(module: WebAssembly.Module, whenDead: (dead: Worker) => void): Worker {
  const data: WorkerData = { module };
  const worker = new Worker(WORKER, { workerData: data, execArgv: ["--disable-warning=ExperimentalWarning"] });
  // one that dies while nobody waits for it must not end the process
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    whenDead(worker);
  });
  worker.unref();
  return worker;
}
