import { availableParallelism } from "node:os";
import type { Validation, ValidationRequest } from "../kubernetes/validation.ts";
import type { Run, Validator } from "../ports.ts";
import { encode } from "./validator/job.ts";
import { DEFINITION_WEIGHT, openLane, type WorkerLane } from "./validator/lane.ts";

/** Limits of the validator. */
interface ValidatorOptions {
  /** Limit for one definition or object, in milliseconds of CPU time; one that takes more gets no answer. */
  readonly limitMs?: number;
}

const MOST_WORKERS = Math.min(2, availableParallelism());
/** A definition of 9,000 CEL rules, which an API server accepts, takes 40 s; a larger one can hardly be stored. */
const LIMIT_MS = 120_000;

/**
 * A definition of so many characters may take a minute to compile, and more memory than a worker keeps for two: that of
 * each version has a worker of its own, since they are asked in turn.
 */
const LARGE = 400_000;

/** A worker holds 200 MiB and needs 0.3 s to start, so the second one is started only for some 50 definitions or more. */
const WORTH_A_WORKER = 50 * DEFINITION_WEIGHT;

/**
 * Kubernetes' own validation, compiled to WebAssembly, in worker threads. Nothing is loaded before the first request;
 * idle workers do not keep the process alive. The same worker judges all objects of a kind and keeps its compiled
 * schema.
 */
export function openValidator(options: ValidatorOptions = {}): Validator {
  const { limitMs = LIMIT_MS } = options;
  const lanes: WorkerLane[] = [];
  const laneOf = new Map<string, WorkerLane>();
  const judge = async (request: ValidationRequest, run: Run): Promise<Validation> => {
    const { kind, job, complete } = encode(request);
    if (job === undefined) return complete([]);
    const isLarge = job.definition.length > LARGE;
    const key = isLarge ? job.definition : kind;
    const lane = laneOf.get(key) ?? freeLane(lanes, isLarge, limitMs);
    laneOf.set(key, lane);
    return complete(await lane.judge(job, run));
  };
  return {
    judge: async (requests, run) => {
      run.signal.throwIfAborted();
      return Promise.all(requests.map((request) => judge(request, run)));
    },
    close: async () => {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

function freeLane(lanes: WorkerLane[], isLarge: boolean, limitMs: number): WorkerLane {
  const [idlest] = lanes.toSorted((one, other) => one.load() - other.load());
  const isWorthOne = isLarge || (idlest?.load() ?? 0) >= WORTH_A_WORKER;
  if (idlest !== undefined && (lanes.length >= MOST_WORKERS || !isWorthOne)) return idlest;
  const lane = openLane(limitMs);
  lanes.push(lane);
  return lane;
}
