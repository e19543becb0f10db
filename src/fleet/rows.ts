import { MODULE_LABEL } from "../catalogue/template.ts";
import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { messageCause } from "./cause.ts";
import { pool, pooled } from "../document/pool.ts";
import { UNKNOWN_VERSION, type LeftOut, type ModuleCondition, type ModuleUser } from "./users.ts";

const CHANNEL_LABEL = "operator.kyma-project.io/channel";
const KYMA_LABEL = "operator.kyma-project.io/kyma-name";
const REGION_LABEL = "kyma-project.io/region";
const SKIP_LABEL = "operator.kyma-project.io/skip-reconciliation";
const READY = "Ready";
/** The states in which the status names the channel that the Kyma wants. */
const SETTLED = new Set<unknown>([READY, "Processing"]);
/** The states of modules that lifecycle-manager no longer reconciles. */
const LEFT_OUT: ReadonlyMap<unknown, LeftOut> = new Map([
  ["Unmanaged", "unmanaged"],
  ["Deleting", "deleting"],
]);

/** One Kyma: its modules, and the templates that it names. */
export interface KymaRow {
  /** For example `Kyma a`. */
  readonly userName: string;
  readonly modules: ReadonlyMap<string, ModuleUser>;
  /** Why lifecycle-manager does not reconcile it; `undefined` if it does. */
  readonly leftOut: LeftOut | undefined;
  /** `undefined` if no label names one. */
  readonly region: string | undefined;
  readonly templates: readonly string[];
}

/** One Manifest. It names its module and version instead of a template; up to lifecycle-manager 1.7, the channel. */
export interface ManifestRow {
  readonly name: string;
  /** `undefined` if the Manifest names none: it may be of any module. */
  readonly module: string | undefined;
  /** The name of its Kyma; empty if the Manifest names none. */
  readonly kyma: string;
  readonly version: string | undefined;
  readonly templates: readonly string[];
  /** Its own condition, for a module that no Kyma mentions. */
  readonly condition: ModuleCondition;
}

/** How an object was seen, if every change is seen. */
export interface Sighting {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Whether it is in the first list: then its state may have begun before. */
  readonly isFirst: boolean;
}

/** Reads a Kyma. `before` is the last row of it. */
export function readKyma(kyma: KubernetesObject, before?: KymaRow, seen?: Sighting): KymaRow {
  const chosen = chosenModules(kyma);
  const states = recordsAt(kyma["status"], "modules");
  const byModule = new Map(states.map((state) => [textAt(state, ["name"]), state]));
  const names = new Set([...chosen.keys(), ...byModule.keys()]);
  const whole: WholeKyma = {
    name: kyma.metadata.name,
    userName: `Kyma ${kyma.metadata.name}`,
    leftOut: leftOutReason(kyma) ?? (textAt(kyma, ["status", "state"]) === "Deleting" ? "deleting" : undefined),
    readyMs: kymaReadyMs(kyma),
  };
  const modules = new Map<string, ModuleUser>();
  for (const module of names) {
    if (module === undefined) continue;
    const row = kymaModuleRow(whole, chosen.get(module), byModule.get(module));
    modules.set(pooled(module), begun(row, before?.modules.get(module), seen));
  }
  const region = kyma.metadata.labels?.[REGION_LABEL];
  const templates = [...new Set(states.flatMap(templatesIn))];
  const { userName, leftOut } = whole;
  return { userName, modules, leftOut, region: region && pooled(region), templates };
}

/** Reads a Manifest. `before` is the last row of it. */
export function readManifest(manifest: KubernetesObject, before?: ManifestRow, seen?: Sighting): ManifestRow {
  const { name, labels = {} } = manifest.metadata;
  const module = textAt(labels, [MODULE_LABEL]);
  const version = pooledAt(manifest, ["spec", "version"]);
  const state = pooledAt(manifest, ["status", "state"]);
  const own = { state, sinceMs: timeAt(manifest["status"], ["lastOperation", "lastUpdateTime"]) };
  const sinceMs = lasts({ version, condition: own }, before) ? before?.condition.sinceMs : sightedStart(own, seen);
  const kyma = labels[KYMA_LABEL] ?? "";
  const message = textAt(manifest, ["status", "lastOperation", "operation"]);
  return {
    name,
    module: module && pooled(module),
    kyma,
    version,
    templates: templateNames(module, [version, labels[CHANNEL_LABEL]]),
    condition: {
      channels: NO_CHANNELS,
      state,
      sinceMs,
      leftOut: leftOutReason(manifest) ?? LEFT_OUT.get(state),
      isWaiting: false,
      cause: state === READY ? undefined : messageCause(message, [name, kyma]),
    },
  };
}

/** The row of an installed module that its Kyma does not mention; `kyma`: that one, if it exists. */
export function strayRow(
  { name, version, condition: own }: ManifestRow,
  kyma?: { readonly name: string; readonly leftOut: LeftOut | undefined },
): ModuleUser {
  const unknown = { channels: "every", version: undefined } as const;
  const condition = kyma?.leftOut === undefined ? own : { ...own, leftOut: kyma.leftOut };
  const installed = version ?? UNKNOWN_VERSION;
  return { ...unknown, name: `Manifest ${name}`, kyma: kyma?.name, installed, condition };
}

/** A Manifest that names no module, as a possible user of every module. */
export function unnamedRow(row: ManifestRow): ModuleUser {
  return { ...strayRow(row), name: `Manifest ${row.name} without the label ${MODULE_LABEL}`, installed: undefined };
}

function leftOutReason({ metadata: { deletionTimestamp, labels } }: KubernetesObject): LeftOut | undefined {
  if (deletionTimestamp !== undefined) return "deleting";
  return labels?.[SKIP_LABEL] === "true" ? "skipped" : undefined;
}

