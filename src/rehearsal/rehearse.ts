import { isDeepStrictEqual } from "node:util";
import { fieldAt, isRecord, listAt, textAt } from "../document/fields.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { readReleaseMeta } from "../kubernetes/releaseMeta.ts";
import { lookUp, versionFor, type LookUpResult, type ModuleStatus, type ServedModules, type Wish } from "./lookup.ts";
import { install, manifestOwner, type Installation } from "./manifest.ts";
import { upgradeMs } from "./speed.ts";

/** The objects of one cluster on its control plane. */
export interface RehearsedCluster {
  readonly kyma: KubernetesObject;
  /** By module. */
  readonly manifests: ReadonlyMap<string, KubernetesObject>;
}

/** The times that a rehearsal depends on. */
export interface RehearsedTime {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Since when a channel serves a version; `-Infinity` if that began before the rehearsal. Unix milliseconds. */
  readonly servedMs: (wish: Wish) => number;
  /** Whether the maintenance window of the cluster is open, and when that changes; `undefined` if it has none. */
  readonly window: { readonly isOpen: boolean; readonly untilMs: number } | undefined;
}

/** The writes that lifecycle-manager would make now. */
export interface Rehearsal {
  /** `undefined` if it does not change. */
  readonly kyma: KubernetesObject | undefined;
  /** Only changed ones. */
  readonly manifests: readonly KubernetesObject[];
  readonly removed: readonly KubernetesObject[];
  /** When the next write is due without any change of input. Unix milliseconds. */
  readonly nextMs: number;
}

const SKIP_LABEL = "operator.kyma-project.io/skip-reconciliation";

/** Predicts what lifecycle-manager writes for a cluster. The cluster has no runtime: its Kyma enables its modules. */
export function rehearse(cluster: RehearsedCluster, served: ServedModules, time: RehearsedTime): Rehearsal {
  const { kyma, manifests } = cluster;
  if (kyma.metadata.labels?.[SKIP_LABEL] === "true")
    return { kyma: undefined, manifests: [], removed: [], nextMs: Infinity };
  if (kyma.metadata.deletionTimestamp !== undefined) return deletion(cluster);
  const wishes = kymaWishes(kyma);
  const outcomes: readonly Outcome[] = [
    ...wishes.map((wish) => fulfil(wish, cluster, served, time)),
    ...disabled(cluster, wishes),
    ...mandatory(cluster, served, time.nowMs),
  ];
  const installed = outcomes.flatMap(({ installation }) => installation ?? []);
  const kept = new Set(outcomes.flatMap(({ module, keeps }) => (keeps ? [module] : [])));
  const written = withStatus(
    kyma,
    outcomes.map(({ status }) => status).filter((status) => status !== undefined),
    time.nowMs,
  );
  return {
    kyma: written,
    manifests: installed.flatMap(({ manifest }) => changed(manifest, manifests)),
    removed: [...manifests].flatMap(([module, manifest]) => (kept.has(module) ? [] : [manifest])),
    nextMs: Math.min(Infinity, ...outcomes.map(({ nextMs }) => nextMs)),
  };
}

/** Removes the finalizer last. */
function deletion({ kyma, manifests }: RehearsedCluster): Rehearsal {
  const { finalizers: _, ...metadata } = kyma.metadata;
  const status = { ...kymaStatus(kyma), state: "Deleting" };
  const next = manifests.size === 0 ? { ...kyma, metadata } : { ...kyma, status };
  const isSame = isDeepStrictEqual(next, kyma);
  return { kyma: isSame ? undefined : next, manifests: [], removed: [...manifests.values()], nextMs: Infinity };
}

/** The result for one module on a cluster. */
interface Outcome {
  readonly module: string;
  /** `undefined` if the Kyma does not list it. */
  readonly status: ModuleStatus | undefined;
  readonly installation?: Installation;
  /** Whether an existing Manifest stays. */
  readonly keeps: boolean;
  readonly nextMs: number;
}

const DEFAULT_CHANNEL = "regular";

function kymaWishes({ spec }: KubernetesObject): readonly Wish[] {
  return listAt(spec, ["modules"]).flatMap((one) => {
    const module = textAt(one, ["name"]);
    const channel = textAt(one, ["channel"]) ?? textAt(spec, ["channel"]) ?? DEFAULT_CHANNEL;
    return module === undefined ? [] : [{ module, channel, isManaged: fieldAt(one, ["managed"]) !== false }];
  });
}

function kymaStatus({ status }: KubernetesObject): ModuleStatus {
  return isRecord(status) ? status : {};
}

function saidModules(kyma: KubernetesObject): ReadonlyMap<string, ModuleStatus> {
  const said = listAt(kyma, ["status", "modules"]).filter(isRecord);
  return new Map(said.map((one) => [textAt(one, ["name"]) ?? "", one]));
}

