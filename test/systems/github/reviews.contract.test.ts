import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { baseOf, BRANCH, readyTown as ready } from "./forgeTown.ts";

describe("a merge that people review", () => {
  it("waits for a reviewer who requests changes", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.approve(1, { reviewer: "anna", state: "CHANGES_REQUESTED" });
    expect(await forge.merge(proposal, draft, town.run)).toEqual({ kind: "waiting", why: mentions("anna", "changes") });
    town.double.approve(1, { reviewer: "anna" });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it.each([
    ["waits for an administrator", "admin", { kind: "waiting", why: mentions("anna", "changes") }],
    ["does not wait for one who may not write", "read", { kind: "merged" }],
    ["does not wait for a stranger", "none", { kind: "merged" }],
  ] as const)("%s", async (_, permission, attempt) => {
    const { town, forge, draft, proposal } = await ready({ checks: "green", permissions: { anna: permission } });
    town.double.approve(1, { reviewer: "anna", state: "CHANGES_REQUESTED" });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject(attempt);
  });

  it("waits for all reviewers who request changes, and not for one who approved later or only commented", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    for (const reviewer of ["anna", "bert", "carl"]) town.double.approve(1, { reviewer, state: "CHANGES_REQUESTED" });
    town.double.approve(1, { reviewer: "anna", state: "COMMENTED" });
    town.double.approve(1, { reviewer: "bert" });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ why: mentions("anna, carl", "changes") });
  });

  it("waits for the review that the base branch requires", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.protect("main", { writes: "pulls", checks: ["check"], approvals: 1 });
    const attempt = await forge.merge(proposal, draft, town.run);
    expect(attempt).toMatchObject({
      kind: "waiting",
      why: expect.stringContaining("At least 1 approving review is required") as string,
    });
    town.double.approve(1);

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("does not update a branch while a person requests changes", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.protect("main", { writes: "pulls", isStrict: true });
    town.push("main", { "README.md": "Another train\n" });
    town.double.approve(1, { reviewer: "anna", state: "CHANGES_REQUESTED" });

    expect(await forge.merge(proposal, { ...draft, base: baseOf(town.double) }, town.run)).toMatchObject({
      why: mentions("anna", "changes"),
    });
    expect(town.double.refs().get(`refs/heads/${BRANCH}`)).toBe(proposal.tip);
  });
});
