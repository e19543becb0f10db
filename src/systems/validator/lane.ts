import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { unanswered, type ValidationVerdict } from "../../kubernetes/validation.ts";
import type { Run } from "../../ports.ts";
import { validatorModule } from "./binary.ts";
import { converse } from "./conversation.ts";
import type { Job, WorkerData } from "./message.ts";

/** One worker, which runs its jobs one after the other and starts with the first. */
export interface WorkerLane {
  /** The number of items that wait or are being judged. */
  readonly load: () => number;
  /** The verdicts on the definition and on each item. */
  readonly judge: (job: Job, run: Run) => Promise<readonly ValidationVerdict[]>;
  /** Ends the worker after its last job. */
  readonly close: () => Promise<void>;
}

/** A program that holds more is ended before another definition: WebAssembly never releases memory. */
const MAX_MEMORY_BYTES = 768 * 1024 * 1024;

/** `.ts` in the repository, `.js` in the package. */
const WORKER = new URL(`worker${extname(import.meta.url)}`, import.meta.url);

/** A definition is given up when as many of its items get no verdict: each costs the limit, and there can be thousands. */
const MOST_FAILURES = 2;

/** The cost of a definition, in items. */
export const DEFINITION_WEIGHT = 30;

/** Opens a lane; `limitMs` is the limit for one definition or object, in milliseconds of CPU time. */
export function openLane(limitMs: number): WorkerLane {
  let worker: Worker | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  let load = 0;
  let memoryBytes = 0;
  let compiled: string | undefined;
  const givenUp = new Map<string, ValidationVerdict>();
  const end = async (): Promise<void> => {
    const ended = worker;
    worker = undefined;
    memoryBytes = 0;
    await ended?.terminate();
  };
  const perform = async (job: Job, run: Run): Promise<readonly ValidationVerdict[]> => {
    const verdicts: ValidationVerdict[] = [];
    let failures = 0;
    while (verdicts.length <= job.items.length) {
      run.signal.throwIfAborted();
      const none = givenUp.get(job.definition);
      if (none !== undefined) return [none, ...job.items.map(() => none)].map((one, index) => verdicts[index] ?? one);
      if (memoryBytes > MAX_MEMORY_BYTES && compiled !== job.definition) await end();
      compiled = job.definition;
      worker ??= startWorker(await validatorModule(), (dead) => {
        if (worker === dead) worker = undefined;
      });
      const items = job.items.slice(Math.max(0, verdicts.length - 1));
      const { found, outcome } = await converse(worker, { ...job, items }, limitMs, run);
      // a job that continues after its worker died gets the verdict on the definition a second time
      verdicts.push(...found.slice(Math.min(1, verdicts.length)));
      if (outcome.kind === "done") {
        ({ memoryBytes } = outcome);
        return verdicts;
      }
      await end();
      run.log.warn("the validator was started again", { why: outcome.why });
      const verdict = unanswered(outcome.why);
      if (found.length === 0 || ++failures === MOST_FAILURES) givenUp.set(job.definition, verdict);
      verdicts.push(verdict);
    }
    return verdicts;
  };
  return {
    load: () => load,
    judge: async (job, run) => {
      const weight = DEFINITION_WEIGHT + job.items.length;
      load += weight;
      const result = tail.then(() => perform(job, run));
      // after any error the worker may still be busy: the next job gets a new one
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
  // an idle worker that dies must not end the process
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    whenDead(worker);
  });
  worker.unref();
  return worker;
}
