import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { BRANCH, forgeTown, readyTown as ready } from "./forgeTown.ts";

describe("a pull request made with the workflow's own token", () => {
  const WORKFLOWS = { GITHUB_TOKEN: "ghs_workflows" };

  it("gets its gate started, with a warning", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", dispatchedChecks: "green" }, WORKFLOWS);

    expect(town.double.dispatches).toMatchObject([
      { workflow: "submission.yaml", ref: BRANCH, inputs: { "pull-request": "1" } },
    ]);
    expect(town.warnings).toEqual([mentions("checks", "gate", "was started")]);
    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("is merged if protection requires the gate, which sees only its commit status", async () => {
    const given = { checks: "green", dispatchedChecks: "green" } as const;
    const protection = { writes: "pulls", checks: ["check"] } as const;
    const silent = await ready({ ...given, isDispatchReported: false }, WORKFLOWS);
    silent.town.double.protect("main", protection);
    expect(await silent.forge.merge(silent.proposal, silent.draft, silent.town.run)).toMatchObject({ kind: "waiting" });
    const { town, forge, draft, proposal } = await ready(given, WORKFLOWS);
    town.double.protect("main", protection);

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("is not merged with a dispatched check of the same name from another workflow", async () => {
    const { town, forge, draft, proposal } = await ready({ dispatchedChecks: "pending" }, WORKFLOWS);
    town.double.addCheck(BRANCH, "check", "green", { workflow: "ci.yaml", isDispatched: true });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({
      kind: "waiting",
      why: "1 of 1 check is still running",
    });
  });

  it("gets it started again if no check appeared", async () => {
    const { town, draft, proposal } = await ready({}, WORKFLOWS);
    const forge = await town.open({ variables: WORKFLOWS });
    await forge.look(["promote/"], town.run);
    town.double.settings.dispatchedChecks = "green";
    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({
      kind: "waiting",
      why: mentions("gate", "not run", "was started"),
    });

    expect(town.double.dispatches.length).toBe(2);
    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("also gets the gate started after a push to a pull request of a person", async () => {
    const { town, proposal } = await ready();
    const forge = await town.open({ variables: WORKFLOWS });
    await forge.look(["promote/"], town.run);
    const newer = town.draft({ version: "1.2.0" });
    const updated = await forge.propose(newer, proposal, town.run);
    expect(town.double.dispatches).toMatchObject([{ ref: BRANCH }]);
    town.double.settings.dispatchedChecks = "green";
    const next = await town.open({ variables: WORKFLOWS });
    await next.merge(updated, newer, town.run);

    expect(town.double.dispatches.length).toBe(2);
    expect(await next.merge(updated, newer, town.run)).toMatchObject({ kind: "merged" });
  });

  it("is proposed even if the gate cannot be started, with a remedy", async () => {
    const town = await forgeTown();
    const dispatch = "POST /repos/octo/train/actions";
    const message = "Resource not accessible by integration";
    town.double.fault({ on: dispatch, times: 9, trouble: { kind: "refused", status: 403, message } });
    const forge = await town.open({ variables: WORKFLOWS });
    const proposal = await forge.propose(town.draft(), undefined, town.run);

    expect(await town.proposals()).toEqual([proposal]);
    expect(town.warnings).toEqual([expect.stringContaining("Use a GitHub App")]);
    expect(await forge.merge(proposal, town.draft(), town.run)).toMatchObject({
      kind: "waiting",
      why: mentions("gate", "not be started"),
    });
  });
});
