import { MODULE_LABEL } from "../catalogue/template.ts";
import { compareVersions, parseVersion } from "../catalogue/version.ts";
import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { causeOf } from "./cause.ts";
import { pool } from "./pool.ts";
import type { LeftOut, ModuleCondition, ModuleUser } from "./users.ts";

const CHANNEL_LABEL = "operator.kyma-project.io/channel";
const KYMA_LABEL = "operator.kyma-project.io/kyma-name";
const REGION_LABEL = "kyma-project.io/region";
const SKIP_LABEL = "operator.kyma-project.io/skip-reconciliation";
const READY = "Ready";
/** The states in which the status names the channel that the Kyma wants. */
const SETTLED = new Set<unknown>([READY, "Processing"]);
/** The states of what lifecycle-manager no longer looks after. */
const LEFT_OUT: ReadonlyMap<unknown, LeftOut> = new Map([
  ["Unmanaged", "unmanaged"],
  ["Deleting", "deleting"],
]);

/** What one Kyma says: of each module, and which templates it names. */
export interface KymaRow {
  /** As users are named: `Kyma a`. */
  readonly userName: string;
  readonly modules: ReadonlyMap<string, ModuleUser>;
  /** `undefined`: no label names one. */
  readonly region: string | undefined;
  readonly templates: readonly string[];
}

/** What one Manifest says. It names no template, but its module and version; up to lifecycle-manager 1.7 the channel does. */
export interface ManifestRow {
  readonly name: string;
  readonly module: string;
  /** The Kyma that it is of; empty where none is named. */
  readonly kyma: string;
  readonly version: string | undefined;
  readonly templates: readonly string[];
  /** How it fares by itself, where no Kyma says anything of the module. */
  readonly condition: ModuleCondition;
}

/** Reads a Kyma. `before` is what it said last; `nowMs` is set where someone watches. */
export function readKyma(kyma: KubernetesObject, before?: KymaRow, nowMs?: number): KymaRow {
  const chosen = chosenModules(kyma);
  const states = recordsAt(kyma["status"], "modules");
  const byModule = new Map(states.map((state) => [textAt(state, ["name"]), state]));
  const names = new Set([...chosen.keys(), ...byModule.keys()]);
  const whole: WholeKyma = {
    name: kyma.metadata.name,
    userName: `Kyma ${kyma.metadata.name}`,
    leftOut: leftOut(kyma) ?? (textAt(kyma, ["status", "state"]) === "Deleting" ? "deleting" : undefined),
    readyMs: readyMsOf(kyma),
  };
  const modules = new Map<string, ModuleUser>();
  for (const module of names) {
    if (module === undefined) continue;
    const row = rowOf(whole, chosen.get(module), byModule.get(module));
    modules.set(pooled(module), begun(row, before?.modules.get(module), nowMs));
  }
  const region = kyma.metadata.labels?.[REGION_LABEL];
  const templates = [...new Set(states.flatMap((state) => templateIn(state) ?? []))];
  return { userName: whole.userName, modules, region: region && pooled(region), templates };
}

/** Reads a Manifest; `undefined` where it names no module. */
export function readManifest(
  manifest: KubernetesObject,
  before?: ManifestRow,
  nowMs?: number,
): ManifestRow | undefined {
  const { name, labels = {} } = manifest.metadata;
  const module = labels[MODULE_LABEL];
  if (module === undefined) return undefined;
  const version = pooledAt(manifest, ["spec", "version"]);
  const suffixes = [version, labels[CHANNEL_LABEL]].filter((suffix) => suffix !== undefined);
  const state = pooledAt(manifest, ["status", "state"]);
  const isSame = before !== undefined && before.condition.state === state && before.version === version;
  const sinceMs = isSame
    ? before.condition.sinceMs
    : (nowMs ?? timeAt(manifest["status"], ["lastOperation", "lastUpdateTime"]));
  const kyma = labels[KYMA_LABEL] ?? "";
  const message = textAt(manifest, ["status", "lastOperation", "operation"]);
  return {
    name,
    module: pooled(module),
    kyma,
    version,
    templates: [...new Set(suffixes)].map((suffix) => pooled(`${module}-${suffix}`)),
    condition: {
      channels: NO_CHANNELS,
      state,
      sinceMs,
      leftOut: leftOut(manifest) ?? LEFT_OUT.get(state),
      isWaiting: false,
      cause: state === READY ? undefined : causeOf(message, [name, kyma]),
    },
  };
}

