import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { baseOf, BRANCH, readyTown, type ForgeTown, type ReadyTown } from "./forgeTown.ts";

/** A proposal whose base branch has a merge queue. */
async function queuedTown(settings: Parameters<typeof readyTown>[0] = { checks: "green" }): Promise<ReadyTown> {
  const ready = await readyTown(settings);
  ready.town.double.protect("main", { writes: "pulls", checks: ["check"], hasQueue: true });
  return ready;
}

/** What a run with a new forge makes of it. */
async function attempt({ town, proposal, draft }: ReadyTown): Promise<unknown> {
  const done = await (await town.open()).merge(proposal, draft, town.run);
  return done.kind === "waiting" ? done.why : done;
}

/** How often it was put into the queue. */
function entries({ double }: ForgeTown): number {
  return double.pulls()[0]?.timeline.filter(({ kind }) => kind === "AddedToMergeQueueEvent").length ?? 0;
}

/** What a run says that puts the pull request into the queue. */
const entered = (position: number): unknown => mentions("entered", `position ${position}`);
/** What a run says that finds it there. */
const queued = (position: number): unknown => mentions("is in", `position ${position}`);

describe("a merge queue", () => {
  it("is entered once by a green pull request, and shown until it merges", async () => {
    const ready = await queuedTown();
    expect(await attempt(ready)).toEqual(entered(1));
    expect(await attempt(ready)).toEqual(queued(1));
    expect(await attempt(ready)).toEqual(queued(1));
    expect(entries(ready.town)).toBe(1);
    const commit = ready.town.double.merge(1);

    expect(await attempt(ready)).toEqual({ kind: "merged", commit });
    expect(ready.town.double.refs().has(`refs/heads/${BRANCH}`)).toBe(false);
  });

  it("shows the place behind earlier entries", async () => {
    const ready = await queuedTown();
    for (const [index, head] of ["one", "two"].entries()) {
      ready.town.push(head, { [head]: "1" });
      ready.town.double.enqueue(ready.town.double.open(head).number);
      expect(index + 2).toBe(ready.town.double.pulls().length);
    }

    expect(await attempt(ready)).toEqual(entered(3));
    ready.town.double.merge(2);
    expect(await attempt(ready)).toEqual(queued(2));
  });

  it("is not entered without green checks, with requested changes, or after the base moved", async () => {
    const ready = await queuedTown({ checks: "red" });
    const { town } = ready;
    expect(await attempt(ready)).toEqual(mentions("check check", "failed"));
    town.double.setCheck(BRANCH, "check", "green");
    town.double.approve(1, { reviewer: "anna", state: "CHANGES_REQUESTED" });
    expect(await attempt(ready)).toEqual(mentions("anna", "changes"));
    town.double.approve(1, { reviewer: "anna" });
    town.push("main", { "README.md": "Another train\n" });
    expect(await attempt(ready)).toMatch(/^main moved from/);

    expect(entries(town)).toBe(0);
    expect(await attempt({ ...ready, draft: { ...ready.draft, base: baseOf(town.double) } })).toEqual(entered(1));
  });

  it("updates a branch itself, unless there is a conflict", async () => {
    const ready = await queuedTown();
    const { town } = ready;
    town.double.protect("main", { writes: "pulls", isStrict: true, hasQueue: true });
    town.push("main", { "README.md": "Another train\n" });
    expect(await attempt({ ...ready, draft: { ...ready.draft, base: baseOf(town.double) } })).toEqual(entered(1));
    town.push("main", { "channels/regular/istio.yaml": "version: 9.0.0\n" });
    expect(await attempt(ready)).toEqual(mentions("is in", "position 1", "cannot be merged"));
    town.double.dequeue(1, "merge_conflict");

    expect(await attempt({ ...ready, draft: { ...ready.draft, base: baseOf(town.double) } })).toEqual(
      mentions("checks", "conflicts with main", "updated"),
    );
  });

  it("that refuses a pull request says why", async () => {
    const ready = await queuedTown();
    ready.town.double.protect("main", { writes: "pulls", approvals: 1, hasQueue: true });

    expect(await attempt(ready)).toEqual(
      mentions("merge queue", "(Pull request At least 1 approving review is required by reviewers with write access.)"),
    );
  });

  it.each([
    ["before it was carried out", { kind: "lost", isBefore: true }],
    ["after it was carried out", { kind: "lost" }],
    ["with an error page", { kind: "refused", status: 502, isAfter: true }],
  ] as const)("is entered once when the connection breaks %s", async (_, trouble) => {
    const ready = await queuedTown();
    const on = ({ body }: { readonly body: unknown }): boolean => JSON.stringify(body ?? "").includes("mutation");
    ready.town.double.fault({ on, trouble });

    expect(await attempt(ready)).toEqual(mentions("merge queue", "position 1"));
    expect(entries(ready.town)).toBe(1);
  });

  it("is entered once by two concurrent runs", async () => {
    const ready = await queuedTown();
    const whys = await Promise.all([attempt(ready), attempt(ready)]);

    const position = mentions("merge queue", "position 1");
    expect(whys).toEqual([position, position]);
    expect(entries(ready.town)).toBe(1);
  });
});

describe("a pull request that a merge queue removed", () => {
  it.each([
    ["failed_checks", mentions("merge queue", "removed", "(failed checks)", "push", "branch")],
    ["manual", mentions("merge queue", "removed", "(manual)", "push", "branch")],
    ["merged", mentions("merge queue", "merging")],
  ])("is reported with GitHub's reason, and not added again: %s", async (reason, why) => {
    const ready = await queuedTown();
    await attempt(ready);
    ready.town.double.dequeue(1, reason);
    expect(await attempt(ready)).toEqual(why);
    expect(await attempt(ready)).toEqual(why);

    expect(entries(ready.town)).toBe(1);
  });

  it("waits if a person added it again", async () => {
    const ready = await queuedTown();
    await attempt(ready);
    ready.town.double.dequeue(1, "failed_checks");
    ready.town.double.enqueue(1);

    expect(await attempt(ready)).toEqual(queued(1));
  });

  it("enters again with another head, even if that caused the removal", async () => {
    const ready = await queuedTown();
    const { town } = ready;
    await attempt(ready);
    const draft = town.draft({ version: "1.2.0" });
    const proposal = await (await town.open()).propose(draft, ready.proposal, town.run);
    expect(await attempt({ ...ready, draft, proposal })).toEqual(entered(1));
    town.double.dequeue(1, "failed_checks");
    expect(await attempt({ ...ready, draft, proposal })).toContain("failed checks");
  });

  it("enters again after it was reopened", async () => {
    const ready = await queuedTown();
    const { town, proposal, draft } = ready;
    await attempt(ready);
    await (await town.open()).close(proposal, "It is held.", town.run);
    expect(await attempt(ready)).toBe("it was closed");
    const [left] = await town.proposals();
    const again = await (await town.open()).propose(draft, left, town.run);

    expect(await attempt({ ...ready, proposal: again })).toEqual(entered(1));
  });
});
