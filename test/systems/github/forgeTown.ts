import { join } from "node:path";
import {
  Fault,
  type Clock,
  type Forge,
  type LogFields,
  type Proposal,
  type ProposalDraft,
  type Run,
} from "../../../src/ports.ts";
import { openForge, type GithubForgeOptions } from "../../../src/systems/github/forge.ts";
import { emptyFolder } from "../repository.ts";
import type { Double, DoubleOptions } from "./double.ts";
import { doubleTown, type DoubleTown } from "./doubleClient.ts";
import type { Actor } from "./doubleWorld.ts";

/** A double with a forge in front of it. */
export interface ForgeTown extends DoubleTown {
  /** A new forge each time, as every run has one; all of them share the folder of the cache. */
  readonly open: (settings?: Partial<GithubForgeOptions>) => Promise<Forge>;
  readonly cacheFolder: string;
  readonly run: Run;
  /** What the log was warned of: message and fields. */
  readonly warnings: readonly string[];
  /** How long was waited in all; no time passes by it. Milliseconds. */
  readonly waitedMs: () => number;
  /** What is to be proposed on the base of now. */
  readonly draft: (changes?: Partial<ProposalDraft> & { readonly version?: string }) => ProposalDraft;
  /** What a run sees. */
  readonly proposals: () => Promise<readonly Proposal[]>;
}

/** The branch of the drafts. */
export const BRANCH = "promote/regular/istio";

/** The environment of a person's token: nothing that it opens needs help to be checked. */
export const PERSONS: Readonly<Record<string, string>> = { GITHUB_TOKEN: "ghp_persons" };

const TOKENS: Readonly<Record<string, Actor>> = {
  ghp_persons: { login: "release-train" },
  ghs_workflows: { login: "github-actions[bot]", isWorkflow: true },
  github_pat_fine: { login: "release-train", isFineGrained: true },
  ghp_readers: { login: "visitor", isReader: true },
};

/** Starts a double whose forges lose no time. */
export async function forgeTown(options: Partial<DoubleOptions> = {}): Promise<ForgeTown> {
  const town = await doubleTown({ tokens: TOKENS, ...options });
  const cacheFolder = join(emptyFolder().path, "forge");
  const warnings: string[] = [];
  const run = listeningRun(warnings);
  let waitedMs = 0;
  const clock: Clock = {
    nowMs: () => town.double.now() + waitedMs,
    pause: (ms, { signal }) => {
      signal.throwIfAborted();
      waitedMs += ms;
      return Promise.resolve();
    },
  };
  const open: ForgeTown["open"] = ({ variables = PERSONS, ...settings } = {}) =>
    openForge({
      ...{ repository: "octo/train", base: "main", prefix: "", cacheFolder, clock },
      retryPolicy: { answerMs: 60_000, waitMs: 60_000, firstPauseMs: 500, repeats: 4, writesPerHour: 500 },
      variables: { GITHUB_API_URL: town.double.url, ...variables },
      ...settings,
    });
  return {
    ...town,
    ...{ open, cacheFolder, run, warnings },
    waitedMs: () => waitedMs,
    draft: ({ version = "1.1.0", ...changes } = {}) => draftOf(version, { base: baseOf(town.double), ...changes }),
    proposals: async () => (await (await open()).look(["promote/", "hold/"], run)).proposals,
  };
}

/** The commit of the base branch. */
export function baseOf({ refs }: Double): string {
  return refs().get("refs/heads/main") ?? "";
}

/** Proposes something new with a new forge. */
export async function proposeNew(town: ForgeTown, isUrgent = false): Promise<Proposal> {
  return (await town.open()).propose(town.draft({ isUrgent }), undefined, town.run);
}

/** A proposal that waits for its merge. */
export interface ReadyTown {
  readonly town: ForgeTown;
  readonly forge: Forge;
  readonly draft: ProposalDraft;
  readonly proposal: Proposal;
}

/** Proposes something new, with `variables`. */
export async function readyTown(
  settings: DoubleOptions["settings"] = {},
  variables: Readonly<Record<string, string>> = PERSONS,
): Promise<ReadyTown> {
  const town = await forgeTown({ settings });
  const forge = await town.open({ variables });
  const draft = town.draft();
  return { town, forge, draft, proposal: await forge.propose(draft, undefined, town.run) };
}

/** The fault that the work ends with; throws when it ends otherwise. */
export async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) return error;
  throw new Error("there was no fault", { cause: error });
}

function draftOf(version: string, changes: Partial<ProposalDraft> & { readonly base: string }): ProposalDraft {
  return {
    branch: BRANCH,
    files: new Map([["channels/regular/istio.yaml", `version: ${version}\n`]]),
    message: `Promote istio ${version} to regular\n\nIt soaked for a week.\n\nPromotes: istio ${version}\n`,
    title: `Promote istio ${version} to regular`,
    body: `istio ${version}, as fast serves it.`,
    digest: `digest-of-${version}`,
    mayReplace: ({ others, isMarked }) => others.length === 0 && isMarked,
    reviewers: [],
    isUrgent: false,
    isAsked: false,
    ...changes,
  };
}

function listeningRun(warnings: string[]): Run {
  const log: Run["log"] = {
    info: () => undefined,
    warn: (message: string, fields: LogFields = {}) => {
      warnings.push(`${message} ${JSON.stringify(fields)}`);
    },
    with: () => log,
  };
  return { signal: new AbortController().signal, log };
}