/** What is installed although no Kyma says anything of it. */
export function strayRow({ name, kyma, version, condition }: ManifestRow): ModuleUser {
  const unknown = { channels: "every", version: undefined, template: undefined } as const;
  return { ...unknown, name: `Manifest ${name}`, kyma: kyma || undefined, installed: version, condition };
}

/** What is not a version counts as the higher one: it is not known to be low. */
export function higher(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left === undefined || right === undefined) return left === undefined ? a : b;
  return compareVersions(left, right) < 0 ? b : a;
}

function leftOut({ metadata: { deletionTimestamp, labels } }: KubernetesObject): LeftOut | undefined {
  if (deletionTimestamp !== undefined) return "deleting";
  return labels?.[SKIP_LABEL] === "true" ? "skipped" : undefined;
}

/**
 * When all modules of a Kyma were Ready at the latest. lifecycle-manager sets the conditions anew each time that it looks:
 * at what fails every 2 seconds, so that they never say since when it does. Its Manifest does.
 */
function readyMsOf({ status }: KubernetesObject): number | undefined {
  const condition = recordsAt(status, "conditions").find(({ type }) => type === "Modules");
  return condition?.["status"] === "True" ? timeAt(condition, ["lastTransitionTime"]) : undefined;
}

function timeAt(value: unknown, path: readonly string[]): number | undefined {
  const ms = Date.parse(textAt(value, path) ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

/** What the spec of a Kyma says of a module. */
interface ChosenModule {
  readonly channel: string | undefined;
  readonly isManaged: boolean;
}

/** Module to what the Kyma's spec says of it; on most control planes modules are enabled elsewhere. */
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

/** What a Kyma says of all its modules. */
interface WholeKyma {
  readonly name: string;
  readonly userName: string;
  readonly leftOut: LeftOut | undefined;
  readonly readyMs: number | undefined;
}

function rowOf(kyma: WholeKyma, chosen: ChosenModule | undefined, said: KymaFields | undefined): ModuleUser {
  const condition = conditionOf(kyma, chosen, said);
  const { channels, state } = condition;
  const isClear = channels.length > 0 && (said === undefined || SETTLED.has(state));
  return {
    name: kyma.userName,
    kyma: kyma.name,
    channels: isClear ? channels : "every",
    version: pooledAt(said, ["version"]),
    template: said && templateIn(said),
    installed: undefined,
    condition,
  };
}

function conditionOf(kyma: WholeKyma, chosen: ChosenModule | undefined, said: KymaFields | undefined): ModuleCondition {
  const state = pooledAt(said, ["state"]);
  const unmanaged = chosen?.isManaged === false ? "unmanaged" : LEFT_OUT.get(state);
  return {
    channels: channelsOf(chosen?.channel, pooledAt(said, ["channel"])),
    state,
    sinceMs: state === READY ? kyma.readyMs : undefined,
    leftOut: kyma.leftOut ?? unmanaged,
    isWaiting: said?.["maintenance"] === true,
    cause: state === READY ? undefined : causeOf(textAt(said, ["message"]), [kyma.name]),
  };
}

/** The row with the moment at which its state and version began: where someone watches, that is when it was seen. */
function begun(row: ModuleUser, before: ModuleUser | undefined, nowMs: number | undefined): ModuleUser {
  const { state } = row.condition;
  const isSame = before !== undefined && before.condition.state === state && before.version === row.version;
  return {
    ...row,
    condition: { ...row.condition, sinceMs: isSame ? before.condition.sinceMs : (nowMs ?? row.condition.sinceMs) },
  };
}

const NO_CHANNELS: readonly string[] = [];

function channelsOf(chosen: string | undefined, said: string | undefined): readonly string[] {
  if (chosen === said || said === undefined) return chosen === undefined ? NO_CHANNELS : onlyChannel(chosen);
  return chosen === undefined ? onlyChannel(said) : [chosen, said];
}

/** Nearly all rows name one of a few channels: they share its list. */
const onlyChannel = pool((channel): readonly string[] => [channel]);

function templateIn(state: KymaFields): string | undefined {
  return pooledAt(state, ["template", "metadata", "name"]);
}

/** The same string for equal texts: JSON.parse makes one for each time that a version or a state is said. */
const pooled = pool((text) => text);

function pooledAt(value: unknown, path: readonly string[]): string | undefined {
  const text = textAt(value, path);
  return text && pooled(text);
}

function recordsAt(value: unknown, key: string): readonly KymaFields[] {
  const found = fieldAt(value, [key]);
  return Array.isArray(found) ? found.filter(isRecord) : [];
}
