import { openSync } from "node:fs";
import { devNull } from "node:os";
import { WASI } from "node:wasi";
import { parentPort, workerData } from "node:worker_threads";
import type { ValidationVerdict } from "../../kubernetes/validation.ts";
import type { ValidationItem, Job, Reply, WorkerData } from "./message.ts";

/** The exports of `src/kubernetes/validator/main.go`. */
interface ValidatorExports {
  readonly memory: WebAssembly.Memory;
  readonly allocate: (size: number) => number;
  readonly define: () => number;
  readonly create: () => number;
  readonly update: () => number;
  readonly read: () => number;
  readonly answerAt: () => number;
}

/** Soft memory limit of Go: it collects garbage earlier rather than exceed this. */
const MEMORY = "384MiB";

const program = await start();

parentPort?.on("message", (job: Job) => {
  if (judge("define", job.definition).kind === "accepted") for (const { kind, json } of job.items) judge(kind, json);
  say({ kind: "done", memoryBytes: program.memory.buffer.byteLength });
});

async function start(): Promise<ValidatorExports> {
  const { module } = workerData as WorkerData;
  // the output of a Go program that crashes is of use to its developers only
  const silent = openSync(devNull, "w");
  const env = { GOMEMLIMIT: MEMORY };
  const wasi = new WASI({ version: "preview1", args: ["validator"], env, stdout: silent, stderr: silent });
  const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
  wasi.initialize(instance);
  return instance.exports as WebAssembly.Exports & ValidatorExports;
}

function judge(how: "define" | ValidationItem["kind"], json: string): ValidationVerdict {
  const input = Buffer.from(json);
  bytes(program.allocate(input.length), input.length).set(input);
  const length = program[how]();
  const verdict = JSON.parse(bytes(program.answerAt(), length).toString()) as ValidationVerdict;
  say({ kind: "verdict", verdict });
  return verdict;
}

/** A view that is valid until the program's memory grows. */
function bytes(at: number, length: number): Buffer {
  return Buffer.from(program.memory.buffer, at >>> 0, length);
}

function say(reply: Reply): void {
  parentPort?.postMessage(reply);
}
