import { compareText } from "../../document/order.ts";
import { clusterCondition, HELD_MS, type ClusterCondition, type WantedVersion } from "../../fleet/condition.ts";
import { missingReason, type MissingReason } from "../../fleet/rollout.ts";
import { isStray, versionOn, type KnownUsers, type LeftOut, type ModuleUser } from "../../fleet/users.ts";
import type { EntryStatus } from "../../sync/landscapeStatus.ts";

/** A version of a module that a channel of a landscape serves. */
export type FleetEntry = Pick<EntryStatus, "channel" | "module" | "mandatory" | "counted">;

/** The last observation of a landscape. */
export interface FleetInput {
  readonly users: KnownUsers;
  readonly entries: readonly FleetEntry[];
  /** The time of the observation, to which ages refer. Unix milliseconds. */
  readonly nowMs: number;
}

/** The states of a module on a cluster, in the order in which they are shown. */
export const CLUSTER_STATES = [
  "Ready",
  "Processing",
  "Changing",
  "Warning",
  "Error",
  "Deleting",
  "Unmanaged",
  "Skipped",
  "Unknown",
] as const;

/** `Changing`: the state is younger than 10 s, which is too new to count; `Skipped`: by the label skip-reconciliation. */
export type ClusterState = (typeof CLUSTER_STATES)[number];

/** Why a cluster does not have the wanted version, or no version is wanted. */
export type Lacking = MissingReason | UnwantedReason;

/**
 * Why no version is wanted. `unserved`: its channel does not serve the module; `unchosen`: its channel is not known;
 * `unlisted`: no Kyma enables the module.
 */
export interface UnwantedReason {
  readonly why: "unserved" | "unchosen" | "unlisted";
  readonly version: undefined;
  /** The message of lifecycle-manager, as `causeOf` returns it. */
  readonly cause: string | undefined;
}

/** One module on one cluster. */
export interface ClusterRow {
  /** The name of the Kyma. */
  readonly name: string;
  readonly region: string | undefined;
  /** The channel that it asks for; `undefined` if none is known to serve the module to it. */
  readonly channel: string | undefined;
  /** The running version; `undefined` if unknown. */
  readonly runs: string | undefined;
  readonly wanted: string | undefined;
  readonly state: ClusterState;
  /** When the state began; `undefined` if unknown. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** `undefined` if it has the wanted version. */
  readonly lacking: Lacking | undefined;
}

/** The clusters that use a module; with `channel`, only those that ask for that channel. */
export function fleetRows(module: string, input: FleetInput, channel?: string): readonly ClusterRow[] {
  const questions = servedQuestions(module, input).filter(
    (question) => (channel ?? question.channel) === question.channel,
  );
  return (input.users.modules.get(module) ?? []).flatMap((user) => {
    // A Manifest without a Kyma is no cluster.
    if (user.kyma === undefined) return [];
    const [asked] = questions.flatMap((question) => {
      const found = clusterCondition(user, question, input.nowMs);
      return found.kind === "elsewhere" ? [] : [{ question, found }];
    });
    return asked === undefined && channel !== undefined ? [] : [clusterRow(user, user.kyma, asked, input)];
  });
}

/** A version that a channel serves. */
export type ServedQuestion = WantedVersion & { readonly channel: string };

/** The versions of a module that channels serve. */
export function servedQuestions(module: string, { entries }: FleetInput): readonly ServedQuestion[] {
  return entries.flatMap(({ channel, counted, ...entry }) =>
    entry.module === module && counted !== undefined ? [{ ...counted, channel }] : [],
  );
}

/** A version that a cluster should have, and what it is with it. */
interface AskedVersion {
  readonly question: ServedQuestion;
  readonly found: ClusterCondition;
}

function clusterRow(
  user: ModuleUser,
  name: string,
  asked: AskedVersion | undefined,
  { users, nowMs }: FleetInput,
): ClusterRow {
  const { condition } = user;
  const { question } = asked ?? {};
  const lacking = asked === undefined ? unwantedReason(user) : missingReason(asked.found);
  const running = versionOn(user, question ?? { mandatory: false });
  // The status of an unmanaged module names the version that would be installed.
  const isKnown = condition.leftOut !== "unmanaged";
  return {
    name,
    region: users.regions.get(name),
    channel: question?.channel,
    runs: isKnown ? running : undefined,
    wanted: question?.version,
    state: clusterState(user, lacking, nowMs),
    sinceMs: condition.sinceMs,
    lacking,
  };
}

function unwantedReason(user: ModuleUser): UnwantedReason {
  const { channels, cause } = user.condition;
  const why = channels.length > 0 ? "unserved" : isStray(user) ? "unlisted" : "unchosen";
  return { why, version: undefined, cause };
}

const LEFT_OUT: Readonly<Record<LeftOut, ClusterState>> = {
  unmanaged: "Unmanaged",
  deleting: "Deleting",
  skipped: "Skipped",
};

const REPORTED: ReadonlyMap<string | undefined, ClusterState> = new Map(
  (["Ready", "Processing", "Warning", "Error"] as const).map((state) => [state, state]),
);

function clusterState({ condition }: ModuleUser, lacking: Lacking | undefined, nowMs: number): ClusterState {
  const { leftOut, state, sinceMs = -Infinity } = condition;
  if (leftOut !== undefined) return LEFT_OUT[leftOut];
  const reported = REPORTED.get(state) ?? "Unknown";
  const isNew = lacking?.why === "changing" || nowMs - sinceMs < HELD_MS;
  return reported !== "Processing" && isNew ? "Changing" : reported;
}

/** One cluster and all its modules. */
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

/** The modules of a cluster; `undefined` if there is no Kyma of that name. */
export function clusterView(name: string, input: FleetInput): ClusterView | undefined {
  const { modules, kymas, regions } = input.users;
  if (!kymas.has(name)) return undefined;
  const uses = [...modules].flatMap(([module, users]) => {
    const own = users.filter(({ kyma }) => kyma === name);
    const only = { ...input, users: { ...input.users, modules: new Map([[module, own]]) } };
    const mandatory = input.entries.some((entry) => entry.module === module && entry.mandatory);
    return fleetRows(module, only).map((row) => ({ ...row, module, mandatory }));
  });
  return { name, region: regions.get(name), modules: uses.toSorted((a, b) => compareText(a.module, b.module)) };
}
