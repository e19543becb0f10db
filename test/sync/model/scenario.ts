import type { Generation } from "../../../src/catalogue/settings.ts";
import type { ComponentVersion, Registry } from "../../../src/ports.ts";
import { descriptorV2 } from "../../kubernetes/ocm/samples.ts";
import { Fault } from "../../../src/ports.ts";
import { editByHand, FIRST_WANTED, type Action, type SyncAction, type Wanted } from "./actions.ts";
import { modelControlPlane, type ModelControlPlane, type Objects } from "./controlPlane.ts";
import { brokenHarm, installedHarm, type Harm } from "./harm.ts";
import { isLower, type Inventory } from "./inventory.ts";
import { ModelLifecycleManager, type Cluster } from "./lifecycleManager.ts";
import { syncWanted } from "./syncWanted.ts";

/** The clusters, the channels that their users chose, and whether they are offered beta modules. */
export const CLUSTERS = [
  ["one", "fast", false],
  ["two", "regular", false],
  ["three", "regular", true],
] as const;

/** Thrown instead of a response: the program was killed. */
class Killed extends Error {}

/** A sync without disturbances. */
export const PLAIN_SYNC: SyncAction = {
  prune: false,
  now: false,
  adopt: false,
  killedAt: undefined,
  looks: [],
  isBlind: false,
};

/** A control plane, a lifecycle-manager and three clusters. Does actions, and detects their harm to clusters. */
export class Scenario {
  readonly #objects: Objects = new Map();
  readonly #missing: Set<string>;
  readonly #clusters: readonly Cluster[];
  readonly #generation: Generation;
  #wanted: Wanted = FIRST_WANTED;
  /** The reports of syncs, for a failing test. */
  readonly said: string[] = [];
  #nowMs = Date.parse("2026-05-04T10:00:00Z");

