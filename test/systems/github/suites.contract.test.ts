import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { BRANCH, readyTown as ready } from "./forgeTown.ts";

describe("the checks of a commit", () => {
  it("count by their newest run: red, then green in another suite, is green", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "cancelled" });
    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ why: mentions("check check", "cancelled") });
    town.double.addCheck(BRANCH, "check", "green");

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("are distinguished by workflow: green in one is not green in another", async () => {
    const { town, forge, draft, proposal } = await ready();
    town.double.addCheck(BRANCH, "check", "red", { workflow: "ci.yaml" });
    town.double.addCheck(BRANCH, "check", "green");

    expect(await forge.merge(proposal, draft, town.run)).toEqual({
      kind: "waiting",
      why: mentions("check check", "failed"),
    });
  });

  it("do not include the gate if another workflow has a job of its name", async () => {
    const { town, forge, draft, proposal } = await ready();
    town.double.addCheck(BRANCH, "check", "green", { workflow: "ci.yaml" });

    expect(await forge.merge(proposal, draft, town.run)).toEqual({
      kind: "waiting",
      why: mentions("gate", "check check", "submission.yaml", "not run"),
    });
  });

  it("count also if an app other than GitHub Actions made them", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    town.double.addCheck(BRANCH, "DCO", "red", { workflow: undefined });

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ why: mentions("check DCO", "failed") });
  });

  it("are read to the last page, and so are the reviews", async () => {
    const { town, forge, draft, proposal } = await ready({ checks: "green" });
    for (let index = 0; index < 230; index++) town.double.addCheck(BRANCH, `job ${index}`, "green");
    for (let index = 0; index < 101; index++) town.double.approve(1, { reviewer: `person-${index}` });
    town.double.approve(1, { reviewer: "zoe", state: "CHANGES_REQUESTED" });
    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ why: mentions("zoe", "changes") });
    town.double.setCheck(BRANCH, "job 229", "red");

    expect(await forge.merge(proposal, draft, town.run)).toMatchObject({ why: mentions("check job 229", "failed") });
  });
});