/**
 * The latest time at which all modules of a Kyma became Ready. lifecycle-manager sets the conditions again in each
 * reconciliation, every 2 seconds for a failing module, so they do not show since when it fails. Its Manifest does.
 */
function kymaReadyMs({ status }: KubernetesObject): number | undefined {
  const condition = recordsAt(status, "conditions").find(({ type }) => type === "Modules");
  return condition?.["status"] === "True" ? timeAt(condition, ["lastTransitionTime"]) : undefined;
}

function timeAt(value: unknown, path: readonly string[]): number | undefined {
  const ms = Date.parse(textAt(value, path) ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

/** A module in the spec of a Kyma. */
interface ChosenModule {
  readonly channel: string | undefined;
  readonly isManaged: boolean;
}

/** The modules in the spec of a Kyma, by name; on most control planes, modules are enabled elsewhere. */
function chosenModules(kyma: KubernetesObject): ReadonlyMap<string, ChosenModule> {
  const fallback = textAt(kyma, ["spec", "channel"]);
  return new Map(
    recordsAt(kyma["spec"], "modules").flatMap((module) => {
      const name = textAt(module, ["name"]);
      const channel = textAt(module, ["channel"]) ?? fallback;
      return name === undefined ? [] : [[name, { channel, isManaged: module["managed"] !== false }]];
    }),
  );
}

type KymaFields = Readonly<Record<string, unknown>>;

/** The fields of a Kyma that concern all its modules. */
interface WholeKyma {
  readonly name: string;
  readonly userName: string;
  readonly leftOut: LeftOut | undefined;
  readonly readyMs: number | undefined;
}

function kymaModuleRow(kyma: WholeKyma, chosen: ChosenModule | undefined, said: KymaFields | undefined): ModuleUser {
  const condition = kymaModuleCondition(kyma, chosen, said);
  const { channels, state } = condition;
  const isClear = channels.length > 0 && (said === undefined || SETTLED.has(state));
  return {
    name: kyma.userName,
    kyma: kyma.name,
    channels: isClear ? channels : "every",
    version: pooledAt(said, ["version"]),
    installed: undefined,
    condition,
  };
}

function kymaModuleCondition(
  kyma: WholeKyma,
  chosen: ChosenModule | undefined,
  said: KymaFields | undefined,
): ModuleCondition {
  const state = pooledAt(said, ["state"]);
  const unmanaged = chosen?.isManaged === false ? "unmanaged" : LEFT_OUT.get(state);
  return {
    channels: chosenChannels(chosen?.channel, pooledAt(said, ["channel"])),
    state,
    sinceMs: state === READY ? kyma.readyMs : undefined,
    leftOut: kyma.leftOut ?? unmanaged,
    isWaiting: said?.["maintenance"] === true,
    cause: state === READY ? undefined : messageCause(textAt(said, ["message"]), [kyma.name]),
  };
}

/** The row with the time since when it has its state. */
function begun(row: ModuleUser, before: ModuleUser | undefined, seen: Sighting | undefined): ModuleUser {
  const sinceMs = lasts(row, before) ? before?.condition.sinceMs : sightedStart(row.condition, seen);
  return { ...row, condition: { ...row.condition, sinceMs } };
}

type VersionInState = Pick<ModuleUser, "version"> & { readonly condition: Pick<ModuleCondition, "state" | "sinceMs"> };

/**
 * Whether a state is that of the last row. With a new version, Ready is a new state. Any other one is not:
 * lifecycle-manager names the new version with the state of the old one until it looks again.
 */
function lasts({ version, condition: { state } }: VersionInState, before: VersionInState | undefined): boolean {
  return before !== undefined && before.condition.state === state && (before.version === version || state !== READY);
}

/**
 * The start of a state: the time of a seen change, otherwise `sinceMs`, which the object says. Unless it says one, Ready
 * counts from the first list, since it must be seen to hold; a failure counts at once.
 */
function sightedStart({ state, sinceMs }: VersionInState["condition"], seen: Sighting | undefined): number | undefined {
  if (seen?.isFirst === false) return seen.nowMs;
  return sinceMs ?? (state === READY ? seen?.nowMs : undefined);
}

const NO_CHANNELS: readonly string[] = [];

function chosenChannels(chosen: string | undefined, said: string | undefined): readonly string[] {
  if (chosen === said || said === undefined) return chosen === undefined ? NO_CHANNELS : onlyChannel(chosen);
  return chosen === undefined ? onlyChannel(said) : [chosen, said];
}

/** Nearly all rows name one of a few channels, so they share its list. */
const onlyChannel = pool((channel): readonly string[] => [channel]);

/** The templates that the status of a module refers to: the one that it names, and the one of its version. */
function templatesIn(state: KymaFields): readonly string[] {
  const own = templateNames(textAt(state, ["name"]), [textAt(state, ["version"])]);
  return [...own, pooledAt(state, ["template", "metadata", "name"])].filter((name) => name !== undefined);
}

function templateNames(module: string | undefined, suffixes: readonly (string | undefined)[]): readonly string[] {
  if (module === undefined) return [];
  return suffixes.flatMap((suffix) => (suffix === undefined ? [] : pooled(`${module}-${suffix}`)));
}

/** JSON.parse makes a new string for each version and state. */
function pooledAt(value: unknown, path: readonly string[]): string | undefined {
  const text = textAt(value, path);
  return text && pooled(text);
}

function recordsAt(value: unknown, key: string): readonly KymaFields[] {
  const found = fieldAt(value, [key]);
  return Array.isArray(found) ? found.filter(isRecord) : [];
}
