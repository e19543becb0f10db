/** The data of earlier runs, hidden in the issue. Losing it costs requests, and repeats a webhook. */
export interface DashboardCache {
  /** The keys of the notices that were sent completely. */
  readonly told: ReadonlySet<string>;
  /** Since when a block was seen that no history dates, by `channel/module`. Unix milliseconds. */
  readonly seen: ReadonlyMap<string, number>;
}

/** The start of the text of every dashboard. */
export const MARK = "<!-- kyma-modules: promotion dashboard -->";

/** The label by which the issue is found. */
export const LABEL = "promotion-dashboard";

const LINE = /^<!-- kyma-modules told=([0-9a-f,]*) seen=([^\s]*) -->\s*$/gm;

/** The last line of the text. */
export function cacheLine({ told, seen }: DashboardCache): string {
  const seenAt = [...seen].map(([place, atMs]) => `${place}@${String(atMs)}`);
  return `<!-- kyma-modules told=${[...told].sort().join(",")} seen=${seenAt.sort().join(",")} -->`;
}

/** Reads the data from a text; empty if a person removed it. */
export function readCache(body: string): DashboardCache {
  const [, told = "", seen = ""] = [...body.matchAll(LINE)].at(-1) ?? [];
  return {
    told: new Set(told.split(",").filter((key) => key !== "")),
    seen: new Map([...seen.matchAll(/([^@,]+)@(\d{1,15})/g)].map(([, place = "", atMs]) => [place, Number(atMs)])),
  };
}
