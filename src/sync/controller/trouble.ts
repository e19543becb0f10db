import type { PassReport } from "./pass.ts";
import { withheldIn, type RevisionChoice, type ServableCommit } from "./revisions.ts";

/** A lasting trouble as a line of the log: its message, its cause, and other fields. */
export type Trouble = Readonly<Record<"message" | "because", string> & Record<string, string>>;

/** Why nothing is written to a landscape: its set belongs to another owner. `undefined`: it may be written. */
export function refusalOf({ plan: { parent } }: PassReport["prepared"]): Trouble | undefined {
  if (parent.kind !== "refused") return undefined;
  return { message: "set refused", because: parent.reason, remedy: parent.remedy };
}

/** Why the newest commit is not served; `undefined`: it is. */
export function holdOf({ held }: RevisionChoice): Trouble | undefined {
  return held && { message: "commit held", commit: held.commit, because: held.reason, remedy: held.remedy };
}

/** Why modules of the served commit stay as they were; `undefined`: none does. */
export function withholdingOf(serves: ServableCommit | undefined): Trouble | undefined {
  const because = withheldIn(serves).map(({ about, message }) => `${about}: ${message}`);
  return because.length === 0 ? undefined : { message: "modules withheld", because: because.join("; ") };
}
