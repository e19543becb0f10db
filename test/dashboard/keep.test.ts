import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Landscape } from "../../src/catalogue/settings.ts";
import { StateKeeper, type KeeperWorld, type LandscapeSource } from "../../src/dashboard/keep.ts";
import { servePages } from "../../src/dashboard/serve.ts";
import { Fault, type Run } from "../../src/ports.ts";
import { quietRun } from "../support/quietRun.ts";
import { mentions } from "../support/mentions.ts";
import { sentencesOf, textAt } from "./landscapeState.ts";
import { STORY } from "./module/istio.ts";
import { worldAfter, type Told } from "./story.ts";

const HOUR = 3_600_000;
const refuse = (): Promise<never> => Promise.reject(new Error("unexpected call"));
const NO_LANDSCAPES: LandscapeSource = {
  isRehearsal: false,
  at: () => Promise.resolve([]),
  watch: refuse,
  stop: refuse,
  wait: refuse,
};

const START_MS = Math.max(...STORY.map(({ atMs }) => atMs)) + HOUR;

/** The ports of the commits that `commits` returns at the moment. */
function portsOf(commits: () => readonly Told[], nowMs = START_MS): ReturnType<KeeperWorld["open"]> {
  return { world: worldAfter(commits(), nowMs), forgeUrl: "https://github.com" };
}

/** A keeper of the commits that `commits` returns at the moment. */
function openKeeper(
  commits: () => readonly Told[],
  world: Partial<KeeperWorld> = {},
): ReturnType<typeof StateKeeper.open> {
  const given = { open: () => portsOf(commits), landscapes: NO_LANDSCAPES, ...world };
  return StateKeeper.open({ evidence: [], revision: "HEAD" }, given, quietRun());
}

const FILE = "kyma-modules.yaml";
const BROKEN: readonly Told[] = [...STORY, { atMs: STORY.at(-1)?.atMs ?? 0, files: { [FILE]: "broken: [" } }];

it("keeps the last readable commit while a newer one has broken settings, and names the file and line", async () => {
  let commits = STORY;
  const keeper = await openKeeper(() => commits);
  if (!(keeper instanceof StateKeeper)) throw new Error("the story is readable");
  const before = keeper.state();
  commits = BROKEN;
  await keeper.refresh(quietRun());
  const after = keeper.state();

  expect(after.statuses).toEqual(before.statuses);
  expect([before.unreadable, after.unreadable?.because]).toEqual([
    undefined,
    expect.stringMatching(/^kyma-modules\.yaml:1: /),
  ]);
  expect(sentencesOf(textAt("/", after))).toContainEqual(mentions("repository", "unreadable since"));
});

it("refuses a commit with broken settings at the start", async () => {
  expect(await openKeeper(() => BROKEN)).toMatchObject({ kind: "unreadable", findings: [{ file: FILE, line: 1 }] });
});

it("names the time of its data while the repository is unreadable, and no longer once it is back", async () => {
  let [commits, nowMs] = [STORY, START_MS];
  const keeper = await openKeeper(() => commits, { open: () => portsOf(() => commits, nowMs) });
  if (!(keeper instanceof StateKeeper)) throw new Error("the story is readable");
  [commits, nowMs] = [BROKEN, START_MS + 9_000];
  await keeper.refresh(quietRun());
  expect(keeper.state().unreadable?.sinceMs).toBe(START_MS);

  commits = STORY;
  await keeper.refresh(quietRun());
  expect(keeper.state().unreadable).toBeUndefined();
});

it("keeps reading the landscapes while the forge does not answer", async () => {
  const end = new AbortController();
  let looks = 0;
  const gather = (): Promise<never> => {
    looks += 1;
    if (looks === 3) end.abort();
    return Promise.reject(new Fault("CLUSTER_UNREACHABLE", "It does not answer."));
  };
  const landscapes: LandscapeSource = {
    isRehearsal: false,
    at: () => Promise.resolve([{ landscape: { name: "dev" } as Landscape, gather }]),
    watch: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    wait: () => Promise.resolve(),
  };
  const { world, forgeUrl } = portsOf(() => STORY);
  let isSilent = false;
  const resolve: typeof world.resolve = (...asked) =>
    isSilent ? new Promise(() => undefined) : world.resolve(...asked);
  const keeper = await openKeeper(() => STORY, {
    open: () => ({ world: { ...world, resolve }, forgeUrl }),
    landscapes,
  });
  if (!(keeper instanceof StateKeeper)) throw new Error("the story is readable");
  isSilent = true;
  const host = {
    clock: { nowMs: () => START_MS, pause: (_: number, { signal }: Run) => setImmediate(undefined, { signal }) },
    assets: { styles: [], scripts: [] },
    open: () => Promise.resolve({ address: "", close: () => Promise.resolve() }),
    raise: () => undefined,
  };
  const run = { ...quietRun(), signal: end.signal };
  const pages = await servePages(keeper, host, 10_000, run);

  await expect(pages.keep(run)).rejects.toThrow();
  expect(looks).toBe(3);
});
