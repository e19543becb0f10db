import type { Board } from "../../ports.ts";
import { tickedBoxes, type TickedBox } from "./boxes.ts";
import type { DashboardPlace } from "./place.ts";

/** An edit of an issue, as GitHub's event `issues` tells it. Every text of it is another person's. */
export interface IssueEdit {
  /** `org/name`. */
  readonly repository: string;
  readonly issue: number;
  /** Who edited. */
  readonly sender: string;
  /** Whether that is a program. */
  readonly isBot: boolean;
  /** The text before and after. */
  readonly before: string;
  readonly after: string;
}

/** What an edit amounts to. `why`, `remedy`: full sentences. */
export type EditDecision =
  | { readonly kind: "wishes"; readonly wishes: readonly TickedBox[] }
  | { readonly kind: "nothing"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string; readonly remedy: string };

/** Reads the event `issues: edited`; `undefined` for anything else. */
export function readEdit(event: unknown): IssueEdit | undefined {
  const issue = fieldOf(event, "issue");
  const sender = fieldOf(event, "sender");
  const repository = fieldOf(fieldOf(event, "repository"), "full_name");
  const number = fieldOf(issue, "number");
  const login = fieldOf(sender, "login");
  if (fieldOf(event, "action") !== "edited" || typeof number !== "number") return undefined;
  if (typeof login !== "string" || typeof repository !== "string") return undefined;
  const after = textOf(fieldOf(issue, "body"));
  // Where only the title was edited, the text is what it was.
  const before = fieldOf(fieldOf(fieldOf(event, "changes"), "body"), "from");
  const isBot = fieldOf(sender, "type") !== "User";
  return {
    repository,
    issue: number,
    sender: login,
    isBot,
    before: typeof before === "string" ? before : after,
    after,
  };
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** What is known of the place and the people of an edit. */
export interface EditFacts {
  /** `org/name`, as the settings have it. */
  readonly repository: string;
  readonly place: DashboardPlace;
  /** What the sender may do to the repository. */
  readonly right: Awaited<ReturnType<Board["rightOf"]>>;
  /** Who started the run; empty where that is not known. Another one than the sender runs an old event again. */
  readonly startedBy: string;
}

/** What a person asks for by an edit, if they may: exactly those who could run the commands by hand. */
export function decideEdit(edit: IssueEdit, { repository, place, right, startedBy }: EditFacts): EditDecision {
  const { sender } = edit;
  if (edit.repository.toLowerCase() !== repository.toLowerCase())
    return refused(
      `The event is of ${edit.repository}, and the catalogue is that of ${repository}.`,
      "Correct forge.repository in kyma-modules.yaml.",
    );
  if (edit.isBot) return nothing(`${sender} is a program: only people tick boxes.`);
  if (place.kind !== "open" || place.issue.number !== edit.issue)
    return nothing(`#${String(edit.issue)} is not the dashboard.`);
  const wishes = tickedBoxes(edit.before, edit.after);
  if (wishes.length === 0) return nothing(`${sender} ticked no box.`);
  if (right !== "write") return refusedTo(sender, right);
  if (startedBy !== "" && startedBy !== sender)
    return refused(`${sender} ticked it, and ${startedBy} runs it again.`, "Tick the box yourself.");
  return { kind: "wishes", wishes };
}

function refusedTo(sender: string, right: "read" | "unknown"): EditDecision {
  const by = "Let a person with write access tick the box.";
  if (right === "read") return refused(`${sender} may not write to this repository.`, by);
  return refused(`GitHub does not say whether ${sender} may write to this repository.`, by);
}

function nothing(why: string): EditDecision {
  return { kind: "nothing", why };
}

function refused(why: string, remedy: string): EditDecision {
  return { kind: "refused", why, remedy };
}
