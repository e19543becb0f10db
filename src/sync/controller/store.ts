import type { Catalogue } from "../../catalogue/catalogue.ts";
import { templatesByName } from "../../catalogue/compile.ts";
import { sharing } from "../../document/share.ts";
import { Fleet } from "../../fleet/fleet.ts";
import type { Sighting } from "../../fleet/rows.ts";
import type { Users } from "../../fleet/users.ts";
import { applySetParent } from "../../kubernetes/applySet.ts";
import { RESOURCES, type KubernetesObject } from "../../kubernetes/object.ts";
import { Fault, type Clock, type ControlPlane, type Run } from "../../ports.ts";
import { controlsIn } from "../controlStore.ts";
import { leavesUsersOpen, type Observed } from "../observe.ts";
import type { LiveState } from "../plan/input.ts";
import type { ObjectName } from "../plan/item.ts";
import type { ControlPlaneLook } from "../prepare.ts";
import { readRecords, RECORDS_NAME, type StoredRecords } from "../recordStore.ts";
import { type Followed, followedResources, isOfFleet } from "./followed.ts";
import type { ReflectorSink, ReflectorState } from "./reflector.ts";

/** What a store needs. */
interface StoreWorld {
  readonly controlPlane: ControlPlane;
  readonly clock: Pick<Clock, "nowMs">;
  /** Whether Ready in the first list counts from then, since a gate must see it hold; otherwise its start is unknown. */
  readonly isGate: boolean;
  /** Called when something changes. */
  readonly onChange: (what: Followed) => void;
}

/** Why a plan cannot be made: objects that have not been read yet, or can no longer be read. */
export interface MissingObjects {
  readonly kind: "reading" | "missing";
  readonly because: string;
}

/** Where the objects of one kind are kept. */
interface Shelf {
  set(object: KubernetesObject): void;
  delete(name: string): void;
  names(): readonly string[];
}

/**
 * The objects of a control plane, kept up to date by watches: observing it asks the server only for records that
 * changed. Of Kymas and Manifests, only rows are kept.
 */
export class LandscapeStore implements ControlPlaneLook {
  readonly #world: StoreWorld;
  readonly #namespace: string;
  readonly #fleet = new Fleet();
  readonly #objects = new Map<Followed, Map<string, KubernetesObject>>();
  readonly #states = new Map<Followed, ReflectorState>();
  /** What was listed completely at least once. */
  readonly #listed = new Set<Followed>();
  /** `undefined` after a change of the records, which is counted. */
  #stored: StoredRecords | undefined;
  #recordsChanged = 0;
  /** Stays the same object until something changes, so that results derived from it can be kept. */
  #live: LiveState | undefined;
  /** The catalogue that the landscape serves; `undefined`: not known yet. */
  catalogue: Catalogue | undefined;

  constructor(namespace: string, world: StoreWorld) {
    this.#namespace = namespace;
    this.#world = world;
  }

