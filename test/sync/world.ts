import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import type { TestContext } from "vitest";
import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import type { Generation } from "../../src/catalogue/settings.ts";
import { lifecycleManagerDefinitions } from "../../src/kubernetes/customResourceDefinition.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import type { ControlPlane, History, Run } from "../../src/ports.ts";
import type { ObjectOutcome } from "../../src/sync/apply.ts";
import type { EarlierRecords } from "../../src/sync/plan/records.ts";
import type { PlanOptions } from "../../src/sync/plan/input.ts";
import type { Plan } from "../../src/sync/plan/item.ts";
import type { ArtifactSource } from "../../src/sync/artifacts.ts";
import { prepare, landscapeAccess, type Prepared, type PlanWorld } from "../../src/sync/prepare.ts";
import { sync, type SyncResult } from "../../src/sync/sync.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane as openControlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { needControlPlane } from "../support/needControlPlane.ts";
import { NO_HISTORY } from "../support/noHistory.ts";
import { quietRun } from "../support/quietRun.ts";
import { openOutside, pathOf, type Kind, type Outside, type OutsideAccess } from "./outside.ts";

/** One namespace of a real API server, with helpers for tests. */
export interface World {
  readonly namespace: string;
  readonly access: OutsideAccess;
  /** The API server through this project's client, with every right. */
  readonly controlPlane: ControlPlane;
  /** The API server for other clients. */
  readonly outside: Outside;
  /** Plans; in a shared world with the rights that `install --one-shot` prints, and no others. */
  readonly prepare: (catalogue: Catalogue, given?: Given) => Promise<Prepared>;
  /** Plans and carries out, with the same rights. */
  readonly sync: (catalogue: Catalogue, given?: Given) => Promise<Synced>;
  readonly list: (kind: Kind) => Promise<readonly KubernetesObject[]>;
  readonly read: (kind: Kind, name: string) => Promise<KubernetesObject | undefined>;
  /** Kind and name to resourceVersion, of all objects that a sync may write. */
  readonly versions: () => Promise<Readonly<Record<string, string>>>;
}

/** The options of a sync in a test. */
export interface Given extends Partial<PlanOptions> {
  readonly generation?: Generation;
  readonly history?: History;
  readonly controlPlane?: ControlPlane;
  readonly run?: Run;
  /** Called between planning and carrying out. */
  readonly meanwhile?: (prepared: Prepared) => Promise<unknown>;
  /** Called after each item that was carried out. */
  readonly onOutcome?: (outcome: ObjectOutcome) => void;
  readonly artifacts?: ArtifactSource;
  readonly earlier?: EarlierRecords;
  readonly ancestry?: PlanWorld["ancestry"];
  readonly claim?: { readonly repository?: string; readonly landscape?: string; readonly revision?: string };
}

/** The plan and the result of a sync. */
export interface Synced extends SyncResult {
  readonly plan: Plan;
}

/** A new namespace on the control plane of the test run; skips the test if there is none. */
export async function sharedWorld(context: TestContext): Promise<World> {
  const access = needControlPlane(context);
  const { namespace, outside } = await openWorld(access);
  installed ??= installKinds(outside);
  await installed;
  return worldIn(namespace, access, asPrinted);
}

/** Signs in with the rights that `install --one-shot` prints. */
async function asPrinted(world: World): Promise<ControlPlane> {
  // They build on this file.
  const [{ printed }, { signIn }] = await Promise.all([import("./granting.ts"), import("./users.ts")]);
  const text = JSON.stringify(printed(world, "one-shot")).replaceAll('"kyma-modules-ci"', '"suite"');
  return (await signIn(JSON.parse(text) as readonly KubernetesObject[], world)).controlPlane;
}

let installed: Promise<void> | undefined;
let count = 0;

