import { describe, expect, it } from "vitest";
import { whyNotGreen, type CheckRun, type CommitStatus } from "../../../src/systems/github/checks.ts";

const GATE = "the gate (the check check of submission.yaml)";

const check = (status: string, conclusion: string | null, more: Partial<CheckRun> = {}): CheckRun => ({
  ...{ id: 1, name: "check", app: 15_368, workflow: "submission.yaml", status, conclusion },
  ...more,
});
const done = (conclusion: string, more: Partial<CheckRun> = {}): CheckRun => check("completed", conclusion, more);
const CI = { workflow: "ci.yaml" };
const status = (context: string, state: string): CommitStatus => ({ context, state });

describe("checks", () => {
  it.each<readonly [string, readonly CheckRun[], string | undefined]>([
    ["all green", [done("success"), done("neutral", { name: "smoke" })], undefined],
    ["another's check alone", [done("success", { name: "DCO" })], `${GATE} did not run`],
    ["the same name in another workflow alone", [done("success", CI)], `${GATE} did not run`],
    ["the same name of another app alone", [done("success", { app: 2, workflow: undefined })], `${GATE} did not run`],
    ["no check", [], `${GATE} did not run`],
    ["a gate that was skipped", [done("skipped")], `${GATE} was skipped`],
    ["one that runs", [check("queued", null)], "1 of 1 check is still running"],
    [
      "one that failed",
      [done("success"), done("timed_out", { name: "smoke" })],
      "the check smoke ended with timed out",
    ],
    ["red, then green in another suite", [done("success", { id: 7 }), done("cancelled", { id: 3 })], undefined],
    [
      "green, then red in another suite",
      [done("failure", { id: 7 }), done("success", { id: 3 })],
      "the check check failed",
    ],
    [
      "red, then running in another suite",
      [check("queued", null, { id: 7 }), done("failure")],
      "1 of 1 check is still running",
    ],
    [
      "red, then green in another workflow",
      [done("success", { id: 7 }), done("failure", CI)],
      "the check check failed",
    ],
    [
      "red, then green of another app",
      [done("success", { id: 7 }), done("failure", { app: 2 })],
      "the check check failed",
    ],
  ])("of %s", (_, checks, why) => {
    expect(whyNotGreen({ checks, statuses: [] })).toBe(why);
  });

  it.each<readonly [string, readonly CommitStatus[], string | undefined]>([
    ["a green one", [status("license", "success")], undefined],
    ["a pending one", [status("license", "pending")], "the commit status license is pending"],
    ["one that is expected", [status("license", "expected")], "the commit status license is expected"],
    ["a bad one", [status("a", "pending"), status("b", "error")], "the commit status b is error"],
    ["a bad one of the gate", [status("check", "failure")], "the commit status check is failure"],
  ])("are combined with commit statuses: %s", (_, statuses, why) => {
    expect(whyNotGreen({ checks: [done("success")], statuses })).toBe(why);
  });

  it("of a dispatched gate are a commit status", () => {
    expect(whyNotGreen({ checks: [], statuses: [status("check", "success")] })).toBeUndefined();
  });
});