  /** What a plan needs and the watches do not give yet, or no longer; `undefined` if nothing is missing. */
  get missing(): MissingObjects | undefined {
    for (const what of followedResources(this.#namespace).keys()) {
      const state = this.#states.get(what);
      if (state === undefined) return { kind: "reading", because: `the ${what} have not been read yet` };
      if (state.kind === "stale" && !(isOfFleet(what) && leavesUsersOpen(state.because)))
        return { kind: "missing", because: state.because.message };
    }
    return undefined;
  }

  /** Whether all watches are up to date. */
  get isCurrent(): boolean {
    return [...followedResources(this.#namespace).keys()].every((what) => this.#states.get(what)?.kind === "current");
  }

  /** Where the reflector of `what` puts the objects. */
  sinkOf(what: Followed): ReflectorSink {
    const shelf = this.#shelfOf(what);
    const changed = (): void => {
      if (what === "records") this.forgetRecords();
      if (!isOfFleet(what)) this.#live = undefined;
      this.#world.onChange(what);
    };
    return {
      changed: (object) => {
        // The parent as this process wrote it is not a change that may have fixed a failure.
        const { resourceVersion } = object.metadata;
        const isOwn = what === "parent" && this.#all(what)[0]?.metadata.resourceVersion === resourceVersion;
        shelf.set(object);
        if (!isOwn) changed();
      },
      deleted: ({ metadata }) => {
        shelf.delete(metadata.name);
        changed();
      },
      retain: (kept) => {
        for (const name of shelf.names()) if (!kept.has(name)) shelf.delete(name);
        this.#listed.add(what);
        changed();
      },
    };
  }

  /** Takes the state of the reflector of `what`. */
  setState(what: Followed, state: ReflectorState): void {
    this.#states.set(what, state);
    this.#world.onChange(what);
  }

  /** The control plane. What is written through it is in the store before a watch reports it. */
  get writing(): ControlPlane {
    const { controlPlane } = this.#world;
    const keep = (object: KubernetesObject): KubernetesObject => {
      const { name } = object.metadata;
      this.#mapLike(object.kind, name)?.set(name, this.#resembling(object));
      if (name.startsWith(RECORDS_NAME)) this.forgetRecords();
      this.#live = undefined;
      return object;
    };
    return {
      ...controlPlane,
      apply: async (...args) => keep(await controlPlane.apply(...args)),
      moveOwnership: async (...args) => keep(await controlPlane.moveOwnership(...args)),
      remove: async (ref, ...rest) => {
        const obstacle = await controlPlane.remove(ref, ...rest);
        if (obstacle === undefined) this.#mapLike(ref.resource.kind, ref.name)?.delete(ref.name);
        this.#live = undefined;
        return obstacle;
      },
    };
  }

  /** The state of the control plane. Throws CLUSTER_REFUSED for records or controls that cannot be read. */
  async observe(run: Run): Promise<Observed> {
    const { controlPlane } = this.#world;
    const stored = this.#stored ?? (await this.#readRecords(run));
    return { live: this.#liveWith(stored), stored, controls: controlsIn(this.#all("controls")[0], controlPlane) };
  }

  /**
   * From now on, templates share the parts that equal those of `catalogue`, which is most of each. The templates that
   * are in the store already are replaced by equal ones.
   */
  resemble(catalogue: Catalogue): void {
    if (this.catalogue === catalogue) return;
    this.catalogue = catalogue;
    this.#live = undefined;
    const templates = this.#mapOf("templates");
    for (const [name, object] of templates) templates.set(name, this.#resembling(object));
  }

  #resembling(object: KubernetesObject): KubernetesObject {
    const alike = this.catalogue === undefined ? undefined : templatesByName(this.catalogue).get(object.metadata.name);
    return alike === undefined ? object : sharing(object, alike);
  }

  async #readRecords(run: Run): Promise<StoredRecords> {
    const before = this.#recordsChanged;
    const stored = await readRecords(this.#world.controlPlane, this.#namespace, run);
    // A change during the reading is read again.
    if (this.#recordsChanged === before) this.#stored = stored;
    return stored;
  }

  /** Reads the records again before the next plan. */
  forgetRecords(): void {
    this.#stored = undefined;
    this.#recordsChanged++;
  }

  #liveWith({ records, owner }: StoredRecords): LiveState {
    if (this.#live?.records !== records)
      this.#live = {
        parent: this.#all("parent")[0],
        templates: this.#all("templates"),
        releaseMetas: this.#all("releaseMetas"),
        records,
        owner,
      };
    return this.#live;
  }

  /** A template, a release meta or the parent on the control plane; `undefined` if it does not exist. */
  find({ kind, name }: ObjectName): KubernetesObject | undefined {
    return this.#mapLike(kind, name)?.get(name);
  }

  /** The users, as the watches report them. A kind that discovery does not know has no objects; see `readUsers`. */
  async users(run: Run): Promise<Users> {
    for (const [what, resource] of followedResources(this.#namespace)) {
      const state = this.#states.get(what);
      if (!isOfFleet(what) || state?.kind === "current") continue;
      const because = state?.because ?? new Fault("CLUSTER_BUSY", `The ${what} have not been read yet.`);
      const isAbsent =
        because.code === "CLUSTER_KIND_MISSING" && !(await this.#world.controlPlane.knows(resource, run));
      if (!isAbsent) return { kind: "unknown", because: because.message };
    }
    return this.#fleet.users();
  }

  #all(what: Followed): readonly KubernetesObject[] {
    return [...this.#mapOf(what).values()];
  }

  #mapOf(what: Followed): Map<string, KubernetesObject> {
    const map = this.#objects.get(what) ?? new Map<string, KubernetesObject>();
    this.#objects.set(what, map);
    return map;
  }

  #shelfOf(what: Followed): Shelf {
    const fleet = this.#fleet;
    const seen = (): Sighting | undefined => {
      const isFirst = !this.#listed.has(what);
      return isFirst && !this.#world.isGate ? undefined : { nowMs: this.#world.clock.nowMs(), isFirst };
    };
    if (what === "kymas" || what === "manifests")
      return {
        set: (object) => {
          fleet[what === "kymas" ? "setKyma" : "setManifest"](object, seen());
        },
        delete: (name) => {
          fleet[what === "kymas" ? "removeKyma" : "removeManifest"](name);
        },
        names: () => fleet[what],
      };
    const objects = this.#mapOf(what);
    return {
      set: (object) => objects.set(object.metadata.name, this.#resembling(object)),
      delete: (name) => objects.delete(name),
      names: () => [...objects.keys()],
    };
  }

  /** The map that holds the object; `undefined` for objects that are not followed, or are read again. */
  #mapLike(kind: string, name: string): Map<string, KubernetesObject> | undefined {
    if (kind === RESOURCES.moduleTemplate.kind) return this.#mapOf("templates");
    if (kind === RESOURCES.moduleReleaseMeta.kind) return this.#mapOf("releaseMetas");
    return name === applySetParent(this.#namespace).metadata.name ? this.#mapOf("parent") : undefined;
  }
}
