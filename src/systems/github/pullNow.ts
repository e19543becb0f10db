import type { Run } from "../../ports.ts";
import type { Act } from "./faults.ts";
import type { Site } from "./site.ts";

/** How often GitHub is asked whether it can merge: it works that out only once it was asked. */
const LOOKS = 4;

/** A pull request at one moment. */
export interface PullNow {
  readonly number: number;
  readonly mergedAs: string | undefined;
  readonly isOpen: boolean;
  readonly isDraft: boolean;
  readonly tip: string;
  readonly body: string;
  /** `clean`, `dirty`, `blocked`, `behind`, `unstable`, `unknown`, … */
  readonly mergeable: string;
}

/** Reads a pull request once it is known whether it can be merged, or nobody can tell. */
export async function settled(site: Site, number: number, run: Run): Promise<PullNow> {
  const { clock, patience } = site.github;
  for (let look = 1; ; look++) {
    const now = await readPull(site, number, run);
    const isKnown = now.mergeable !== "unknown" || !now.isOpen;
    if (isKnown || look === LOOKS) return now;
    await clock.pause(patience.firstPauseMs * 2 ** look, run);
  }
}

/** Reads a pull request. */
export async function readPull({ github }: Site, number: number, run: Run): Promise<PullNow> {
  const doing = `Reading the pull request #${number}`;
  const act: Act = { doing, kind: "read", permission: "pull-requests: read" };
  const pull = await github.ask(act, (rest, place) => rest.pulls.get({ ...place, pull_number: number }), run);
  return {
    number,
    mergedAs: pull.merged ? (pull.merge_commit_sha ?? pull.head.sha) : undefined,
    isOpen: pull.state === "open",
    isDraft: pull.draft ?? false,
    tip: pull.head.sha,
    body: pull.body ?? "",
    mergeable: pull.mergeable_state,
  };
}
