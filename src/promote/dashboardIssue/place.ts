import type { BoardIssue } from "../../ports.ts";
import { MARK } from "./cache.ts";

/** The issue of the dashboard, or why there is none. */
export type DashboardPlace =
  /** `others`: duplicates that concurrent runs opened. */
  | { readonly kind: "open"; readonly issue: BoardIssue; readonly others: readonly BoardIssue[] }
  | { readonly kind: "missing" }
  /** A person closed it. */
  | { readonly kind: "closed"; readonly issue: BoardIssue }
  /** It looks like the dashboard, but someone else opened it. */
  | { readonly kind: "foreign"; readonly issue: BoardIssue };

/**
 * Finds the dashboard among the issues with the label, oldest first: the oldest one that is open and ours. An issue
 * that others opened never is, whatever its text: anyone may open an issue.
 */
export function dashboardPlace(issues: readonly BoardIssue[]): DashboardPlace {
  const own = issues.filter(({ isOwn }) => isOwn);
  const [issue, ...others] = own.filter(({ isOpen }) => isOpen);
  if (issue !== undefined) return { kind: "open", issue, others };
  const isMarked = ({ body }: BoardIssue): boolean => body.startsWith(MARK);
  const closed = own.findLast(isMarked);
  if (closed !== undefined) return { kind: "closed", issue: closed };
  const foreign = issues.find((one) => one.isOpen && isMarked(one));
  return foreign === undefined ? { kind: "missing" } : { kind: "foreign", issue: foreign };
}

/** The text for a duplicate; without the mark, so that it is not taken for the dashboard. */
export function duplicateText({ title }: BoardIssue, { number }: BoardIssue): Pick<BoardIssue, "title" | "body"> {
  return { title, body: `Two runs opened a dashboard at the same time. The other one stays: #${String(number)}` };
}
