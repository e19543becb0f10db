import type { FleetFilter } from "./filter.ts";

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
