import type { BoardIssue } from "../../ports.ts";
import { MARK } from "./memory.ts";

/** Where the dashboard stands. */
export type DashboardPlace =
  /** `others`: those that another run opened at the same time. */
  | { readonly kind: "open"; readonly issue: BoardIssue; readonly others: readonly BoardIssue[] }
  | { readonly kind: "missing" }
  /** A person closed it. */
  | { readonly kind: "closed"; readonly issue: BoardIssue }
  /** It looks like one, and someone else opened it. */
  | { readonly kind: "foreign"; readonly issue: BoardIssue };

/**
 * Which of the issues with the label, oldest first, is the dashboard: the oldest one that is open and ours. What others
 * opened is never it, whatever it says: anybody may open an issue.
 */
export function placeOf(issues: readonly BoardIssue[]): DashboardPlace {
  const own = issues.filter(({ isOwn }) => isOwn);
  const [issue, ...others] = own.filter(({ isOpen }) => isOpen);
  if (issue !== undefined) return { kind: "open", issue, others };
  const isMarked = ({ body }: BoardIssue): boolean => body.startsWith(MARK);
  const closed = own.findLast(isMarked);
  if (closed !== undefined) return { kind: "closed", issue: closed };
  const foreign = issues.find((one) => one.isOpen && isMarked(one));
  return foreign === undefined ? { kind: "missing" } : { kind: "foreign", issue: foreign };
}

/** What an issue says that is one too many; without the mark, so that nobody takes it for the dashboard. */
export function duplicateText({ title }: BoardIssue, { number }: BoardIssue): Pick<BoardIssue, "title" | "body"> {
  return { title, body: `Two runs opened a dashboard at the same time. The other one stays: #${String(number)}` };
}
