import { describe, expect, it } from "vitest";
import { whyNotGreen, type CheckRun, type CommitStatus } from "../../../src/systems/github/checks.ts";
import { mentions } from "../../support/mentions.ts";

const GATE = ["gate", "check check", "submission.yaml"];

const check = (status: string, conclusion: string | null, more: Partial<CheckRun> = {}): CheckRun => ({
  ...{ id: 1, name: "check", app: 15_368, workflow: "submission.yaml", status, conclusion },
  ...more,
});
const done = (conclusion: string, more: Partial<CheckRun> = {}): CheckRun => check("completed", conclusion, more);
const CI = { workflow: "ci.yaml" };
const status = (context: string, state: string): CommitStatus => ({ context, state });

describe("checks", () => {
  it.each<readonly [string, readonly CheckRun[], unknown]>([
    ["all green", [done("success"), done("neutral", { name: "smoke" })], undefined],
    ["another's check alone", [done("success", { name: "DCO" })], mentions(...GATE, "not run")],
    ["the same name in another workflow alone", [done("success", CI)], mentions(...GATE, "not run")],
    [
      "the same name of another app alone",
      [done("success", { app: 2, workflow: undefined })],
      mentions(...GATE, "not run"),
    ],
    ["no check", [], mentions(...GATE, "not run")],
    ["a gate that was skipped", [done("skipped")], mentions(...GATE, "skipped")],
    ["one that runs", [check("queued", null)], mentions("1 of 1", "running")],
    ["one that failed", [done("success"), done("timed_out", { name: "smoke" })], mentions("check smoke", "timed out")],
    ["red, then green in another suite", [done("success", { id: 7 }), done("cancelled", { id: 3 })], undefined],
    [
      "green, then red in another suite",
      [done("failure", { id: 7 }), done("success", { id: 3 })],
      mentions("check check", "failed"),
    ],
    [
      "red, then running in another suite",
      [check("queued", null, { id: 7 }), done("failure")],
      mentions("1 of 1", "running"),
    ],
    [
      "red, then green in another workflow",
      [done("success", { id: 7 }), done("failure", CI)],
      mentions("check check", "failed"),
    ],
    [
      "red, then green of another app",
      [done("success", { id: 7 }), done("failure", { app: 2 })],
      mentions("check check", "failed"),
    ],
  ])("of %s", (_, checks, why) => {
    expect(whyNotGreen({ checks, statuses: [] })).toEqual(why);
  });

  it.each<readonly [string, readonly CommitStatus[], unknown]>([
    ["a green one", [status("license", "success")], undefined],
    ["a pending one", [status("license", "pending")], mentions("status license", "pending")],
    ["one that is expected", [status("license", "expected")], mentions("status license", "expected")],
    ["a bad one", [status("a", "pending"), status("b", "error")], mentions("status b", "error")],
    ["a bad one of the gate", [status("check", "failure")], mentions("status check", "failure")],
  ])("are combined with commit statuses: %s", (_, statuses, why) => {
    expect(whyNotGreen({ checks: [done("success")], statuses })).toEqual(why);
  });

  it("of a dispatched gate are a commit status", () => {
    expect(whyNotGreen({ checks: [], statuses: [status("check", "success")] })).toBeUndefined();
  });
});