  /** `missing`: `<module>@<version>` of artifacts that are missing at first. */
  constructor(generation: Generation, missing: readonly string[] = []) {
    this.#generation = generation;
    this.#missing = new Set(missing);
    this.#clusters = CLUSTERS.map(([name, channel, isBeta]) => ({
      name,
      isBeta,
      wishes: new Map([["istio", channel]]),
    }));
  }

  /** Serves the first catalogue, and lets every cluster install it. */
  async start(): Promise<void> {
    await this.#sync(PLAIN_SYNC);
    this.#noteServed();
    this.settle();
  }

  /** Does one action; returns the harm of a sync. */
  async act(action: Action): Promise<readonly Harm[]> {
    this.#nowMs += 60_000;
    switch (action.kind) {
      case "repository":
        this.#wanted = { ...this.#wanted, ...action.wanted };
        return [];
      case "hand":
        editByHand(this.#plane(), { generation: this.#generation, descriptorOf }, action.what, action.version);
        return [];
      case "artifact":
        if (!this.#missing.delete(action.key)) this.#missing.add(action.key);
        return [];
      case "user":
        this.#clusters[action.cluster]?.wishes.set("istio", action.channel);
        return [];
      case "lifecycle-manager": {
        const cluster = this.#clusters[action.cluster];
        if (cluster !== undefined) this.#manager(this.#plane()).reconcile(cluster);
        return [];
      }
      case "sync":
        return this.#judged(action);
    }
  }

  /** Lets lifecycle-manager reconcile every cluster. */
  settle(): void {
    this.#manager(this.#plane()).settle();
  }

  /** The running versions by cluster. */
  inventory(): Inventory {
    return this.#manager(this.#plane()).inventory();
  }

  /** Harm that would not have happened without the sync. */
  async #judged(action: SyncAction): Promise<readonly Harm[]> {
    const before = { now: this.inventory(), later: this.#outlook(), served: this.#noteServed() };
    const moved = this.#movedUnseen(before.served);
    await this.#sync(action);
    const later = this.#outlook();
    const broken = brokenHarm(before, later).filter(({ where }) => !this.#isBrokenByLoss(where) && !moved.has(where));
    const harm = [...installedHarm(before, later), ...broken, ...this.#entered(before.served, action)];
    this.#noteServed();
    return harm;
  }

  /**
   * Whether the wanted version of a cluster was served before, and its artifact deleted since: it is not looked up
   * again.
   */
  #isBrokenByLoss(where: string): boolean {
    const [name, module = ""] = where.split("/");
    const channel = this.#clusters.find((one) => one.name === name)?.wishes.get(module) ?? "";
    const version = this.#served().get(channel);
    return version !== undefined && this.#had.has(version) && this.#missing.has(`${module}@${version}`);
  }

  /**
   * The clusters whose user moved to a channel that does not serve istio, since lifecycle-manager last looked. No API
   * shows the move, and it leads to Error by itself as soon as there is a release meta.
   */
  #movedUnseen(served: ReadonlyMap<string, string>): ReadonlySet<string> {
    const moved = this.#clusters.filter(({ name, wishes }) => {
      const wish = wishes.get("istio") ?? "";
      return !served.has(wish) && this.#manager(this.#plane()).channelIn(name, "istio") !== wish;
    });
    return new Set(moved.map(({ name }) => `${name}/istio`));
  }

  /** The versions on every cluster without any further action. */
  #outlook(): Inventory {
    const manager = this.#manager(modelControlPlane(structuredClone(this.#objects)));
    manager.settle();
    return manager.inventory();
  }

  /** The versions of istio by channel. */
  #served(): ReadonlyMap<string, string> {
    return this.#manager(this.#plane()).served("istio");
  }

  #noteServed(): ReadonlyMap<string, string> {
    const served = this.#served();
    for (const version of served.values()) this.#had.add(version);
    return served;
  }

  /** Versions that entered a channel although they are held, or before the end of the soak in the earlier landscape. */
  #entered(before: ReadonlyMap<string, string>, { now }: SyncAction): readonly Harm[] {
    const { held, isSoaking } = this.#wanted;
    if (now) return [];
    return [...this.#served()].flatMap(([where, after]): Harm[] => {
      const was = before.get(where);
      const isNew = was !== after && this.#wanted[where as "fast" | "regular"] === after && !this.#had.has(after);
      const isUp = was === undefined || isLower(was, after);
      if (!isNew || !isUp) return [];
      const step = { where, before: was, after };
      return [
        ...(after === held ? [{ kind: "held" as const, ...step }] : []),
        ...(isSoaking ? [{ kind: "early" as const, ...step }] : []),
      ];
    });
  }

  /** All versions that the landscape ever served: a return of one does not count as an entry. */
  readonly #had = new Set<string>();

  #plane(before?: (verb: string) => void): ModelControlPlane {
    return modelControlPlane(this.#objects, before);
  }

  #manager(plane: ModelControlPlane): ModelLifecycleManager {
    return new ModelLifecycleManager(plane, this.#clusters, this.#missing, this.#generation);
  }

  async #sync(action: SyncAction): Promise<void> {
    const { killedAt, looks, isBlind } = action;
    let calls = 0;
    const manager = this.#manager(this.#plane());
    // No API makes a write of one object conditional on another, so nothing can protect the moment between the last read
    // of the statuses and the write after it.
    const written = this.#generation === "version-templates" ? "ModuleReleaseMeta" : "ModuleTemplate";
    const controlPlane = this.#plane((verb) => {
      calls += 1;
      for (const { at, cluster } of verb === `apply ${written}` ? [] : looks) {
        const seen = this.#clusters[cluster];
        if (at === calls && seen !== undefined) manager.reconcile(seen);
      }
      if (killedAt !== undefined && calls >= killedAt) throw new Killed();
      if (isBlind && verb === "list Kyma") throw new Fault("CLUSTER_KIND_MISSING", "404 page not found");
    });
    const place = {
      generation: this.#generation,
      controlPlane,
      clock: { nowMs: () => this.#nowMs, pause: () => Promise.resolve() },
      registry: this.#registry(),
      baseUrl: "registry.example.com",
      descriptorOf,
    };
    try {
      this.said.push(...(await syncWanted(this.#wanted, action, place)));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }

  #registry(): Registry {
    const found: ComponentVersion = { descriptor: descriptorV2(), digest: "sha256:0", rawManifest: Buffer.of(1) };
    const isMissing = (name: string, version: string): boolean =>
      this.#missing.has(`${name.split("/").at(-1) ?? ""}@${version}`);
    return {
      digestOf: () => Promise.resolve(undefined),
      component: (_base, name, version) => Promise.resolve(isMissing(name, version) ? undefined : found),
      hasLayer: (repository, digest) =>
        Promise.resolve(!isMissing(repository, digest.replace("sha256:", "").replaceAll("-", "."))),
    };
  }
}

function descriptorOf(module: string, version: string): object {
  const digest = `sha256:${version.replaceAll(".", "-")}`;
  return {
    component: {
      name: `example.com/module/${module}`,
      version,
      repositoryContexts: [{ baseUrl: "registry.example.com" }],
      resources: [{ name: "raw-manifest", access: { type: "localBlob", localReference: digest } }],
    },
  };
}
