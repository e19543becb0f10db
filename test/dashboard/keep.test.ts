import { expect, it } from "vitest";
import { StateKeeper, type LandscapeSource } from "../../src/dashboard/keep.ts";
import { quietRun } from "../support/quietRun.ts";
import { textAt, wordsOf } from "./landscapeState.ts";
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

/** A keeper of the commits that `commits` returns at the moment. */
function openKeeper(commits: () => readonly Told[]): ReturnType<typeof StateKeeper.open> {
  const nowMs = Math.max(...STORY.map(({ atMs }) => atMs)) + HOUR;
  const open = (): { readonly world: ReturnType<typeof worldAfter>; readonly forgeUrl: string } => ({
    world: worldAfter(commits(), nowMs),
    forgeUrl: "https://github.com",
  });
  return StateKeeper.open({ evidence: [], revision: "HEAD" }, { open, landscapes: NO_LANDSCAPES }, quietRun());
}

const FILE = "channels/fast/istio.yaml";
const BROKEN: readonly Told[] = [...STORY, { atMs: STORY.at(-1)?.atMs ?? 0, files: { [FILE]: "broken: [" } }];

it("keeps the last readable commit while a newer one has a broken file, and names the file and line", async () => {
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
    expect.stringMatching(/^channels\/fast\/istio\.yaml:1: /),
  ]);
  expect(wordsOf(textAt("/", after))).toContain("The repository has been unreadable since");
});

it("refuses a commit with a broken file at the start", async () => {
  expect(await openKeeper(() => BROKEN)).toMatchObject({ kind: "unreadable", findings: [{ file: FILE, line: 1 }] });
});
