import { vi } from "vitest";
import {
  FAST,
  HOLDS,
  manifestPath,
  manifestText,
  SETTINGS,
  SETTINGS_TEXT,
  templateText,
} from "../../src/check/example.ts";
import type { Issue } from "../systems/github/doubleIssues.ts";
import { freshCache } from "./caches.ts";
import type { Ended } from "./program.ts";
import { kymaIn } from "./promoting.ts";
import { looseFile, openTrain, REPOSITORY, type Train } from "./train.ts";

/** A train with a dashboard, in which regular may get 1.1.0. */
export interface DashboardTrain extends Train {
  /** Runs a command in this process. The environment is stubbed, so the test takes that back. */
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  readonly apply: () => Promise<Ended>;
  /** The dashboard: the one issue of the repository. */
  readonly dashboard: () => Issue;
}

/** Opens one. `dashboard`: what the settings say of it. */
export async function dashboardTrain(dashboard = "{}", version = "1.1.0"): Promise<DashboardTrain> {
  const train = await openTrain();
  const forge = `forge: { kind: github, repository: ${REPOSITORY}, dashboard: ${dashboard} }\n`;
  train.merge({ [SETTINGS]: `${SETTINGS_TEXT}${forge}` }, 90);
  train.merge({ [FAST]: templateText("fast", version), [manifestPath(version)]: manifestText(version) }, 9);
  const run: DashboardTrain["run"] = (...args) => {
    vi.stubEnv("GITHUB_API_URL", train.double.url);
    vi.stubEnv("GITHUB_TOKEN", "ghp_persons");
    vi.stubEnv("XDG_CACHE_HOME", freshCache());
    return kymaIn(train.clone.path, args);
  };
  return { ...train, run, apply: () => run("promote", "--apply"), dashboard: () => issueOf(train) };
}

function issueOf({ double }: Train): Issue {
  const [issue, ...others] = double.issues();
  if (issue === undefined || others.length > 0) throw new Error("there is not exactly one issue");
  return issue;
}

/** A hold on 1.1.0 in all channels, merged `daysAgo`. */
export function hold(train: Train, daysAgo: number, more: Readonly<Record<string, string>> = {}): void {
  const entry = { version: "1.1.0", reason: "it leaks", by: "octocat", since: "2026-01-01T00:00:00Z", ...more };
  train.merge({ [HOLDS]: JSON.stringify({ format: 1, holds: [entry] }) }, daysAgo);
}

/** Ticks the boxes whose lines contain a text, as a person does, and gives the file of GitHub's event. */
export function tick(train: DashboardTrain, text: string, event: Readonly<Record<string, unknown>> = {}): string {
  const { number, body: before } = train.dashboard();
  const after = before.replace(new RegExp(`^- \\[ \\](.*${text})`, "gm"), "- [x]$1");
  if (after === before) throw new Error(`there is no box ${text} in ${before}`);
  train.double.change(number, { body: after });
  return eventFile({ number, body: after }, before, event);
}

/** The file of the event that an issue was edited. */
export function eventFile(
  issue: Pick<Issue, "number" | "body">,
  from: string,
  event: Readonly<Record<string, unknown>> = {},
): string {
  const [changes, repository] = [{ body: { from } }, { full_name: REPOSITORY }];
  const sender = { login: "octocat", type: "User" };
  return looseFile("event.json", JSON.stringify({ action: "edited", issue, changes, repository, sender, ...event }));
}