function fulfil(wish: Wish, cluster: RehearsedCluster, served: ServedModules, time: RehearsedTime): Outcome {
  const { kyma, manifests } = cluster;
  const { module } = wish;
  const said = saidModules(kyma).get(module);
  const keeps = { module, status: said, keeps: true };
  const version = versionFor(wish, served);
  const has = textAt(said, ["version"]);
  // Errors show at once; upgrades are spread over some minutes.
  const isOther = version !== undefined && has !== undefined && version !== has;
  const dueMs = isOther ? upgradeMs(kyma.metadata.name, `${module} ${version}`, time.servedMs(wish)) : -Infinity;
  if (dueMs > time.nowMs) return { ...keeps, nextMs: dueMs };
  const answer = lookUp(wish, { kyma, said }, served, time.window?.isOpen);
  if (answer.kind !== "offered") return denied(answer, wish, said, time);
  const offered = { name: module, channel: wish.channel, version: answer.version };
  if (!wish.isManaged) return { module, status: { ...offered, state: "Unmanaged" }, keeps: false, nextMs: Infinity };
  const installation = install({ module, version: answer.version }, kyma, manifests.get(module), time.nowMs);
  const { manifest, phase } = installation;
  const status = {
    ...offered,
    state: phase.state,
    manifest: tracked(manifest),
    template: tracked(answer.template),
  };
  return { ...keeps, status, installation, nextMs: phase.untilMs };
}

function tracked({ apiVersion, kind, metadata: { name, namespace = "", generation } }: KubernetesObject): ModuleStatus {
  return { apiVersion, kind, metadata: { name, namespace, ...(generation !== undefined && { generation }) } };
}

function denied(
  answer: Exclude<LookUpResult, { kind: "offered" }>,
  { module, channel }: Wish,
  said: ModuleStatus | undefined,
  { window }: RehearsedTime,
): Outcome {
  const { message } = answer;
  const keeps = answer.kind !== "removed";
  if (answer.kind === "kept" && said !== undefined) {
    const isWaiting = answer.state === undefined;
    const status = isWaiting ? { ...said, message, maintenance: true } : { ...said, message, state: answer.state };
    return { module, status, keeps, nextMs: window?.untilMs ?? Infinity };
  }
  const isWarning = said !== undefined && answer.kind === "lost" && answer.state === "Warning";
  const status = { name: module, channel, state: isWarning ? "Warning" : "Error", message };
  return { module, status, keeps, nextMs: Infinity };
}

/** A module that the user disabled is Deleting while its Manifest exists. */
function disabled({ kyma, manifests }: RehearsedCluster, wishes: readonly Wish[]): readonly Outcome[] {
  const wished = new Set(wishes.map(({ module }) => module));
  return [...saidModules(kyma)].flatMap(([module, said]) =>
    wished.has(module) || !manifests.has(module)
      ? []
      : [{ module, status: { ...said, state: "Deleting" }, keeps: false, nextMs: Infinity }],
  );
}

/** Mandatory modules can be downgraded, and Kymas do not list them. If one template is missing, none of them changes. */
function mandatory(
  { kyma, manifests }: RehearsedCluster,
  { metas, templates }: ServedModules,
  nowMs: number,
): readonly Outcome[] {
  const wanted = [...metas].flatMap(([module, meta]) => {
    const version = readReleaseMeta(meta).mandatory?.version;
    return version === undefined ? [] : [{ module, version }];
  });
  const isWhole = wanted.every(({ module, version }) => templates.has(`${module}-${version}`));
  return wanted.map((one) => {
    const kept = { module: one.module, status: undefined, keeps: true };
    if (!isWhole) return { ...kept, nextMs: Infinity };
    const installation = install(one, kyma, manifests.get(one.module), nowMs);
    return { ...kept, installation, nextMs: installation.phase.untilMs };
  });
}

/** The most severe state first. */
const WORST = ["Error", "Warning", "Processing"] as const;

function withStatus(
  kyma: KubernetesObject,
  modules: readonly ModuleStatus[],
  nowMs: number,
): KubernetesObject | undefined {
  const before = kymaStatus(kyma);
  const states = new Set(modules.map(({ state }) => state));
  const state = WORST.find((one) => states.has(one)) ?? "Ready";
  const isReady = modules.every((one) => one["state"] === "Ready" || one["state"] === "Unmanaged");
  const { conditions, ...others } = before;
  const isSame = conditions !== undefined && isDeepStrictEqual(plain({ ...others, state, modules }), plain(others));
  if (isSame) return undefined;
  const condition = {
    type: "Modules",
    status: isReady ? "True" : "False",
    reason: isReady ? "Ready" : "Processing",
    message: isReady ? "all modules are in ready state" : "not all modules are in ready state",
    // As lifecycle-manager does, the time of the last look, not of the transition.
    lastTransitionTime: new Date(nowMs).toISOString(),
  };
  return { ...kyma, status: { ...before, state, modules, conditions: [condition] } };
}

/** Without the fields that an API server omits. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Returns the Manifest if it differs from the existing one. Fields that the API server adds do not matter. */
function changed(
  manifest: KubernetesObject,
  manifests: ReadonlyMap<string, KubernetesObject>,
): readonly KubernetesObject[] {
  const before = manifests.get(manifestOwner(manifest).module);
  const isSame =
    isDeepStrictEqual(before?.["spec"], manifest["spec"]) &&
    isDeepStrictEqual(before?.["status"], manifest["status"]) &&
    isDeepStrictEqual(before?.metadata.annotations, manifest.metadata.annotations);
  return isSame ? [] : [manifest];
}
