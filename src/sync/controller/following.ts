import type { Resource } from "../../kubernetes/object.ts";
import type { ControlPlane, Run, SteadyClock } from "../../ports.ts";
import { reflect, type ReflectorState } from "./reflector.ts";
import { followedResources, type Followed } from "./followed.ts";
import type { LandscapeStore } from "./store.ts";

/** What is needed to keep a store up to date. */
interface FollowingWorld {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly clock: SteadyClock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Everything is listed again after this time, in case a watch missed something. Milliseconds. */
  readonly relistMs: number;
  /** Called with each new state of a reflector. */
  readonly onState: (state: ReflectorState) => void;
}

/** Keeps a store up to date with its control plane until `run` is aborted: a task for each kind of objects. */
export function followAll(store: LandscapeStore, world: FollowingWorld, run: Run): readonly Promise<never>[] {
  const resources = [...followedResources(world.namespace)];
  return resources.map(([what, resource]) => followOne(store, what, resource, world, run));
}

/** Follows one kind, and lists all its objects again from time to time. */
async function followOne(
  store: LandscapeStore,
  what: Followed,
  resource: Resource,
  { namespace, relistMs, onState, ...world }: FollowingWorld,
  run: Run,
): Promise<never> {
  const sink = store.sinkOf(what);
  const reflecting = {
    ...world,
    sink,
    onState: (state: ReflectorState): void => {
      store.setState(what, state);
      onState(state);
    },
  };
  for (;;) {
    const over = AbortSignal.timeout(Math.round(relistMs * (0.9 + world.random() / 5)));
    const signal = AbortSignal.any([run.signal, over]);
    try {
      await reflect(resource, namespace, reflecting, { ...run, signal });
    } catch (error) {
      if (run.signal.aborted || !over.aborted) throw error;
    }
  }
}
