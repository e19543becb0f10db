import type { Board } from "../../ports.ts";
import { tickedBoxes, type TickedBox } from "./boxes.ts";
import type { DashboardPlace } from "./place.ts";

/** An edit of an issue, from GitHub's event `issues`. All its texts come from other people and are not trusted. */
export interface IssueEdit {
  /** `org/name`. */
  readonly repository: string;
  readonly issue: number;
  /** The login of the person who edited. */
  readonly sender: string;
  /** Whether the sender is a program. */
  readonly isBot: boolean;
  /** The text before and after. */
  readonly before: string;
  readonly after: string;
}

/** The decision on an edit. `why`, `remedy`: full sentences. */
export type EditDecision =
  | { readonly kind: "wishes"; readonly wishes: readonly TickedBox[] }
  | { readonly kind: "nothing"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string; readonly remedy: string };

/** Reads the event `issues: edited`; `undefined` for anything else. */
export function readEdit(event: unknown): IssueEdit | undefined {
  const issue = yamlField(event, "issue");
  const sender = yamlField(event, "sender");
  const repository = yamlField(yamlField(event, "repository"), "full_name");
  const number = yamlField(issue, "number");
  const login = yamlField(sender, "login");
  if (yamlField(event, "action") !== "edited" || typeof number !== "number") return undefined;
  if (typeof login !== "string" || typeof repository !== "string") return undefined;
  const body = yamlField(issue, "body");
  const after = typeof body === "string" ? body : "";
  // If only the title was edited, the text did not change.
  const before = yamlField(yamlField(yamlField(event, "changes"), "body"), "from");
  const isBot = yamlField(sender, "type") !== "User";
  return {
    repository,
    issue: number,
    sender: login,
    isBot,
    before: typeof before === "string" ? before : after,
    after,
  };
}

function yamlField(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** The known facts about the dashboard and the people of an edit. */
export interface EditFacts {
  /** `org/name` in the settings. */
  readonly repository: string;
  readonly place: DashboardPlace;
  /** The sender's permission for the repository. */
  readonly right: Awaited<ReturnType<Board["rightOf"]>>;
  /**
   * The login of the person who started the run; empty if unknown. It differs from the sender when an old event is run
   * again.
   */
  readonly startedBy: string;
}

/** Decides what an edit asks for. Only people who could run the commands by hand may ask. */
export function decideEdit(edit: IssueEdit, { repository, place, right, startedBy }: EditFacts): EditDecision {
  const { sender } = edit;
  if (edit.repository.toLowerCase() !== repository.toLowerCase())
    return refused(
      `The event is from ${edit.repository}, but the catalogue is that of ${repository}.`,
      "Correct forge.repository in kyma-modules.yaml.",
    );
  if (edit.isBot) return nothing(`${sender} is a program: only people tick boxes.`);
  if (place.kind !== "open" || place.issue.number !== edit.issue)
    return nothing(`#${String(edit.issue)} is not the dashboard.`);
  const wishes = tickedBoxes(edit.before, edit.after);
  if (wishes.length === 0) return nothing(`${sender} ticked no box.`);
  if (right !== "write") {
    const why = right === "read" ? `${sender} may not` : `GitHub does not say whether ${sender} may`;
    return refused(`${why} write to this repository.`, "Let a person with write access tick the box.");
  }
  if (startedBy !== "" && startedBy !== sender)
    return refused(`${sender} ticked the box, and ${startedBy} runs the job again.`, "Tick the box yourself.");
  return { kind: "wishes", wishes };
}

function nothing(why: string): EditDecision {
  return { kind: "nothing", why };
}

function refused(why: string, remedy: string): EditDecision {
  return { kind: "refused", why, remedy };
}
