import { CLUSTER_STATES, type ClusterRow, type ClusterState, type Lacking } from "./clusters.ts";

/** What narrows the clusters of a module; `undefined`: nothing. */
export interface FleetFilter {
  readonly channel: string | undefined;
  readonly version: string | undefined;
  readonly state: ClusterState | undefined;
  readonly region: string | undefined;
  /** As `causeKey` gives it. */
  readonly cause: string | undefined;
  /** A part of a cluster's name, in capitals or not. */
  readonly text: string | undefined;
}

/** Stands for what is not known, in an address: no version and no region is called so. */
export const NONE = "-";

/** Reads a filter from an address. A state that there is none of narrows nothing. */
export function filterOf(query: URLSearchParams): FleetFilter {
  const said = (name: string): string | undefined => {
    const text = query.get(name)?.trim();
    return text === "" ? undefined : text;
  };
  const state = said("state");
  return {
    channel: said("channel"),
    version: said("version"),
    state: CLUSTER_STATES.find((one) => one === state),
    region: said("region"),
    cause: said("cause"),
    text: said("q"),
  };
}

/** Whether anything is narrowed beside the channel. */
export function isNarrow({ channel: _channel, ...rest }: FleetFilter): boolean {
  return Object.values(rest).some((value) => value !== undefined);
}

/** Tells whether a cluster is one of those that a filter leaves. The channel was applied before. */
export function matcherOf(filter: FleetFilter): (row: ClusterRow) => boolean {
  const part = filter.text?.toLowerCase();
  const asked = (["version", "state", "region", "cause"] as const).flatMap((key) => {
    const value = filter[key];
    return value === undefined ? [] : [{ read: READ[key], value }];
  });
  return (row) =>
    asked.every(({ read, value }) => read(row) === value) &&
    (part === undefined || row.name.toLowerCase().includes(part));
}

/** How a cluster says what a filter asks for. */
const READ: Readonly<Record<"version" | "state" | "region" | "cause", (row: ClusterRow) => string | undefined>> = {
  version: ({ runs }) => runs ?? NONE,
  state: ({ state }) => state,
  region: ({ region }) => region ?? NONE,
  cause: ({ lacking }) => lacking && causeKey(lacking),
};

/** What tells a cause from all others, in an address: `error 1.1.0 no space`. */
export function causeKey({ why, version, cause }: Lacking): string {
  return [why, version, cause].filter((part) => part !== undefined).join(" ");
}
