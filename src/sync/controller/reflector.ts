import type { KubernetesObject, Resource } from "../../kubernetes/object.ts";
import { asFault, Fault, type Clock, type ControlPlane, type Run, type WatchEvent } from "../../ports.ts";

/** Stores the objects that a reflector finds, by name. */
export interface ReflectorSink {
  /** An object as it is now. May be called again with the same object. */
  changed(object: KubernetesObject): void;
  /** An object that was deleted, in its last state. */
  deleted(object: KubernetesObject): void;
  /** A list is complete: all other objects were deleted. */
  retain(names: ReadonlySet<string>): void;
}

/** Whether the sink is up to date with the server, or why not. */
export type ReflectorState = { readonly kind: "current" } | { readonly kind: "stale"; readonly because: Fault };

/** What a reflector needs. */
export interface ReflectorWorld {
  readonly controlPlane: Pick<ControlPlane, "server" | "list" | "watch">;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly sink: ReflectorSink;
  /** Called when the sink is up to date with the server, or no longer is. */
  readonly onState: (state: ReflectorState) => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Faults that waiting does not resolve. They are retried all the same: an administrator may grant rights meanwhile. */
const LASTING: ReadonlySet<string> = new Set<Fault["code"]>([
  "CLUSTER_FORBIDDEN",
  "CLUSTER_KIND_MISSING",
  "CLUSTER_UNAUTHORIZED",
]);

/**
 * Keeps a sink up to date with the API server until the run is aborted: by one list, then by watches, each from where the
 * one before ended. It lists again only when the server no longer knows the changes since then: otherwise all clients
 * would list at once when a server restarts.
 */
export async function reflect(resource: Resource, namespace: string, world: ReflectorWorld, run: Run): Promise<never> {
  const reflection = new Reflection(resource, namespace, world);
  for (;;) await world.clock.pause(await reflection.follow(run), run);
}

/** The state of a reflector. */
class Reflection {
  readonly #resource: Resource;
  readonly #namespace: string;
  readonly #world: ReflectorWorld;
  /** All changes up to this resource version are known; `undefined` if a list is needed. */
  #version: string | undefined;
  /** The resource versions of the objects in the sink, by name. */
  #held = new Map<string, string>();
  /** The number of streams in a row without an event, this one included. */
  #fruitless = 0;
  #isCurrent = false;

  constructor(resource: Resource, namespace: string, world: ReflectorWorld) {
    this.#resource = resource;
    this.#namespace = namespace;
    this.#world = world;
  }

  /** Follows one stream to its end. Returns the time to wait before the next one, in milliseconds. */
  async follow(run: Run): Promise<number> {
    this.#fruitless += 1;
    try {
      this.#version ??= await this.#list(run);
      await this.#watch(this.#version, run);
      return this.#fruitless === 0 ? 0 : this.#backOffMs(this.#fruitless);
    } catch (error) {
      run.signal.throwIfAborted();
      const fault = asFault(error);
      // What the sink did not take is missing there: it gets everything again.
      if (fault.code === "INTERNAL") this.#version = undefined;
      this.#isStale(fault);
      return this.#backOffMs(LASTING.has(fault.code) ? Infinity : Math.max(1, this.#fruitless));
    }
  }

  /** Returns the resource version of the list. Objects of an interrupted list are kept: they are newer than the known ones. */
  async #list(run: Run): Promise<string> {
    const { controlPlane, sink } = this.#world;
    const found = new Map<string, string>();
    let version = "";
    for await (const { objects, resourceVersion } of controlPlane.list(this.#resource, this.#namespace, run)) {
      version = resourceVersion;
      for (const object of objects) {
        found.set(object.metadata.name, objectResourceVersion(object));
        sink.changed(object);
      }
    }
    this.#held = found;
    sink.retain(new Set(found.keys()));
    this.#isUpToDate();
    return version;
  }

  async #watch(from: string, run: Run): Promise<void> {
    const { controlPlane, clock } = this.#world;
    let openedMs: number | undefined;
    try {
      for await (const event of controlPlane.watch(this.#resource, this.#namespace, from, run)) {
        openedMs ??= clock.nowMs();
        this.#take(event);
        if (this.#version !== from && this.#version !== undefined) this.#fruitless = 0;
      }
    } finally {
      // A stream without events is normal if nothing changes.
      if (openedMs !== undefined && clock.nowMs() - openedMs >= LONGEST_PAUSE_MS) this.#fruitless = 0;
    }
  }

  #take(event: WatchEvent): void {
    switch (event.kind) {
      case "changed":
      case "deleted":
        this.#version = objectResourceVersion(event.object);
        this.#pass(event.kind, event.object);
        break;
      case "bookmark":
        this.#version = event.resourceVersion;
        break;
      case "expired":
        this.#version = undefined;
        this.#isStale(this.#expired());
        return;
    }
    this.#isUpToDate();
  }

  /**
   * A watch from the first page of a list repeats changes that later pages already contained; the object may have been
   * deleted and created again in between. Resource versions are growing numbers.
   */
  #pass(kind: "changed" | "deleted", object: KubernetesObject): void {
    const { name } = object.metadata;
    const held = this.#held.get(name);
    const isGone = kind === "deleted";
    if (held === undefined ? isGone : !isNewer(objectResourceVersion(object), held)) return;
    if (isGone) this.#held.delete(name);
    else this.#held.set(name, objectResourceVersion(object));
    this.#world.sink[kind](object);
  }

  #isUpToDate(): void {
    if (!this.#isCurrent) this.#world.onState({ kind: "current" });
    this.#isCurrent = true;
  }

  #isStale(because: Fault): void {
    this.#isCurrent = false;
    this.#world.onState({ kind: "stale", because });
  }

  #expired(): Fault {
    const what = `the changes of ${this.#resource.plural} in ${this.#namespace}`;
    const why = `${this.#world.controlPlane.server} no longer knows what changed since ${what} were last seen`;
    return new Fault("CLUSTER_BUSY", `${what}: ${why}; they are listed again.`, { retry: true });
  }

  #backOffMs(count: number): number {
    return Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), LONGEST_PAUSE_MS) * (0.5 + this.#world.random() / 2);
  }
}

function objectResourceVersion({ metadata }: KubernetesObject): string {
  return metadata.resourceVersion ?? "";
}

/** Decimal numbers of any length, without leading zeros. */
function isNewer(version: string, than: string): boolean {
  return version.length === than.length ? version > than : version.length > than.length;
}
