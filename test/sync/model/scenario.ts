import type { Generation } from "../../../src/catalogue/settings.ts";
import type { ComponentVersion, Registry } from "../../../src/ports.ts";
import { prepare, type PlanWorld } from "../../../src/sync/prepare.ts";
import { sync } from "../../../src/sync/sync.ts";
import { quietRun } from "../../support/controlPlane.ts";
import { catalogueOf, type Sample, type TemplateSpec } from "../catalogueFiles.ts";
import { CAREFUL, entrySummary, summary } from "../planning.ts";
import { BETA_VERSION, editByHand, VERSIONS, type Action, type Wanted } from "./actions.ts";
import { modelControlPlane, type ModelControlPlane, type Objects } from "./controlPlane.ts";
import { isLower, ModelLifecycleManager, type Cluster } from "./lifecycleManager.ts";

/** A version that went down, or away, because of a sync. */
export interface Harm {
  readonly where: string;
  readonly before: string;
  readonly after: string | undefined;
}

const CLUSTERS = [
  ["one", "fast", false],
  ["two", "regular", false],
  ["three", "regular", true],
] as const;

/** Thrown in place of an answer: the program is gone. */
class Killed extends Error {}

/** A control plane, a lifecycle-manager and three clusters; what is done to them, and what it does to the clusters. */
export class Scenario {
  readonly #objects: Objects = new Map();
  readonly #missing = new Set<string>();
  readonly #clusters: readonly Cluster[];
  readonly #generation: Generation;
  #wanted: Wanted = {
    fast: "1.1.0",
    regular: "1.0.0",
    mandatory: "1.0.0",
    isFlipped: false,
    isBeta: false,
    component: "example.com/module/istio",
  };
  /** What the syncs did, for a test that fails. */
  readonly said: string[] = [];
  #nowMs = Date.parse("2026-05-04T10:00:00Z");

  constructor(generation: Generation) {
    this.#generation = generation;
    this.#clusters = CLUSTERS.map(([name, channel, isBeta]) => ({
      name,
      isBeta,
      wishes: new Map([["istio", channel]]),
    }));
  }

  /** Serves the first catalogue, and lets every cluster install it. */
  async start(): Promise<void> {
    await this.#sync({ kind: "sync", prune: false, now: false, adopt: false, killedAt: undefined, looks: [] });
    this.#manager(this.#plane()).settle();
  }

  /** Does one thing; gives the harm that a sync did. */
  async act(action: Action): Promise<readonly Harm[]> {
    this.#nowMs += 60_000;
    switch (action.kind) {
      case "repository":
        this.#wanted = { ...this.#wanted, ...action.wanted };
        return [];
      case "hand":
        editByHand(this.#plane(), this.#generation, action.what, action.version);
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

  /** What runs where, were everything left alone from now on. */
  outlookNow(): ReadonlyMap<string, string> {
    return this.#outlook();
  }

  /** Lets lifecycle-manager look at every cluster. */
  settleNow(): void {
    this.#manager(this.#plane()).settle();
  }

  /** What a sync did to clusters, that would not have happened without it. */
  async #judged(action: Extract<Action, { kind: "sync" }>): Promise<readonly Harm[]> {
    const before = this.#manager(this.#plane()).inventory();
    const without = this.#outlook();
    await this.#sync(action);
    const after = this.#outlook();
    return [...before].flatMap(([where, version]): Harm[] => {
      const then = after.get(where);
      const otherwise = without.get(where);
      const isHurt = then === undefined || isLower(then, version);
      const isOurs = otherwise !== undefined && !isLower(otherwise, version);
      return isHurt && isOurs ? [{ where, before: version, after: then }] : [];
    });
  }

  /** What every cluster would run if nobody did anything any more. */
  #outlook(): ReadonlyMap<string, string> {
    const manager = this.#manager(modelControlPlane(structuredClone(this.#objects)));
    manager.settle();
    return manager.inventory();
  }

  #plane(before?: (verb: string) => void): ModelControlPlane {
    return modelControlPlane(this.#objects, before);
  }

  #manager(plane: ModelControlPlane): ModelLifecycleManager {
    return new ModelLifecycleManager(plane, this.#clusters, this.#missing, this.#generation);
  }

  async #sync({ prune, now, adopt, killedAt, looks }: Extract<Action, { kind: "sync" }>): Promise<void> {
    let calls = 0;
    const manager = this.#manager(this.#plane());
    // No API fences one object by the state of another: between the last look at the statuses and the write that follows it
    // lies the one moment that nothing can guard.
    const written = this.#generation === "version-templates" ? "ModuleReleaseMeta" : "ModuleTemplate";
    const plane = this.#plane((verb) => {
      calls += 1;
      for (const { at, cluster } of verb === `apply ${written}` ? [] : looks) {
        const seen = this.#clusters[cluster];
        if (at === calls && seen !== undefined) manager.reconcile(seen);
      }
      if (killedAt !== undefined && calls >= killedAt) throw new Killed();
    });
    const catalogue = catalogueOf(this.#sample());
    const options = { ...CAREFUL, prune, adopt, maxPrune: 1000, now: now ? "it is a test" : undefined };
    const target = { landscape: "dev", namespace: "kcp-system", generation: this.#generation };
    const claim = { repository: "org/name", landscape: "dev", generation: this.#generation, revision: "" };
    const [landscape] = catalogue.settings.landscapes;
    if (landscape === undefined) throw new Error("the sample has a landscape");
    const clock = { nowMs: () => this.#nowMs, pause: () => Promise.resolve() };
    try {
      const prepared = await prepare({ catalogue, landscape, target, options, claim }, this.#world(plane), quietRun());
      const report = { outcome: () => undefined, entry: () => undefined };
      this.said.push(...entrySummary(prepared.plan), ...summary(prepared.plan));
      await sync(prepared, { controlPlane: plane, clock, writes: new AbortController().signal }, report, quietRun());
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }

  #world(controlPlane: ModelControlPlane): PlanWorld {
    return {
      controlPlane,
      clock: { nowMs: () => this.#nowMs, pause: () => Promise.resolve() },
      history: { contentsOf: () => Promise.resolve([]) },
      artifacts: {
        kind: "registry",
        settings: { baseUrl: "registry.example.com" },
        registry: () => Promise.resolve(this.#registry()),
      },
      ancestry: () => Promise.resolve("forward"),
      earlier: () => Promise.resolve({ kind: "none" }),
      decreases: () => Promise.resolve([]),
    };
  }

  #registry(): Registry {
    const found: ComponentVersion = { descriptor: {}, digest: "sha256:0", rawManifest: Buffer.of(1) };
    const isMissing = (name: string, version: string): boolean =>
      this.#missing.has(`${name.split("/").at(-1) ?? ""}@${version}`);
    return {
      digestOf: () => Promise.resolve(undefined),
      component: (_base, name, version) => Promise.resolve(isMissing(name, version) ? undefined : found),
      hasLayer: (repository, digest) =>
        Promise.resolve(!isMissing(repository, digest.replace("sha256:", "").replaceAll("-", "."))),
    };
  }

  #sample(): Sample {
    const { fast, regular, mandatory, isFlipped, isBeta, component } = this.#wanted;
    const versions = Object.fromEntries(
      ["istio", "audit"].flatMap((module) =>
        VERSIONS.map((version) => [`${module}/${version}`, specOf(module, version)]),
      ),
    );
    const serve = (module: string, version: string | undefined): Record<string, TemplateSpec> =>
      version === undefined ? {} : { [module]: { version, ...specOf(module, version) } };
    return {
      channels: {
        fast: isFlipped ? {} : serve("istio", fast),
        regular: isFlipped ? {} : serve("istio", regular),
        must: { ...serve("audit", mandatory), ...(isFlipped && serve("istio", fast ?? "1.0.0")) },
      },
      mandatory: ["must"],
      versions,
      modules: { istio: { ocmComponentName: component, ...(isBeta && { beta: true }) } },
    };
  }
}

function specOf(module: string, version: string): TemplateSpec {
  const digest = `sha256:${version.replaceAll(".", "-")}`;
  const component = {
    name: `example.com/module/${module}`,
    version,
    repositoryContexts: [{ baseUrl: "registry.example.com" }],
    resources: [{ name: "raw-manifest", access: { type: "localBlob", localReference: digest } }],
  };
  return {
    descriptor: { component },
    ...(module === "istio" && version === BETA_VERSION && { labels: { "operator.kyma-project.io/beta": "true" } }),
  };
}
