import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Clock, ControlPlane } from "../../../src/ports.ts";
import { Observer, type FleetSeen } from "../../../src/sync/controller/observer.ts";
import { reflect } from "../../../src/sync/controller/reflector.ts";
import { followedResources } from "../../../src/sync/controller/followed.ts";
import { LandscapeStore } from "../../../src/sync/controller/store.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { quietRun } from "../../support/quietRun.ts";
import { eventually, type World } from "../world.ts";

/** A clock that runs ahead of the real one: a pause moves it forward. */
export class MovedClock implements Clock {
  #aheadMs = 0;

  nowMs(): number {
    return systemClock.nowMs() + this.#aheadMs;
  }

  async pause(ms: number, { signal }: Parameters<Clock["pause"]>[1]): Promise<void> {
    await sleep(20, undefined, { signal });
    this.#aheadMs += ms;
  }

  /** The same time, but its pauses do not move the clock. */
  follower(): Clock {
    return {
      nowMs: () => this.nowMs(),
      pause: async (_, { signal }) => {
        await sleep(20, undefined, { signal });
      },
    };
  }
}

/** A running observer. */
export interface Observing {
  readonly seen: FleetSeen[];
  /** The number of its writes. */
  readonly writes: () => number;
  readonly stop: () => Promise<void>;
}

/** Observes a world every 15 s of `clock`, like a separate process with its own watches; ends with the test. */
export async function observing(world: World, clock: Clock): Promise<Observing> {
  const { namespace } = world;
  const stop = new AbortController();
  const run = quietRun(stop.signal);
  let writes = 0;
  const controlPlane: ControlPlane = {
    ...world.controlPlane,
    apply: (...args) => {
      writes += 1;
      return world.controlPlane.apply(...args);
    },
  };
  const store = new LandscapeStore(namespace, { controlPlane, clock, isGate: true, onChange: () => undefined });
  const tasks: Promise<unknown>[] = [...followedResources(namespace)].map(([what, resource]) => {
    const onState = store.setState.bind(store, what);
    return reflect(
      resource,
      namespace,
      { controlPlane, clock: systemClock, random: Math.random, sink: store.sinkOf(what), onState },
      run,
    );
  });
  await eventually(() => Promise.resolve(store.missing === undefined));
  const seen: FleetSeen[] = [];
  const onSeen = (one: FleetSeen): void => void seen.push(one);
  const observer = new Observer({ name: "dev", controlPlane, namespace, store, clock, onSeen });
  tasks.push(observer.keep(15_000, () => stop.signal, run));
  const end = async (): Promise<void> => {
    stop.abort(new Error("it ended"));
    await Promise.allSettled(tasks);
  };
  onTestFinished(end);
  return { seen, writes: () => writes, stop: end };
}
