import { counted } from "../document/counted.ts";
import { durationText } from "../document/times.ts";
import type { ReadyQuantiles } from "./readyTimes.ts";
import type { Missing } from "./condition.ts";
import type { MissingGroup } from "./rollout.ts";

/** Why clusters of a group do not have a version, as part of a sentence, without the message of lifecycle-manager. */
export function missingText({ why, version, mayFail }: MissingWords): string {
  const text = WHY[why](version ?? "no version");
  return mayFail ? `${text}, maybe of an earlier version` : text;
}

type MissingWords = Pick<MissingGroup, "why" | "version" | "mayFail">;

const WHY: Readonly<Record<Missing, (version: string) => string>> = {
  maintenance: (version) => `waiting for a maintenance window, with ${version}`,
  downgrade: (version) => `downgrade refused (channel skew), with ${version}`,
  unmanaged: () => "unmanaged",
  deleting: () => "being deleted",
  skipped: () => "skipped by the label skip-reconciliation",
  processing: () => "Processing",
  overdue: () => "Processing for longer than the deadline",
  changing: () => "changed less than 10 s ago",
  error: (version) => `Error with ${version}`,
  warning: (version) => `Warning with ${version}`,
  forgotten: (version) => `version lost from the status, ${version} is installed`,
  behind: (version) => `not upgraded yet, Ready with ${version}`,
  ahead: (version) => `with the higher version ${version}`,
  unsaid: () => "state unknown",
};

/** The same in one or two words, for a table. */
export const MISSING_WORDS: Readonly<Record<Missing, string>> = {
  maintenance: "in maintenance",
  downgrade: "downgrade refused",
  unmanaged: "unmanaged",
  deleting: "being deleted",
  skipped: "skipped",
  processing: "Processing",
  overdue: "overdue",
  changing: "changing",
  error: "Error",
  warning: "Warning",
  forgotten: "version lost",
  behind: "not upgraded yet",
  ahead: "higher version",
  unsaid: "state unknown",
};

/** The same, with the message of lifecycle-manager. */
export function reasonText(group: MissingWords & Pick<MissingGroup, "cause">): string {
  return group.cause === undefined ? missingText(group) : `${missingText(group)}: ${group.cause}`;
}

/** The times within which clusters were Ready, as upper bounds. */
export function readyText({ clusters, p50Ms, p90Ms, p99Ms }: ReadyQuantiles): string {
  const within = (share: string, ms: number): string =>
    Number.isFinite(ms) ? `${share} within ${durationText(Math.ceil(ms / 1000) * 1000)}` : `${share} later than 15d`;
  const shares = [within("half", p50Ms), within("90%", p90Ms), within("99%", p99Ms)];
  return `${shares.join(", ")} (of ${counted(clusters, "cluster")})`;
}
