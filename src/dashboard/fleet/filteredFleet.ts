import { compareText } from "../../document/order.ts";
import { countRollout } from "../../fleet/rollout.ts";
import { clusterCauses, type Causes } from "./causes.ts";
import {
  fleetRows,
  servedQuestions,
  type ClusterRow,
  type ClusterState,
  type FleetInput,
  type Lacking,
} from "./clusters.ts";
import { isNarrow, filterMatcher, NONE, type FleetFilter } from "./filter.ts";
import { descending, clusterMatrix, type Matrix } from "./matrix.ts";
import { clusterRegions, type Regions } from "./regions.ts";

/** A module in the fleet of a landscape, with a filter applied. */
export interface FleetView {
  readonly module: string;
  /** The number of clusters that use the module, without the filter. */
  readonly total: number;
  /** The number of clusters that match the filter. */
  readonly left: number;
  /** The version of each channel, and how many clusters have it; the channel with the most clusters first. */
  readonly answers: readonly FleetAnswer[];
  readonly matrix: Matrix;
  readonly regions: Regions;
  readonly causes: Causes;
  readonly page: ClusterPage;
  readonly choices: Choices;
}

/** A version that a channel serves, and its clusters. */
export interface FleetAnswer {
  readonly channel: string;
  readonly version: string;
  readonly clusters: number;
  readonly have: number;
  readonly failing: number;
}

/** One page of clusters, sorted by the severity of their cause, then by age; those in order come last. */
export interface ClusterPage {
  readonly rows: readonly ClusterRow[];
  /** Starts at 1. */
  readonly number: number;
  readonly pages: number;
}

/** The values that a filter offers: all that occur for the module. */
interface Choices {
  readonly modules: readonly string[];
  readonly channels: readonly string[];
  readonly versions: readonly string[];
  readonly states: readonly ClusterState[];
  readonly regions: readonly string[];
}

/** The module, filter and page to show. */
interface FleetQuestion {
  /** `undefined` for the first module that is used. */
  readonly module: string | undefined;
  readonly filter: FleetFilter;
  /** Starts at 1. If the page does not exist, the nearest one is used. */
  readonly page: number;
}

const ROWS_A_PAGE = 50;
/** The maximum number of offered values of a kind. An address may name any value. */
const MOST_CHOICES = 100;

/** Computes the data of a fleet page. */
export function fleetView(input: FleetInput, { module: asked, filter, page }: FleetQuestion): FleetView {
  const modules = [...input.users.modules.keys()].toSorted(compareText);
  const module = asked ?? modules[0] ?? "";
  const all = fleetRows(module, input);
  const ofChannel = filter.channel === undefined ? all : fleetRows(module, input, filter.channel);
  const left = isNarrow(filter) ? ofChannel.filter(filterMatcher(filter)) : ofChannel;
  const served = servedQuestions(module, input);
  const matrix = clusterMatrix(left, served);
  const pages = Math.max(1, Math.ceil(left.length / ROWS_A_PAGE));
  const number = Math.min(Math.max(1, page), pages);
  const rows = left.toSorted(byUrgency).slice((number - 1) * ROWS_A_PAGE, number * ROWS_A_PAGE);
  return {
    ...{ module, total: all.length, left: left.length, matrix },
    answers: fleetAnswers(module, input, filter, left),
    regions: clusterRegions(left),
    causes: clusterCauses(left),
    page: { rows, number, pages },
    choices: {
      modules,
      channels: served.map(({ channel }) => channel),
      versions: filterChoices(all.map(({ runs }) => runs)).toSorted(descending),
      states: clusterMatrix(all, []).states,
      regions: filterChoices(all.map(({ region }) => region)).toSorted(compareText),
    },
  };
}

function filterChoices(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values)].map((value) => value ?? NONE).slice(0, MOST_CHOICES);
}

/** The counts of `rollout` for each channel, only for the clusters that match the filter. */
function fleetAnswers(
  module: string,
  input: FleetInput,
  filter: FleetFilter,
  left: readonly ClusterRow[],
): readonly FleetAnswer[] {
  const users = input.users.modules.get(module) ?? [];
  const names = isNarrow(filter) ? new Set(left.map(({ name }) => name)) : undefined;
  const some = names === undefined ? users : users.filter(({ kyma = "" }) => names.has(kyma));
  return servedQuestions(module, input)
    .filter(({ channel }) => (filter.channel ?? channel) === channel)
    .map((question) => {
      const { channel, version } = question;
      const { clusters, have, failing } = countRollout(some, question, input.nowMs);
      return { channel, version, clusters, have, failing };
    })
    .toSorted((a, b) => b.clusters - a.clusters || compareText(a.channel, b.channel));
}

/** From failing clusters to those that are as intended. */
const URGENCY: readonly Lacking["why"][] = [
  ...([
    "error",
    "warning",
    "forgotten",
    "overdue",
    "downgrade",
    "unserved",
    "unchosen",
    "unsaid",
    "maintenance",
  ] as const),
  ...(["changing", "processing", "behind", "ahead", "skipped", "deleting", "unmanaged", "unlisted"] as const),
];
const RANKS: ReadonlyMap<string | undefined, number> = new Map(URGENCY.map((why, rank) => [why, rank]));
const rankOf = ({ lacking }: ClusterRow): number => RANKS.get(lacking?.why) ?? URGENCY.length;

function byUrgency(a: ClusterRow, b: ClusterRow): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left !== right) return left - right;
  const [since, other] = [clusterSince(a), clusterSince(b)];
  return since === other ? compareText(a.name, b.name) : since - other;
}

function clusterSince({ sinceMs = Infinity }: ClusterRow): number {
  return sinceMs;
}
