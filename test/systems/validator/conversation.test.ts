import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { converse } from "../../../src/systems/validator/conversation.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";

const JOB = { definition: "{}", items: [] };
const LIMIT_MS = 500;

/** A worker that answers a job after `code`. */
function workerOf(code: string): Worker {
  const answer = `parentPort.postMessage({ kind: "verdict", verdict: { kind: "accepted" } });
    parentPort.postMessage({ kind: "done", memoryBytes: 1 });`;
  const program = `const { parentPort } = require("node:worker_threads");
    parentPort.on("message", () => { ${code}; ${answer} });`;
  return new Worker(program, { eval: true });
}

describe("the limit of a verdict", () => {
  it("does not count the time in which the worker does not have the CPU", async () => {
    const worker = workerOf(`Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${3 * LIMIT_MS})`);
    const { found, outcome } = await converse(worker, JOB, LIMIT_MS, quietRun());
    await worker.terminate();

    expect([found, outcome]).toEqual([[{ kind: "accepted" }], { kind: "done", memoryBytes: 1 }]);
  });

  it("ends a worker that works longer", async () => {
    const worker = workerOf("for (;;);");
    const { outcome } = await converse(worker, JOB, LIMIT_MS, quietRun());
    await worker.terminate();

    expect(outcome).toEqual({ kind: "failed", why: mentions("validator", "0.5 s of CPU time") });
  });
});
