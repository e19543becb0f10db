import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { accountRoutes, type DoubleApp } from "./doubleAccount.ts";
import { commitRoutes } from "./doubleCommits.ts";
import { plannedFaults, type DoubleFault } from "./doubleFaults.ts";
import { bareGit } from "./doubleGit.ts";
import { handlesOf, type Handles } from "./doubleHandles.ts";
import { answerGraphql } from "./doubleGraphql.ts";
import { gitRoutes } from "./doubleGitRoutes.ts";
import { issueRoutes } from "./doubleIssues.ts";
import { pullRoutes } from "./doublePulls.ts";
import type { Routes } from "./doubleRoute.ts";
import { doubleServer, type Desk, type LoggedRequest, type RequestHook } from "./doubleServer.ts";
import type { Actor, Dispatch, Protection, Settings, State, World } from "./doubleWorld.ts";

/** What a double stands for. */
export interface DoubleOptions {
  /** `owner/name`. */
  readonly repository: string;
  /** Path of a bare Git repository, which outlives the double: pushes to it count as those of `a-person`. */
  readonly bare: string;
  /** `main` by default. */
  readonly defaultBranch?: string;
  /** Who may come, by token: `TOKENS` by default. */
  readonly tokens?: Readonly<Record<string, Actor>>;
  readonly app?: DoubleApp;
  /** Logins and teams that may be asked for reviews: all by default. */
  readonly collaborators?: readonly string[];
  /** Workflow files and their inputs: every one is there by default. */
  readonly workflows?: Readonly<Record<string, readonly string[]>>;
  readonly settings?: Partial<Settings>;
  /** What `state` of another double gave, for a copy of its repository. */
  readonly state?: State;
}

/** `api.github.com` for one repository. */
export interface Double extends Handles {
  /** The base URL for clients. */
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  /** What GitHub's description does not allow; a test that ends with any fails. */
  readonly violations: readonly string[];
  /** Gives the violations, and forgets them. */
  readonly takeViolations: () => readonly string[];
  /** What a test may change while it runs. */
  readonly settings: Settings;
  readonly dispatches: readonly Dispatch[];
  readonly refs: () => ReadonlyMap<string, string>;
  readonly fault: (fault: DoubleFault) => void;
  /** Guards a branch, or with `*` at the end all that begin so; `undefined` ends it. */
  readonly protect: (branch: string, protection: Protection | undefined) => void;
  readonly expire: (token: string) => void;
  /** The clock of `created_at`, `merged_at` and commits, Unix milliseconds. */
  readonly now: () => number;
  /** Stops the clock there; `undefined`: the wall clock. */
  readonly setNow: (ms: number | undefined) => void;
  readonly onRequest: (hook: RequestHook | undefined) => void;
  readonly close: () => Promise<void>;
}

/** The tokens of a double that names none. */
export const TOKENS: Readonly<Record<string, Actor>> = {
  "a-token": { login: "release-train" },
  "a-workflow-token": { login: "github-actions[bot]", isWorkflow: true },
  "a-reader-token": { login: "visitor", isReader: true },
} as const satisfies Readonly<Record<string, Actor>>;

const SETTINGS: Settings = {
  checks: "none",
  checkNames: ["check"],
  dispatchedChecks: "none",
  isDispatchReported: true,
  mergeMethods: ["merge", "squash", "rebase"],
  mergeability: "at once",
  mayActionsOpenPulls: true,
  permissions: {},
  issues: "on",
  remaining: 5000,
  limit: 5000,
  points: 5000,
  resetS: undefined,
  writesPerHour: 500,
};

/** Starts a double that ends with the test, which fails when anything was not as GitHub's description has it. */
export async function startDouble(options: DoubleOptions): Promise<Double> {
  const double = await openDouble(options);
  onTestFinished(async () => {
    await double.close();
    expect(double.violations).toEqual([]);
  });
  return double;
}

/** Starts a double that the caller closes. */
export async function openDouble(options: DoubleOptions): Promise<Double> {
  const { repository, bare, defaultBranch = "main", tokens = TOKENS, app, collaborators, workflows } = options;
  const [owner = "", name = ""] = repository.split("/");
  let clock: number | undefined;
  let hook: RequestHook | undefined;
  let url = "";
  const git = bareGit(bare);
  const protections = new Map<string, Protection>();
  const world: World = {
    owner,
    name,
    defaultBranch,
    git,
    protections,
    url: () => url,
    refs: git.refs,
    state: structuredClone(options.state ?? { pulls: [], checks: [], statuses: [], queue: [], issues: [] }),
    settings: { ...SETTINGS, ...options.settings },
    dispatches: [],
    now: () => clock ?? Date.now(),
  };
  const accounts = { tokens: new Map(Object.entries<Actor>(tokens)), expired: new Set<string>(), app };
  const graphql: Routes = { "POST /graphql": answerGraphql };
  const routes = {
    ...graphql,
    ...gitRoutes,
    ...pullRoutes(collaborators),
    ...commitRoutes(workflows),
    ...accountRoutes(accounts),
    ...issueRoutes,
  };
  const faults = plannedFaults();
  const desk: Desk = {
    world,
    accounts,
    routes,
    faults,
    requests: [],
    violations: [],
    writes: [],
    past: [],
    hook: () => hook,
  };
  const server = doubleServer(desk);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests: desk.requests,
    violations: desk.violations,
    settings: world.settings,
    dispatches: world.dispatches,
    refs: git.refs,
    fault: faults.add,
    now: world.now,
    ...handlesOf(world, desk),
    takeViolations: () => desk.violations.splice(0),
    protect: (branch, protection) => {
      if (protection === undefined) protections.delete(branch);
      else protections.set(branch, protection);
    },
    expire: (token) => {
      accounts.expired.add(token);
    },
    setNow: (ms) => {
      clock = ms;
    },
    onRequest: (given) => {
      hook = given;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
}
