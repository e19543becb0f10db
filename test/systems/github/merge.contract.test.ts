import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { baseOf, BRANCH, readyTown as ready } from "./forgeTown.ts";

describe("a merge", () => {
  it("waits until a check ran", async () => {
    const { town, forge, draft, proposal } = await ready();

    expect(await forge.merge(proposal, draft, town.run)).toEqual({
      kind: "waiting",
      why: mentions("gate", "check check", "submission.yaml", "not run"),
    });
  });

  it("waits until all checks are green, and then happens", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "pending", checkNames: ["check", "smoke"] });
    const attempt = (): Promise<unknown> => forge.merge(proposal, draft, town.run);
    expect(await attempt()).toEqual({ kind: "waiting", why: mentions("2 of 2", "running") });
    town.double.setCheck(BRANCH, "check", "green");
    expect(await attempt()).toEqual({ kind: "waiting", why: mentions("1 of 2", "running") });
    town.double.setCheck(BRANCH, "smoke", "red");
    expect(await attempt()).toEqual({ kind: "waiting", why: mentions("check smoke", "failed") });
    town.double.setCheck(BRANCH, "smoke", "green");
    town.double.setStatus(BRANCH, "license", "success");
    expect(await attempt()).toEqual({ kind: "merged", commit: baseOf(town.double) });
  });

  it("waits for the gate, regardless of other checks", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", checkNames: ["DCO"] });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "waiting" });
  });

  it("takes one request per run while it waits", async () => {
    const { town, draft, proposal } = await ready({ checks: "pending" });
    const before = town.double.requests.length;
    expect(await (await town.open()).merge(proposal, draft, town.run)).toMatchObject({ kind: "waiting" });

    expect(town.double.requests.slice(before).map(({ path }) => path)).toEqual(["/graphql"]);
  });

  it("reads the checks in every run", async () => {
    const { town, draft, proposal } = await ready({ checks: "green" });
    town.double.protect("main", { writes: "pulls", approvals: 1 });
    expect(await (await town.open()).merge(proposal, draft, town.run)).toMatchObject({ kind: "waiting" });
    town.double.addCheck(BRANCH, "check", "red");
    town.double.approve(1);

    expect(await (await town.open()).merge(proposal, draft, town.run)).toMatchObject({
      kind: "waiting",
      why: mentions("check check", "failed"),
    });
  });

  it("keeps commits that someone pushed to the branch right after it", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.onRequest((_, phase, description) => {
      if (phase === "after" && description.startsWith("PUT "))
        town.bare.git("update-ref", `refs/heads/${BRANCH}`, "main");
      return undefined;
    });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
    expect(town.bare.git("branch", "--list", BRANCH)).toContain(BRANCH);
  });

  it.each([
    ["pending", mentions("status license", "pending")],
    ["error", mentions("status license", "error")],
  ] as const)("waits for a commit status that is %s", async (state, why) => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.setStatus(BRANCH, "license", state);

    expect(await forge.merge(proposal, draft, town.run)).toEqual({ kind: "waiting", why });
  });

  it("asks GitHub again while it still computes conflicts", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", mergeability: "at the second look" });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("updates a branch with conflicts to the base", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.push("main", { "channels/regular/istio.yaml": "version: 9.0.0\n" });
    const now = { ...draft, base: baseOf(town.double) };
    expect(await forge.merge(proposal, now, town.run)).toEqual({
      kind: "waiting",
      why: mentions("checks", "conflicts with main", "updated"),
    });
    const [renewed] = await town.proposals();

    expect(renewed).toMatchObject({ digest: draft.digest, pull: { number: 1 } });
    expect(renewed && (await forge.merge(renewed, now, town.run))).toMatchObject({ kind: "merged" });
    expect(town.bare.git("show", "main:channels/regular/istio.yaml")).toBe("version: 1.1.0");
  });

  it("updates branches to a base that requires it, one per run", async () => {
    const { town, draft, proposal } = await ready({ checks: "green" });
    const files = new Map([["channels/regular/telemetry.yaml", "version: 1.0.0\n"]]);
    const other = { ...draft, branch: "promote/regular/telemetry", digest: "other", files };
    const second = await (await town.open()).propose(other, undefined, town.run);
    town.double.protect("main", { writes: "pulls", isStrict: true });
    town.push("main", { "README.md": "Another train\n" });
    const base = baseOf(town.double);
    const forge = await town.open();
    expect(await forge.merge(proposal, { ...draft, base }, town.run)).toEqual({
      kind: "waiting",
      why: mentions("checks", "behind main", "updated"),
    });
    expect(await forge.merge(second, { ...other, base }, town.run)).toEqual({
      kind: "waiting",
      why: mentions("behind main", "#1"),
    });
    const [first] = await town.proposals();
    const next = await town.open();
    expect(first && (await next.merge(first, { ...draft, base }, town.run))).toMatchObject({ kind: "merged" });
    expect(await next.merge(second, { ...other, base }, town.run)).toMatchObject({
      why: mentions("behind main", "updated"),
    });
    expect(town.bare.git("merge-base", "--is-ancestor", "main", other.branch)).toBe("");
  });

  it("is attempted despite a blocking rule, and succeeds for those who may bypass it", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.protect("main", { writes: "pulls", approvals: 1, bypass: ["release-train"] });

    expect(await forge.merge(proposal, draft, town.run)).toEqual({ kind: "merged", commit: baseOf(town.double) });
  });

  it("shows GitHub's message for a blocking rule", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.protect("main", { writes: "none", bypass: ["another-person"] });

    expect(await forge.merge(proposal, draft, town.run)).toEqual({
      kind: "waiting",
      why: mentions("GitHub", "(Repository rule violations found Cannot update this protected ref.)"),
    });
  });

  it("waits if the base moved since the decision", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.push("main", { "README.md": "Another train\n" });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({
      kind: "waiting",
      why: mentions("main", draft.base.slice(0, 10), baseOf(town.double).slice(0, 10)),
    });
  });

  it("continues with other decisions after its own merges", async () => {
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

  it("merges only the commit of the look", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    await (await town.open()).propose(town.draft({ version: "1.2.0" }), proposal, town.run);

    expect(await forge.merge(proposal, draft, town.run)).toEqual({
      kind: "waiting",
      why: mentions("branch", "moved"),
    });
    expect(await forge.merge({ ...proposal, digest: "other" }, draft, town.run)).toMatchObject({ kind: "waiting" });
  });

  it("reports a proposal that a person merged or closed", async () => {
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
  ])("uses an allowed method of %j", async (mergeMethods, parents) => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", mergeMethods });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
    expect(town.bare.git("log", "-1", "--format=%P", "main").split(" ").length).toBe(parents);
  });

  it("is refused if the repository allows no method", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", mergeMethods: [] });

    await expect(forge.merge(proposal, draft, town.run)).rejects.toMatchObject({ code: "FORGE_REFUSED" });
  });

  it("succeeds even if its branch cannot be deleted", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.fault({ on: "DELETE ", times: 9, trouble: { kind: "refused", status: 403 } });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
    expect(town.warnings).toEqual([mentions("branch", "merged proposal", BRANCH)]);
  });
});
