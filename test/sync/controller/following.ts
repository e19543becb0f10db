import { onTestFinished } from "vitest";
import { RESOURCES } from "../../../src/kubernetes/object.ts";
import type { ControlPlane } from "../../../src/ports.ts";
import { reflect, type ReflectorWorld } from "../../../src/sync/controller/reflector.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { quietRun } from "../../support/quietRun.ts";
import { pathOf } from "../outside.ts";
import { eventually, type World } from "../world.ts";

/** The reports of a reflector of ConfigMaps. */
export interface Following {
  /** Name to uid of the objects in the sink. */
  readonly held: ReadonlyMap<string, string | undefined>;
  /** `current`, or the code of the fault that made it stale. */
  readonly states: readonly string[];
  /** The calls of the sink. */
  readonly heard: readonly string[];
  /** The number of lists. */
  readonly lists: () => number;
  /** The requested pauses, in milliseconds. */
  readonly pauses: readonly number[];
  readonly abort: (reason: Error) => void;
  /** The final error of the reflector. */
  readonly ended: Promise<unknown>;
}

/** Starts a reflector, which ends with the test. It waits for a hundredth of each pause. */
export function follow(
  { namespace }: World,
  controlPlane: ControlPlane,
  given: Partial<Pick<ReflectorWorld, "sink">> = {},
): Following {
  const interruption = new AbortController();
  const held = new Map<string, string | undefined>();
  const states: string[] = [];
  const heard: string[] = [];
  const pauses: number[] = [];
  let lists = 0;
  const world: ReflectorWorld = {
    controlPlane: {
      ...controlPlane,
      list: (...args) => {
        lists += 1;
        return controlPlane.list(...args);
      },
    },
    clock: {
      ...systemClock,
      pause: (ms, run) => {
        pauses.push(ms);
        return systemClock.pause(ms / 100, run);
      },
    },
    random: () => 1,
    sink: {
      changed: ({ metadata: { name, uid } }) => {
        heard.push(`changed ${name}`);
        held.set(name, uid);
      },
      deleted: ({ metadata: { name } }) => {
        heard.push(`deleted ${name}`);
        held.delete(name);
      },
      retain: (names) => {
        heard.push("retain");
        for (const name of held.keys()) if (!names.has(name)) held.delete(name);
      },
    },
    onState: (state) => void states.push(state.kind === "current" ? "current" : state.because.code),
    ...given,
  };
  const ended = reflect(RESOURCES.configMap, namespace, world, quietRun(interruption.signal)).catch(
    (error: unknown) => error,
  );
  const abort = (reason: Error): void => {
    interruption.abort(reason);
  };
  onTestFinished(() => {
    abort(new Error("the test has finished"));
  });
  return { held, states, heard, lists: () => lists, pauses, abort, ended };
}

/** Waits until the sink has the same objects as the namespace. */
export async function agreement(world: World, { held }: Pick<Following, "held">): Promise<void> {
  await eventually(async () => {
    const live = (await world.list("configmaps")).map(({ metadata: { name, uid } }) => [name, uid] as const);
    return JSON.stringify(live.toSorted()) === JSON.stringify([...held].toSorted());
  });
}

/** Creates a ConfigMap as another client. */
export async function create({ outside, namespace }: World, name: string): Promise<void> {
  await outside.must("POST", pathOf("configmaps", namespace), { metadata: { name } });
}

/** Deletes a ConfigMap as another client. */
export async function remove({ outside, namespace }: World, name: string): Promise<void> {
  await outside.must("DELETE", pathOf("configmaps", namespace, name));
}