/** A new namespace of the control plane that `access` leads to. */
export async function openWorld(access: OutsideAccess): Promise<World> {
  const outside = openOutside(access);
  const namespace = `t-${process.pid}-${Date.now().toString(36)}-${count++}`;
  await outside.must("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
  return worldIn(namespace, access);
}

/** The world of a namespace, whether it exists or not. `signIn` gives the API server for plans and syncs. */
export async function worldIn(
  namespace: string,
  access: OutsideAccess,
  signIn: (world: World) => Promise<ControlPlane> = ({ controlPlane }) => Promise.resolve(controlPlane),
): Promise<World> {
  const outside = openOutside(access);
  const controlPlane = openControlPlane(await openAccess({ kubeconfig: access.kubeconfig }));
  let signedIn: Promise<ControlPlane> | undefined;
  const own = (): Promise<ControlPlane> => (signedIn ??= signIn(world));
  const prepareAs = async (catalogue: Catalogue, given: Given = {}): Promise<Prepared> => {
    const { generation = "version-templates", history = NO_HISTORY, run = quietRun() } = given;
    const { artifacts = NO_ARTIFACTS, earlier = { kind: "none" }, ancestry = FORWARD } = given;
    const claim = { repository: "org/name", landscape: "dev", generation, revision: "", ...given.claim };
    const world: PlanWorld = {
      look: landscapeAccess(given.controlPlane ?? (await own()), namespace).look,
      clock: systemClock,
      history,
      artifacts,
      ancestry,
      earlier: () => Promise.resolve(earlier),
      decreases: () => Promise.resolve([]),
    };
    const target = { landscape: "dev", namespace, generation };
    const landscape = catalogue.settings.landscapes.find(({ name }) => name === "dev");
    if (landscape === undefined) throw new Error("the sample has no landscape dev");
    return prepare({ catalogue, landscape, target, options: optionsOf(given), claim }, world, run);
  };
  const list = async (kind: Kind): Promise<readonly KubernetesObject[]> => {
    const { items } = await outside.must("GET", pathOf(kind, namespace));
    return items as readonly KubernetesObject[];
  };
  const world: World = {
    namespace,
    access,
    controlPlane,
    outside,
    prepare: prepareAs,
    sync: async (catalogue, given = {}) => {
      const prepared = await prepareAs(catalogue, given);
      await given.meanwhile?.(prepared);
      const report = { outcome: given.onOutcome ?? ((): void => undefined), entry: () => undefined };
      const on = { controlPlane: given.controlPlane ?? (await own()), clock: systemClock, writes: () => NEVER };
      return { ...(await sync(prepared, on, report, given.run ?? quietRun())), plan: prepared.plan };
    },
    list,
    read: async (kind, name) => {
      const { status, body } = await outside.send("GET", pathOf(kind, namespace, name));
      return status === 404 ? undefined : body;
    },
    versions: async () => {
      const kinds = ["templates", "metas", "configmaps"] as const;
      const lists = await Promise.all(kinds.map(async (kind) => (await list(kind)).map(versionOf(kind))));
      return Object.fromEntries(lists.flat());
    },
  };
  return world;
}

function versionOf(kind: Kind): (object: KubernetesObject) => readonly [string, string] {
  return ({ metadata: { name, resourceVersion = "" } }) => [`${kind} ${name}`, resourceVersion];
}

function optionsOf(given: Given): PlanOptions {
  const { adopt = false, prune = false, maxPrune, changedContent = "refuse", now } = given;
  const { takeOverSet = false, switchGeneration = false, rewind = false } = given;
  return { adopt, prune, maxPrune, changedContent, now, takeOverSet, switchGeneration, rewind };
}

const NEVER = new AbortController().signal;
const NO_ARTIFACTS: ArtifactSource = { kind: "none", because: "it is a test" };
const FORWARD: PlanWorld["ancestry"] = () => Promise.resolve("forward");

/** A ConfigMap of a world's namespace. */
export function configMapIn({ namespace }: World, name: string): KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } };
}

/** The real definitions, if they are beside this repository. */
export const CRDS: string = join(import.meta.dirname, "../../../shared/kyma-data/crds");

/** The definitions of the kinds that lifecycle-manager writes: the real ones, if they are beside this repository. */
export function fleetDefinitions(): readonly KubernetesObject[] {
  return [definitionOf("kymas", "Kyma"), definitionOf("manifests", "Manifest")];
}

function definitionOf(plural: string, kind: string): KubernetesObject {
  const file = join(CRDS, `${plural}__lm-1.20.4.yaml`);
  return (existsSync(file) ? readDefinition(file) : undefined) ?? looseDefinition(plural, kind);
}

/** The CustomResourceDefinition in a file, without the conversion webhook, which does not run here. */
export function readDefinition(file: string): KubernetesObject | undefined {
  const documents = loadAll(readFileSync(file, "utf8")) as readonly (KubernetesObject | null)[];
  return documents.find((document) => document?.kind === "CustomResourceDefinition") ?? undefined;
}

function looseDefinition(plural: string, kind: string): KubernetesObject {
  const group = "operator.kyma-project.io";
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: "v1beta2",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: anything },
        },
      ],
    },
  };
}

/** Installs the kinds of lifecycle-manager that a sync writes or reads. */
export async function installKinds(outside: Outside): Promise<void> {
  await installDefinitions(outside, [...lifecycleManagerDefinitions(), ...fleetDefinitions()]);
}

/** Installs definitions that another test file did not install already, and waits until their kinds can be written. */
export async function installDefinitions(outside: Outside, definitions: readonly KubernetesObject[]): Promise<void> {
  const root = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await Promise.all(
    definitions.map(async (definition) => {
      const { group, names } = definition["spec"] as { group: string; names: { plural: string } };
      const isServed = async (): Promise<boolean> =>
        (await outside.send("GET", `/apis/${group}/v1beta2/${names.plural}?limit=1`)).status === 200;
      if (await isServed()) return;
      const path = `${root}/${definition.metadata.name}?fieldManager=kyma-modules&force=true`;
      await outside.must("PATCH", path, definition, "apply-patch");
      await eventually(isServed);
    }),
  );
}

/** Waits until `holds`; throws after a minute. */
export async function eventually(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it did not come true within a minute");
}
