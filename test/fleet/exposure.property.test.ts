import { expect, it } from "vitest";
import { advanceExposure, type ExposureSums, type LiveContent } from "../../src/fleet/exposure.ts";
import { Fleet } from "../../src/fleet/fleet.ts";
import { seeded } from "../support/random.ts";
import { certsKyma } from "./kymas.ts";

const STEP_MS = 5_000;
const WRITE_MS = 60_000;
const CERTS: LiveContent = {
  ...{
    module: "certs",
    version: "1.1.0",
    specHash: "h",
    uid: "u",
    generation: 1,
    mandatory: false,
    deadlineMs: 600_000,
  },
  channels: [{ channel: "fast", appliedMs: 0 }],
};

/** The content of the control plane. */
interface Stored {
  sums: ExposureSums;
  version: number;
}

/** One observer: it watches, keeps sums, and writes them once a minute. On a conflict it reads the sums again. */
class Observer {
  readonly #fleet = new Fleet();
  readonly #skewMs: number;
  #sums: ExposureSums;
  #version: number;
  #writtenMs = -Infinity;

  constructor(stored: Stored, skewMs: number) {
    this.#sums = stored.sums;
    this.#version = stored.version;
    this.#skewMs = skewMs;
  }

  watch(states: readonly string[], nowMs: number): void {
    for (const [index, state] of states.entries())
      this.#fleet.setKyma(certsKyma(`k${index}`, "1.1.0", state), { nowMs: nowMs + this.#skewMs, isFirst: false });
  }

  look(stored: Stored, nowMs: number): void {
    this.#sums = advanceExposure(this.#sums, this.#fleet.users(), [CERTS], nowMs + this.#skewMs);
    if (nowMs - this.#writtenMs < WRITE_MS) return;
    if (this.#version !== stored.version)
      this.#sums = advanceExposure(stored.sums, this.#fleet.users(), [CERTS], nowMs + this.#skewMs);
    stored.sums = this.#sums;
    stored.version += 1;
    this.#version = stored.version;
    this.#writtenMs = nowMs;
  }
}

interface Course {
  readonly observers: number;
  readonly flips: number;
  readonly restarts: number;
  readonly pauses: number;
  readonly skewMs: number;
}

/** Observes four clusters for an hour. Returns the stored and the true exposure, and the number of restarts. */
function observe(seed: number, { observers, flips, restarts, pauses, skewMs }: Course) {
  const random = seeded(seed);
  const stored: Stored = { sums: new Map(), version: 0 };
  let states: readonly string[] = ["Ready", "Ready", "Ready", "Error"];
  let [trueMs, begun] = [0, 0];
  const begin = (): Observer => {
    begun += 1;
    return new Observer(stored, Math.round((random.next() - 0.5) * 2 * skewMs));
  };
  let all = Array.from({ length: observers }, begin);
  for (let nowMs = 1_000_000; nowMs < 4_600_000; nowMs += STEP_MS) {
    states = states.map((state) => (random.chance(flips) ? OTHER[state] : undefined) ?? state);
    all = all.map((observer) => (random.chance(restarts) ? begin() : observer));
    for (const observer of all.filter(() => !random.chance(pauses))) {
      observer.watch(states, nowMs);
      observer.look(stored, nowMs);
    }
    trueMs += STEP_MS * states.filter((state) => state === "Ready").length;
  }
  return { seenMs: [...stored.sums.values()][0]?.healthyMs ?? 0, trueMs, begun };
}

const OTHER: Readonly<Record<string, string>> = { Ready: "Error", Error: "Ready" };
const SEEDS = Array.from({ length: 20 }, (_, index) => [index + 1] as const);

it.each(SEEDS)("exposure never exceeds the true exposure: two observers, restarts, changing states (%i)", (seed) => {
  const { seenMs, trueMs } = observe(seed, { observers: 2, flips: 0.05, restarts: 0.02, pauses: 0.1, skewMs: 0 });

  expect(seenMs).toBeLessThanOrEqual(trueMs);
  expect(seenMs).toBeGreaterThan(0);
});

it.each(SEEDS)("two observers never double the exposure, even if their clocks differ (%i)", (seed) => {
  const skewMs = 100_000;
  const { seenMs, trueMs } = observe(seed, { observers: 3, flips: 0, restarts: 0, pauses: 0.3, skewMs });

  expect(seenMs).toBeLessThanOrEqual(trueMs + 4 * 2 * skewMs);
});

it.each(SEEDS)("a restart loses no more than the last minute and the ten seconds until a state counts (%i)", (seed) => {
  const { seenMs, trueMs, begun } = observe(seed, { observers: 1, flips: 0, restarts: 0.02, pauses: 0, skewMs: 0 });

  expect(trueMs - seenMs).toBeLessThanOrEqual(3 * begun * (WRITE_MS + 10_000 + STEP_MS) + 3 * WRITE_MS);
});
