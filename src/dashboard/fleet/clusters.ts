import { compareText } from "../../document/order.ts";
import { isAsked, missingReason, type MissingReason } from "../../fleet/rollout.ts";
import type { KnownUsers, LeftOut, ModuleUser } from "../../fleet/users.ts";
import { HELD_MS } from "../../fleet/wave.ts";
import type { EntryStatus } from "../../sync/landscapeStatus.ts";

/** What a channel of a landscape serves. */
export type FleetEntry = Pick<EntryStatus, "channel" | "module" | "mandatory" | "version" | "sinceMs">;

/** A landscape as it was seen last. */
export interface FleetInput {
  readonly users: KnownUsers;
  readonly entries: readonly FleetEntry[];
  /** When it was seen: nothing gets older while nobody looks. Unix milliseconds. */
  readonly nowMs: number;
}

/** The states that a cluster's use of a module can be in, in the order in which they are shown. */
export const CLUSTER_STATES = [
  "Ready",
  "Processing",
  "Changing",
  "Warning",
  "Error",
  "Deleting",
  "Unmanaged",
  "Skipped",
  "Not said",
] as const;

/** `Changing`: for less than 10 s, which is too new to be believed; `Skipped`: by the label skip-reconciliation. */
export type ClusterState = (typeof CLUSTER_STATES)[number];

/** Why a cluster does not have what it should; `unserved`: nothing is served where it asks. */
export type Lacking =
  MissingReason | { readonly why: "unserved"; readonly version: undefined; readonly cause: undefined };

/** One module on one cluster. */
export interface ClusterRow {
  /** The Kyma's name; of a Manifest that names no Kyma, its own. */
  readonly name: string;
  readonly region: string | undefined;
  /** Where it asks for the module; `undefined`: no channel that serves it. */
  readonly channel: string | undefined;
  /** `undefined`: that is not known. */
  readonly runs: string | undefined;
  readonly wanted: string | undefined;
  readonly state: ClusterState;
  /** Unix milliseconds; `undefined`: that is not known. */
  readonly sinceMs: number | undefined;
  /** `undefined`: it has the wanted version. */
  readonly lacking: Lacking | undefined;
}

const UNSERVED: Lacking = { why: "unserved", version: undefined, cause: undefined };

/** The clusters that use a module; with `channel`, those alone that ask there. */
export function clustersOf(module: string, input: FleetInput, channel?: string): readonly ClusterRow[] {
  const questions = questionsOf(module, input).filter((question) => (channel ?? question.channel) === question.channel);
  return (input.users.modules.get(module) ?? []).flatMap((user) => {
    const question = questions.find((one) => isAsked(user, one));
    return question === undefined && channel !== undefined ? [] : [rowOf(user, question, input)];
  });
}

/** Of a version that a channel serves. */
export interface ServedQuestion {
  readonly channel: string;
  readonly mandatory: boolean;
  readonly version: string;
  readonly appliedMs: number | undefined;
  readonly nowMs: number;
}

/** What can be asked about a module: each version that a channel serves. */
export function questionsOf(module: string, { entries, nowMs }: FleetInput): readonly ServedQuestion[] {
  return entries.flatMap(({ version, channel, mandatory, sinceMs: appliedMs, ...entry }) =>
    entry.module === module && version !== undefined ? [{ channel, mandatory, version, appliedMs, nowMs }] : [],
  );
}

function rowOf(user: ModuleUser, question: ServedQuestion | undefined, { users, nowMs }: FleetInput): ClusterRow {
  const { condition, kyma } = user;
  const lacking = question === undefined ? UNSERVED : missingReason(user, question);
  // The status of what is unmanaged names what would be installed.
  const isKnown = condition.leftOut !== "unmanaged";
  return {
    name: kyma ?? user.name,
    region: kyma === undefined ? undefined : users.regions.get(kyma),
    channel: question?.channel,
    runs: isKnown ? runs(user, question) : undefined,
    wanted: question?.version,
    state: stateOf(user, lacking, nowMs),
    sinceMs: condition.sinceMs,
    lacking,
  };
}

/** Of a mandatory module, and of one that no Kyma speaks of, only the Manifest says which version there is. */
function runs({ installed, version, condition }: ModuleUser, question: ServedQuestion | undefined): string | undefined {
  const isByManifest = question === undefined ? condition.channels.length === 0 : question.mandatory;
  return isByManifest ? installed : version;
}

const LEFT_OUT: Readonly<Record<LeftOut, ClusterState>> = {
  unmanaged: "Unmanaged",
  deleting: "Deleting",
  skipped: "Skipped",
};

const SAID: ReadonlyMap<string | undefined, ClusterState> = new Map(
  (["Ready", "Processing", "Warning", "Error"] as const).map((state) => [state, state]),
);

function stateOf({ condition }: ModuleUser, lacking: Lacking | undefined, nowMs: number): ClusterState {
  const { leftOut, state, sinceMs = -Infinity } = condition;
  if (leftOut !== undefined) return LEFT_OUT[leftOut];
  const said = SAID.get(state) ?? "Not said";
  const isNew = lacking?.why === "changing" || nowMs - sinceMs < HELD_MS;
  return said !== "Processing" && isNew ? "Changing" : said;
}

/** One cluster, with all modules that it uses. */
export interface ClusterView {
  readonly name: string;
  readonly region: string | undefined;
  /** By name. */
  readonly modules: readonly ClusterModule[];
}

/** A module on one cluster. */
export interface ClusterModule extends ClusterRow {
  readonly module: string;
  readonly mandatory: boolean;
}

/** What a cluster has of every module; `undefined`: no Kyma or Manifest of that name uses any. */
export function clusterView(name: string, input: FleetInput): ClusterView | undefined {
  const { modules, regions } = input.users;
  const uses = [...modules].flatMap(([module, users]) => {
    const own = users.filter((user) => (user.kyma ?? user.name) === name);
    const only = { ...input, users: { ...input.users, modules: new Map([[module, own]]) } };
    return clustersOf(module, only).map((row) => ({ ...row, module, mandatory: isMandatory(module, input) }));
  });
  if (uses.length === 0) return undefined;
  return { name, region: regions.get(name), modules: uses.toSorted((a, b) => compareText(a.module, b.module)) };
}

function isMandatory(module: string, { entries }: FleetInput): boolean {
  return entries.some((entry) => entry.module === module && entry.mandatory);
}
