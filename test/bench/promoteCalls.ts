import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDouble, type Double } from "../systems/github/double.ts";
import type { Pull } from "../systems/github/doubleWorld.ts";
import type { Sample } from "./figures.ts";
import { writeSampleHistory } from "./sampleHistory.ts";
import { gitIn } from "./sampleRepository.ts";
import type { Program } from "./wholeProcess.ts";
import { ROOT, type Workbench } from "./workbench.ts";

/** How large the repository on the double is: so many requests go over the network of one machine. */
const [MODULES, COMMITS] = [12, 400];
const REPOSITORY = "octo/train";
const TOKEN = "ghp_bench";
const MAIN = join(ROOT, "src", "cli", "kyma-modules.js");

/** `promote --apply` on a double of GitHub, after a first one that opened what there was to open. */
export interface PromoteCalls {
  readonly name: string;
  /** Once more, with nothing to do: what it cost, and how many requests it made. Throws when it did something. */
  readonly again: () => Promise<Sample>;
  readonly close: () => Promise<void>;
}

/** Lets a first run open its pull requests, and read when everything was merged. */
export async function preparePromoteCalls(bench: Workbench): Promise<PromoteCalls> {
  const [source, bare, clone] = ["calls-source", "calls.git", "calls"].map((name) => join(bench.folder, name)) as [
    string,
    string,
    string,
  ];
  bench.say(`promote: a double of GitHub with ${COMMITS} merged pull requests for ${MODULES} modules`);
  await writeSampleHistory(source, { modules: MODULES, commits: COMMITS, seed: 4 }, bench.signal);
  const git = gitIn(bench.folder, bench.signal);
  await git("clone", "--quiet", "--bare", source, bare);
  await git("clone", "--quiet", bare, clone);
  await useGitHub(clone, bench);
  const double = await openDouble({
    repository: REPOSITORY,
    bare,
    tokens: { [TOKEN]: { login: "release-train" } },
    state: { pulls: await mergedPulls(clone, bench.signal), checks: [], statuses: [], queue: [], issues: [] },
    // What waits for its checks is asked for them in every run.
    settings: { checks: "pending" },
  });
  const program = applyProgram(double, clone, bench);
  await bench.measure(program);
  const cold = double.requests.length;
  return {
    name: `promote --apply with nothing to do, ${MODULES} modules, ${COMMITS} merged pull requests, on a double of GitHub`,
    again: () => again(double, program, cold, bench),
    close: () => double.close(),
  };
}

/** The sample has no forge and no CODEOWNERS, without which the gate lets nothing in: the newest commit adds both. */
async function useGitHub(clone: string, { measure, signal }: Workbench): Promise<void> {
  const git = gitIn(clone, signal);
  const settings = await git("show", "HEAD:kyma-modules.yaml");
  const forge = `kind: github, repository: ${REPOSITORY}`;
  writeFileSync(join(clone, "kyma-modules.yaml"), settings.replace("kind: none", forge));
  const args = [MAIN, "check", "--fix", "--offline", "--repo", clone];
  await measure({ program: process.execPath, args, cwd: ROOT, exitCodes: [0, 1] });
  await git("add", "--all");
  await git("commit", "--quiet", "--message=Use GitHub");
  await git("push", "--quiet", "origin", "main");
}

/** One for each commit of the base, as squash merges leave them. */
async function mergedPulls(clone: string, signal: AbortSignal): Promise<Pull[]> {
  const log = await gitIn(clone, signal)("log", "--first-parent", "--reverse", "--format=%H %ct");
  const commits = log.trim().split("\n");
  return commits.map((line, index): Pull => {
    const [commit = "", seconds] = line.split(" ");
    const atMs = Number(seconds) * 1000;
    return {
      number: index + 1,
      title: `Change ${index}`,
      body: null,
      head: `change-${index}`,
      base: "main",
      headSha: commit,
      baseSha: commits[index - 1]?.split(" ")[0] ?? commit,
      state: "closed",
      draft: false,
      author: { login: "octocat" },
      createdAtMs: atMs,
      updatedAtMs: atMs,
      closedAtMs: atMs,
      mergedAtMs: atMs,
      mergedBy: { login: "octocat" },
      mergeCommit: commit,
      introduced: [commit],
      reviewers: [],
      teams: [],
      labels: [],
      reviews: [],
      lookedAt: undefined,
      timeline: [],
    };
  });
}

function applyProgram({ url }: Double, clone: string, { folder }: Workbench): Program {
  return {
    program: process.execPath,
    args: [MAIN, "promote", "--apply", "--repo", clone, "--format", "json"],
    cwd: ROOT,
    env: {
      NODE_COMPILE_CACHE: join(folder, "compile-cache"),
      XDG_CACHE_HOME: join(folder, "calls-cache"),
      GITHUB_API_URL: url,
      GITHUB_TOKEN: TOKEN,
    },
  };
}

async function again(double: Double, program: Program, coldCalls: number, { measure }: Workbench): Promise<Sample> {
  const before = double.requests.length;
  const { wallSeconds, cpuSeconds, peakMiB } = await measure(program);
  const asked = double.requests.slice(before);
  const open = double.pulls().filter(({ state }) => state === "open").length;
  const writes = asked.filter(({ isRead }) => !isRead);
  if (open === 0) throw new Error("nothing was promoted, so nothing is open");
  if (writes.length > 0) throw new Error(`promote --apply had something to do: ${JSON.stringify(writes[0])}`);
  if (double.violations.length > 0) throw new Error(`GitHub would not have it: ${double.violations.join("; ")}`);
  const details = { calls: asked.length, openPromotions: open, coldCalls };
  return { wallSeconds, cpuSeconds, peakMiB, details };
}
