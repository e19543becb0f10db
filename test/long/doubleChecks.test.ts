import { expect, test } from "vitest";
import { doubleTown, type DoubleTown } from "../systems/github/doubleClient.ts";

const RULE = { writes: "pulls", checks: ["check"] } as const;

async function stateOf({ ask }: DoubleTown): Promise<unknown> {
  return (await ask("GET", "pulls/1")).body["mergeable_state"];
}

async function checksAt({ ask }: DoubleTown, ref: string): Promise<readonly unknown[]> {
  const got = await ask<{
    readonly check_runs: readonly { readonly name: string; readonly conclusion: string | null }[];
  }>("GET", `commits/${ref}/check-runs?check_name=check&per_page=100`);
  return got.body.check_runs.map(({ name, conclusion }) => `${name} ${conclusion ?? "runs"}`);
}

async function pullBy(town: DoubleTown, token: string): Promise<void> {
  const asked = { title: "A", head: "promote/a", base: "main" };
  await town.ask("POST", "pulls", asked, { authorization: `token ${token}` });
}

test("a merge waits for the required checks", async () => {
  const town = await doubleTown({ settings: { checks: "pending" } });
  town.double.protect("main", RULE);
  town.push("promote/a", { "a.txt": "1\n" });
  await pullBy(town, "a-token");
  const merge = (): Promise<unknown> => town.ask("PUT", "pulls/1/merge", { merge_method: "squash" });
  expect(await checksAt(town, "promote/a")).toEqual(["check runs"]);
  expect(await stateOf(town)).toBe("blocked");
  expect(await merge()).toMatchObject({
    status: 405,
    body: { message: 'Required status check "check" is in progress.' },
  });
  town.double.setCheck("promote/a", "check", "red");
  expect(await merge()).toMatchObject({ status: 405, body: { message: 'Required status check "check" is failing.' } });
  town.double.setCheck("promote/a", "check", "green");
  expect(await stateOf(town)).toBe("clean");
  expect(await merge()).toMatchObject({ status: 200 });
});

test("every new head starts its own checks", async () => {
  const town = await doubleTown({ settings: { checks: "green" } });
  town.push("promote/a", { "a.txt": "1\n" });
  await pullBy(town, "a-token");
  expect(await checksAt(town, "promote/a")).toEqual(["check success"]);
  town.double.settings.checks = "red";
  const tip = town.push("promote/a", { "a.txt": "2\n" });
  expect(await checksAt(town, tip)).toEqual(["check failure"]);
  expect(await stateOf(town)).toBe("unstable");
});

test("the workflow's own token opens pull requests as its bot and starts no checks; a dispatch does", async () => {
  const town = await doubleTown({
    settings: { checks: "green", dispatchedChecks: "green" },
    workflows: { "gate.yaml": ["pull"] },
  });
  town.double.protect("main", RULE);
  town.push("promote/a", { "a.txt": "1\n" });
  await pullBy(town, "a-workflow-token");
  expect((await town.ask("GET", "pulls/1")).body).toMatchObject({
    user: { login: "github-actions[bot]", type: "Bot" },
  });
  expect(await checksAt(town, "promote/a")).toEqual([]);
  expect(await stateOf(town)).toBe("blocked");
  const at = "actions/workflows/gate.yaml/dispatches";
  expect((await town.ask("POST", at, { ref: "promote/a", inputs: { colour: "red" } })).status).toBe(422);
  expect((await town.ask("POST", "actions/workflows/none.yaml/dispatches", { ref: "main" })).status).toBe(404);
  expect((await town.ask("POST", at, { ref: "promote/a", inputs: { pull: "1" } })).status).toBe(204);
  expect(town.double.dispatches).toEqual([
    { workflow: "gate.yaml", ref: "promote/a", inputs: { pull: "1" }, actor: "release-train" },
  ]);
  expect(await stateOf(town)).toBe("clean");
});

test("a repository may forbid the workflow's token to open pull requests", async () => {
  const town = await doubleTown({ settings: { mayActionsOpenPulls: false } });
  town.push("promote/a", { "a.txt": "1\n" });
  await pullBy(town, "a-workflow-token");
  expect(town.double.requests.map(({ status }) => status)).toEqual([403]);
});

test("a strict rule requires an up-to-date head, and a rule for reviews an approval", async () => {
  const town = await doubleTown();
  town.double.protect("main", { writes: "pulls", isStrict: true, approvals: 1 });
  town.push("promote/a", { "a.txt": "1\n" });
  town.push("promote/b", { "b.txt": "1\n" });
  town.double.open("promote/a");
  expect(await stateOf(town)).toBe("blocked");
  town.double.approve(1);
  expect(await stateOf(town)).toBe("clean");
  town.double.approve(town.double.open("promote/b").number);
  town.double.merge(2);
  expect(await stateOf(town)).toBe("behind");
  expect((await town.ask("PUT", "pulls/1/merge", {})).status).toBe(405);
});

test("the combined status is pending without statuses, and otherwise the worst one", async () => {
  const town = await doubleTown();
  const state = async (): Promise<unknown> => (await town.ask("GET", "commits/main/status")).body["state"];
  const seen = [await state()];
  town.double.setStatus("main", "lint", "success");
  seen.push(await state());
  town.double.setStatus("main", "build", "failure");
  seen.push(await state());
  expect(seen).toEqual(["pending", "success", "failure"]);
});

test("an unknown commit has no checks and no pull requests", async () => {
  const town = await doubleTown();
  const unknown = "1".repeat(40);
  expect((await town.ask("GET", `commits/${unknown}/check-runs`)).status).toBe(422);
  expect((await town.ask("GET", `commits/${unknown}/pulls`)).status).toBe(422);
});

test("a commit belongs to an open pull request if the default branch does not contain it", async () => {
  const town = await doubleTown();
  const sha = town.push("promote/a", { "a.txt": "1\n" });
  town.double.open("promote/a");
  town.double.label(1, "hotfix");
  expect((await town.ask("GET", `commits/${sha}/pulls`)).body).toMatchObject([
    { number: 1, labels: [{ name: "hotfix" }] },
  ]);
});
