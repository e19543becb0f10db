import { CLUSTER_STATES, type ClusterRow, type ClusterState, type Lacking } from "./clusters.ts";

/** A filter for the clusters of a module. `undefined` matches all. */
export interface FleetFilter {
  readonly channel: string | undefined;
  readonly version: string | undefined;
  readonly state: ClusterState | undefined;
  readonly region: string | undefined;
  /** As `causeKey` returns it. */
  readonly cause: string | undefined;
  /** A part of a cluster's name, in any case. */
  readonly text: string | undefined;
}

/** The value for an unknown version or region in an address. No version and no region has this name. */
export const NONE = "-";

/** Reads a filter from an address. A state that does not exist is ignored. */
export function parseFleetFilter(query: URLSearchParams): FleetFilter {
  const read = (name: string): string | undefined => {
    const text = query.get(name)?.trim();
    return text === "" ? undefined : text;
  };
  const state = read("state");
  return {
    channel: read("channel"),
    version: read("version"),
    state: CLUSTER_STATES.find((one) => one === state),
    region: read("region"),
    cause: read("cause"),
    text: read("q"),
  };
}

/** Whether the filter has more than a channel. */
export function isNarrow({ channel: _channel, ...rest }: FleetFilter): boolean {
  return Object.values(rest).some((value) => value !== undefined);
}

/** A function that decides whether a cluster matches a filter. It ignores the channel, which was applied before. */
export function filterMatcher(filter: FleetFilter): (row: ClusterRow) => boolean {
  const part = filter.text?.toLowerCase();
  const asked = (["version", "state", "region", "cause"] as const).flatMap((key) => {
    const value = filter[key];
    return value === undefined ? [] : [{ read: READ[key], value }];
  });
  return (row) =>
    asked.every(({ read, value }) => read(row) === value) &&
    (part === undefined || row.name.toLowerCase().includes(part));
}

/** The values of a cluster that a filter compares. */
const READ: Readonly<Record<"version" | "state" | "region" | "cause", (row: ClusterRow) => string | undefined>> = {
  version: ({ runs }) => runs ?? NONE,
  state: ({ state }) => state,
  region: ({ region }) => region ?? NONE,
  cause: ({ lacking }) => lacking && causeKey(lacking),
};

/** The key of a cause in an address: `error 1.1.0 no space`. */
export function causeKey({ why, version, cause }: Lacking): string {
  return [why, version, cause].filter((part) => part !== undefined).join(" ");
}

/** The landscape, module and filter of a fleet page. */
export interface FleetPlace {
  readonly landscape: string;
  readonly module: string;
  readonly filter: FleetFilter;
}

const NAMES: Readonly<Record<keyof FleetFilter, string>> = {
  channel: "channel",
  version: "version",
  state: "state",
  region: "region",
  cause: "cause",
  text: "q",
};

/** The address of a fleet page with a changed filter, by default at the first page of clusters. */
export function fleetAddress(place: FleetPlace, changed: Partial<FleetFilter> = {}, page = 1): string {
  const { landscape, module } = place;
  const filter = { ...place.filter, ...changed };
  const query = new URLSearchParams({ landscape, module });
  for (const [key, name] of Object.entries(NAMES)) {
    const value = filter[key as keyof FleetFilter];
    if (value !== undefined) query.set(name, value);
  }
  if (page > 1) query.set("page", String(page));
  return `/fleet?${query.toString()}`;
}

/** The address of a fleet page with the drawer of a cluster. */
export function besideAddress(place: FleetPlace, page: number, cluster: string): string {
  return `${fleetAddress(place, {}, page)}&${new URLSearchParams({ cluster }).toString()}`;
}

/** The address of a fleet page without a filter. */
export function wholeFleet({ landscape, module }: Pick<FleetPlace, "landscape" | "module">): string {
  return `/fleet?${new URLSearchParams({ landscape, module }).toString()}`;
}

/** The address of the page of a cluster. */
export function clusterAddress(landscape: string, name: string): string {
  return `/fleet/${encodeURIComponent(landscape)}/${encodeURIComponent(name)}`;
}
