import { describe, expect, it } from "vitest";
import type { Forge, Proposal, ProposalDraft } from "../../../src/ports.ts";
import type { DoubleOptions } from "./double.ts";
import { baseOf, BRANCH, forgeTown, PERSONS, type ForgeTown } from "./forgeTown.ts";

interface Ready {
  readonly town: ForgeTown;
  readonly forge: Forge;
  readonly draft: ProposalDraft;
  readonly proposal: Proposal;
}

/** A proposal that waits for its merge. */
async function ready(
  settings: DoubleOptions["settings"] = {},
  variables: Readonly<Record<string, string>> = PERSONS,
): Promise<Ready> {
  const town = await forgeTown({ settings });
  const forge = await town.open({ variables });
  const draft = town.draft();
  return { town, forge, draft, proposal: await forge.propose(draft, undefined, town.run) };
}

describe("a merge", () => {
  it("waits until a check ran", async () => {
    const { town, forge, draft, proposal } = await ready();

    expect(await forge.merge(proposal, draft, town.run)).toEqual({ kind: "waiting", why: "no check ran" });
  });

  it("waits until all checks are green, and then happens", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "pending", checkNames: ["check", "smoke"] });
    const attempt = (): Promise<unknown> => forge.merge(proposal, draft, town.run);
    expect(await attempt()).toEqual({ kind: "waiting", why: "2 of 2 checks are still running" });
    town.double.setCheck(BRANCH, "check", "green");
    expect(await attempt()).toEqual({ kind: "waiting", why: "1 of 2 checks are still running" });
    town.double.setCheck(BRANCH, "smoke", "red");
    expect(await attempt()).toEqual({ kind: "waiting", why: "the check smoke failed" });
    town.double.setCheck(BRANCH, "smoke", "green");
    town.double.setStatus(BRANCH, "license", "success");
    expect(await attempt()).toEqual({ kind: "merged", commit: baseOf(town.double) });
  });

  it.each([
    ["pending", "a commit status is pending"],
    ["error", "a commit status failed"],
  ] as const)("waits for a commit status that is %s", async (state, why) => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.setStatus(BRANCH, "license", state);

    expect(await forge.merge(proposal, draft, town.run)).toEqual({ kind: "waiting", why });
  });

  it("waits for the review that the base branch asks for", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.protect("main", { writes: "pulls", checks: ["gate"], approvals: 1 });
    const attempt = await forge.merge(proposal, draft, town.run);
    expect(attempt).toMatchObject({ kind: "waiting", why: expect.stringContaining("a review is missing") as string });
    town.double.approve(1);

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("asks GitHub again whether there are conflicts while it is still working that out", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", mergeability: "at the second look" });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("waits where there are conflicts", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.push("main", { "channels/regular/istio.yaml": "version: 9.0.0\n" });
    const base = baseOf(town.double);

    expect(await forge.merge(proposal, { ...draft, base }, town.run)).toEqual({
      kind: "waiting",
      why: "it has conflicts with main",
    });
  });

  it("waits when the base moved since it was decided", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.push("main", { "README.md": "Another train\n" });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({
      kind: "waiting",
      why: expect.stringMatching(/^main moved from \w{9} to \w{9} since this was decided$/) as string,
    });
  });

  it("goes on with what was decided with it after its own merges", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    const files = new Map([["channels/regular/telemetry.yaml", "version: 1.0.0\n"]]);
    const other = { ...draft, branch: "promote/regular/telemetry", digest: "other", files };
    const late = { ...other, branch: "promote/regular/late", files: new Map([["late.yaml", "1\n"]]) };
    const second = await forge.propose(other, undefined, town.run);
    await forge.merge(proposal, draft, town.run);
    expect(await forge.merge(second, other, town.run)).toMatchObject({ kind: "merged" });
    expect(await forge.propose(late, undefined, town.run)).toMatchObject({ pull: { number: 3 } });
    town.clone.git("pull", "--quiet", "origin", "main");
    town.push("main", { "README.md": "Another train\n" });

    const fourth = { ...late, branch: "promote/regular/fourth" };
    await expect(forge.propose(fourth, undefined, town.run)).rejects.toMatchObject({ code: "FORGE_CONFLICT" });
  });

  it("takes only the commit that was looked at", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    await (await town.open()).propose(town.draft({ version: "1.2.0" }), proposal, town.run);

    expect(await forge.merge(proposal, draft, town.run)).toEqual({
      kind: "waiting",
      why: "its branch moved since it was looked at",
    });
    expect(await forge.merge({ ...proposal, digest: "other" }, draft, town.run)).toMatchObject({ kind: "waiting" });
  });

  it("of what a person merged or closed says so", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    await forge.close(proposal, "No.", town.run);
    expect(await forge.merge(proposal, draft, town.run)).toEqual({ kind: "waiting", why: "it was closed" });
    const again = await forge.propose(draft, { ...proposal, pull: undefined }, town.run);
    const commit = town.double.merge(1);

    expect(await forge.merge(again, draft, town.run)).toEqual({ kind: "merged", commit });
    expect(await forge.merge({ ...again, pull: undefined }, draft, town.run)).toMatchObject({ kind: "waiting" });
  });

  it.each([
    [["merge", "squash"], 1],
    [["merge", "rebase"], 2],
    [["rebase"], 1],
  ])("uses what the repository allows of %j", async (mergeMethods, parents) => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", mergeMethods });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
    expect(town.bare.git("log", "-1", "--format=%P", "main").split(" ").length).toBe(parents);
  });

  it("is refused where the repository allows no way", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", mergeMethods: [] });

    await expect(forge.merge(proposal, draft, town.run)).rejects.toMatchObject({ code: "FORGE_REFUSED" });
  });

  it("stands although its branch cannot be removed", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.fault({ on: "DELETE ", times: 9, trouble: { kind: "refused", status: 403 } });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
    expect(town.warnings).toEqual([expect.stringContaining("the branch of a merged proposal is left")]);
  });
});

describe("a pull request made with the workflow's own token", () => {
  const WORKFLOWS = { GITHUB_TOKEN: "ghs_workflows" };

  it("gets its gate started, and that is said", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", dispatchedChecks: "green" }, WORKFLOWS);

    expect(town.double.dispatches).toMatchObject([
      { workflow: "submission.yaml", ref: BRANCH, inputs: { "pull-request": "1" } },
    ]);
    expect(town.warnings).toEqual([expect.stringContaining("starts no checks; the gate was started")]);
    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("gets it started again when no check came of it", async () => {
    const { town, draft, proposal } = await ready({}, WORKFLOWS);
    const forge = await town.open({ variables: WORKFLOWS });
    town.double.settings.dispatchedChecks = "green";
    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({
      kind: "waiting",
      why: expect.stringMatching(/^no check ran: .* the gate was started$/) as string,
    });

    expect(town.double.dispatches.length).toBe(2);
    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("is proposed also where the gate cannot be started, with a remedy", async () => {
    const town = await forgeTown();
    const dispatch = "POST /repos/octo/train/actions";
    const message = "Resource not accessible by integration";
    town.double.fault({ on: dispatch, times: 9, trouble: { kind: "refused", status: 403, message } });
    const forge = await town.open({ variables: WORKFLOWS });
    const proposal = await forge.propose(town.draft(), undefined, town.run);

    expect(await town.proposals()).toEqual([proposal]);
    expect(town.warnings).toEqual([expect.stringContaining("Let a GitHub App propose")]);
    expect(await forge.merge(proposal, town.draft(), town.run)).toMatchObject({
      kind: "waiting",
      why: expect.stringContaining("could not be started") as string,
    });
  });
});
