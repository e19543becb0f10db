import type { DashboardSettings } from "../catalogue/settings.ts";
import {
  Fault,
  type Board,
  type BoardIssue,
  type ForgeView,
  type IssueText,
  type Run,
  type Webhook,
} from "../ports.ts";
import { refuseStale } from "./apply.ts";
import { dashboardBody } from "./dashboardIssue/body.ts";
import { LABEL, readCache, type DashboardCache } from "./dashboardIssue/cache.ts";
import { noticeComment, noticesDocument, toldIn } from "./dashboardIssue/message.ts";
import { dashboardNotices, type Notice } from "./dashboardIssue/notices.ts";
import { duplicateText, dashboardPlace, type DashboardPlace } from "./dashboardIssue/place.ts";
import { dashboardRows, seenIn } from "./dashboardIssue/rows.ts";
import type { Gathered } from "./gather.ts";
import type { Carried } from "./promote.ts";

/** Dependencies of the dashboard, beyond the gathered facts. */
export interface DashboardContext {
  readonly board: Board;
  readonly settings: DashboardSettings & { readonly repository: string };
  /** Opens the webhook whose address is in a variable. Throws CONFIGURATION if it holds no address. */
  readonly openWebhook: (variable: string) => Promise<Webhook>;
}

/** The outcome of an update of the dashboard. */
export interface DashboardOutcome {
  readonly kind: "opened" | "written" | "unchanged" | "closed" | "foreign";
  readonly issue: Pick<BoardIssue, "number" | "url" | "author">;
  /** The notices that this run sent. */
  readonly told: readonly Notice[];
  /** The fault that prevented a comment or the webhook; everything else was done. The next run tries again. */
  readonly stoppedBy: Fault | undefined;
}

/** The most comments per run; later runs write the rest. */
const MOST_COMMENTS = 20;

/**
 * Updates the dashboard, and notifies people once of what is due. Idempotent: a killed call can be repeated, but a
 * webhook may get a notice twice.
 *
 * Takes:  `carried`, what this run did since it looked at the forge.
 */
export async function keepDashboard(
  gathered: Gathered,
  carried: readonly Carried[],
  context: DashboardContext,
  run: Run,
): Promise<DashboardOutcome> {
  const { board, settings } = context;
  if (gathered.view !== undefined) refuseStale(gathered.view, gathered.revision);
  const place = await settled(dashboardPlace(await board.issues(LABEL, run)), board, run);
  if (place.kind === "closed" || place.kind === "foreign")
    return { kind: place.kind, issue: place.issue, told: [], stoppedBy: undefined };
  const cache = readCache(place.kind === "open" ? place.issue.body : "");
  const { view, ...rest } = gathered;
  const merges = carried.flatMap(({ outcome }): [string, string][] =>
    outcome.kind === "merged" ? [[outcome.proposal.branch, outcome.commit]] : [],
  );
  const rows = dashboardRows({ ...rest, view: view && viewAfter(view, carried) }, new Map(merges), cache);
  const { revision, nowMs } = gathered;
  const textWith = (told: DashboardCache["told"]): IssueText => {
    return { title: settings.title, body: dashboardBody({ rows, revision, nowMs }, { told, seen: seenIn(rows) }) };
  };
  const due = dashboardNotices(rows, settings.blockedForMs, nowMs);
  // Forget notices that are no longer due.
  const known = new Set(due.flatMap(({ key }) => (cache.told.has(key) ? [key] : [])));
  const [kind, issue] =
    place.kind === "open" ? ["unchanged" as const, place.issue] : await opened(textWith(known), board, run);
  const fresh = due.filter(({ key }) => !known.has(key)).slice(0, MOST_COMMENTS);
  const { told, stoppedBy } = await tell(fresh, issue, gathered, context, run);
  const text = textWith(new Set([...known, ...told.map(({ key }) => key)]));
  const isWritten = !isSame(issue, text);
  if (isWritten) await board.write(issue.number, text, run);
  return { kind: kind === "unchanged" && isWritten ? "written" : kind, issue, told, stoppedBy };
}

/** Closes the duplicates that concurrent runs opened; the oldest one stays. */
async function settled(place: DashboardPlace, board: Board, run: Run): Promise<DashboardPlace> {
  if (place.kind !== "open") return place;
  for (const other of place.others) await board.close(other.number, duplicateText(other, place.issue), run);
  return place;
}

async function opened(text: IssueText, board: Board, run: Run): Promise<readonly ["opened", BoardIssue]> {
  const issue = await board.open(text, LABEL, run);
  // Another run may have done the same in the meantime.
  const place = await settled(dashboardPlace(await board.issues(LABEL, run)), board, run);
  return ["opened", place.kind === "open" ? place.issue : issue];
}

/** Compares an issue with a text. A forge may change line ends, and white space at the end. */
function isSame(issue: IssueText, { title, body }: IssueText): boolean {
  return issue.title === title && issue.body.replaceAll("\r\n", "\n").trimEnd() === body.trimEnd();
}

/** The state of the forge after this run's acts. */
function viewAfter(view: ForgeView, carried: readonly Carried[]): ForgeView {
  const proposals = new Map(view.proposals.map((proposal) => [proposal.branch, proposal]));
  for (const { outcome } of carried) {
    if (!("proposal" in outcome) || outcome.proposal === undefined) continue;
    const isGone = outcome.kind === "merged" || outcome.kind === "closed";
    if (isGone) proposals.delete(outcome.proposal.branch);
    else proposals.set(outcome.proposal.branch, outcome.proposal);
  }
  return { ...view, proposals: [...proposals.values()] };
}

/**
 * Sends notices: one comment each, unless an earlier run wrote it before it was killed, and one post to the webhook for
 * those with a comment. The next run repeats what did not get through, and writes no comment twice.
 */
async function tell(
  notices: readonly Notice[],
  { number, url }: BoardIssue,
  { revision, nowMs }: Gathered,
  { board, settings, openWebhook }: DashboardContext,
  run: Run,
): Promise<Pick<DashboardOutcome, "told" | "stoppedBy">> {
  const { repository, webhookVariable } = settings;
  const commented: Notice[] = [];
  const faults = [
    await caughtFault(() => commentAll(notices, number, commented, board, run), run),
    await caughtFault(async () => {
      // Open it in every run, so that a missing variable shows before the first incident.
      const webhook = webhookVariable === undefined ? undefined : await openWebhook(webhookVariable);
      const facts = { repository, revision, decidedAtMs: nowMs, dashboard: url };
      if (commented.length > 0) await webhook?.post(noticesDocument(commented, facts), run);
    }, run),
  ];
  return { told: faults[1] === undefined ? commented : [], stoppedBy: faults.find((fault) => fault !== undefined) };
}

/** Writes the missing comments, and adds each notice with a comment to `commented`. */
async function commentAll(
  notices: readonly Notice[],
  issue: number,
  commented: Notice[],
  board: Board,
  run: Run,
): Promise<void> {
  if (notices.length === 0) return;
  const sinceMs = Math.min(...notices.map(({ dueMs }) => dueMs));
  const told = toldIn(await board.comments(issue, sinceMs, run));
  for (const notice of notices) {
    if (!told.has(notice.key)) await board.comment(issue, noticeComment(notice), run);
    commented.push(notice);
  }
}

async function caughtFault(work: () => Promise<void>, run: Run): Promise<Fault | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault) || run.signal.aborted) throw error;
    return error;
  }
}
