import { dateHistory, type DatedHistory } from "../catalogue/history/dates.ts";
import type { HistoryScope } from "../catalogue/history/history.ts";
import { moduleHistories, type Histories } from "../catalogue/history/moduleHistory.ts";
import type { Template } from "../catalogue/template.ts";
import type { Fault, History, Run } from "../ports.ts";

/** The histories of modules up to a commit, by the clocks of committers. */
export interface ReadHistories {
  readonly dated: DatedHistory;
  readonly histories: Histories;
  /** HISTORY_TOO_SHALLOW if older commits are missing, to throw where they matter. */
  readonly cut: Fault | undefined;
}

/** What is to be read: up to `revision`. */
export interface HistoryRequest {
  readonly revision: string;
  readonly scope: HistoryScope;
  /** Templates that are read already, so that contents like theirs need not be parsed again. */
  readonly templates?: Iterable<Template>;
  /** Later times are not believed; Unix milliseconds. */
  readonly nowMs?: number;
}

/** Reads the histories of modules, as far as the clone has them. Throws as `History.read`. */
export async function readHistories(
  { revision, scope, templates, nowMs }: HistoryRequest,
  history: History,
  run: Run,
): Promise<ReadHistories> {
  const { cut, ...recorded } = await history.read(revision, scope, run);
  const dated = dateHistory(recorded, undefined, nowMs);
  return { dated, histories: moduleHistories(dated, templates), cut };
}

/** The same where every commit decides. Throws HISTORY_TOO_SHALLOW too. */
export async function readWholeHistories(request: HistoryRequest, history: History, run: Run): Promise<ReadHistories> {
  const read = await readHistories(request, history, run);
  if (read.cut !== undefined) throw read.cut;
  return read;
}
