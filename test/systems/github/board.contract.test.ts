import { describe, expect, it } from "vitest";
import type { Board } from "../../../src/ports.ts";
import { mentions } from "../../support/mentions.ts";
import type { ForgeTown } from "./forgeTown.ts";
import { faultOf, forgeTown, PERSONS } from "./forgeTown.ts";

const LABEL = "promotion-dashboard";
const TEXT = { title: "Promotion", body: "All is well." };

async function boardOf(town: ForgeTown, variables = PERSONS): Promise<Board> {
  const { board } = await town.open({ variables });
  if (board === undefined) throw new Error("GitHub has issues");
  return board;
}

describe("the issues of a repository", () => {
  it("are opened, found again by their label, written, commented and closed", async () => {
    const town = await forgeTown();
    const { double, run } = town;
    const opened = await (await boardOf(town)).open(TEXT, LABEL, run);

    expect(opened).toEqual({
      ...TEXT,
      ...{ number: 1, url: "https://github.com/octo/train/issues/1" },
      ...{ isOpen: true, author: "release-train", isOwn: true },
    });
    const board = await boardOf(town);
    expect(await board.issues(LABEL, run)).toEqual([opened]);
    await board.write(1, { title: "Other", body: "Not well." }, run);
    expect(double.issues()).toMatchObject([{ title: "Other", body: "Not well.", state: "open", labels: [LABEL] }]);
    await board.comment(1, "Look at this.", run);
    expect(await board.comments(1, 0, run)).toEqual(["Look at this."]);
    await board.close(1, TEXT, run);
    expect(await board.issues(LABEL, run)).toEqual([{ ...opened, isOpen: false }]);
  });

  it("cost two requests if there are any, and one if there are none", async () => {
    const town = await forgeTown();
    const requests = async (): Promise<readonly string[]> => {
      const before = town.double.requests.length;
      await (await boardOf(town)).issues(LABEL, town.run);
      return town.double.requests.slice(before).map(({ method, path }) => `${method} ${path.split("?")[0] ?? ""}`);
    };

    expect(await requests()).toEqual(["GET /repos/octo/train/issues"]);
    town.double.report({ labels: [LABEL] });
    expect(await requests()).toEqual(["GET /repos/octo/train/issues", "POST /graphql"]);
  });

  it("are distinguished from those of others, from those without the label, and from pull requests", async () => {
    const town = await forgeTown();
    const { double, run } = town;
    double.report({ labels: [LABEL], author: "a-stranger" });
    double.report({ author: "release-train" });
    town.push("change", { "a.txt": "a\n" });
    double.label(double.open("change").number, LABEL);

    expect(await (await boardOf(town)).issues(LABEL, run)).toMatchObject([
      { number: 1, author: "a-stranger", isOwn: false },
    ]);
  });

  it.each([
    ["a workflow's own token", { GITHUB_TOKEN: "ghs_workflows" }, "github-actions[bot]"],
    ["a person's token", PERSONS, "release-train"],
  ])("are recognized as own for %s", async (_, variables, author) => {
    const town = await forgeTown();
    town.double.report({ labels: [LABEL], author });

    expect(await (await boardOf(town, variables)).issues(LABEL, town.run)).toMatchObject([{ author, isOwn: true }]);
  });

  it("are opened and commented once, even if the answer gets lost", async () => {
    const town = await forgeTown();
    const { double, run } = town;
    double.fault({ on: "POST /repos/octo/train/issues", trouble: { kind: "lost" } });
    const board = await boardOf(town);
    expect(await board.open(TEXT, LABEL, run)).toMatchObject({ number: 1, isOwn: true });
    double.fault({ on: "POST /repos/octo/train/issues/1/comments", trouble: { kind: "lost" } });
    await board.comment(1, "Look at this.", run);

    expect(double.issues()).toMatchObject([{ comments: [{ body: "Look at this." }] }]);
  });

  it("are closed at once if GitHub drops the label, since no run would find them again", async () => {
    const town = await forgeTown({ settings: { issues: "without labels" } });
    const fault = await faultOf((await boardOf(town)).open(TEXT, LABEL, town.run));

    expect(fault).toMatchObject({
      code: "FORGE_REFUSED",
      message: mentions("#1", "label promotion-dashboard", "closed"),
    });
    expect(town.double.issues()).toMatchObject([{ state: "closed" }]);
  });

  it("are refused with a message if they are disabled", async () => {
    const town = await forgeTown({ settings: { issues: "off" } });
    const fault = await faultOf((await boardOf(town)).issues(LABEL, town.run));

    expect([fault.code, fault.message]).toEqual(["FORGE_REFUSED", expect.stringContaining("Issues has been disabled")]);
  });

  it("list only the comments of this program since an instant", async () => {
    const town = await forgeTown();
    const { double, run } = town;
    const { number } = double.report({ labels: [LABEL], author: "release-train" });
    const nowMs = Date.now();
    double.setNow(nowMs - 7 * 86_400_000);
    double.remark(number, "long ago", "release-train");
    double.setNow(nowMs);
    double.remark(number, "forged", "a-stranger");
    double.remark(number, "today", "release-train");

    expect(await (await boardOf(town)).comments(number, nowMs - 86_400_000, run)).toEqual(["today"]);
  });

  it("fail while GitHub does not tell the login", async () => {
    const town = await forgeTown();
    town.double.report({ labels: [LABEL] });
    town.double.fault({ on: "POST /graphql", trouble: { kind: "refused", status: 401, message: "Bad credentials" } });

    const issues = (await boardOf(town)).issues(LABEL, town.run);
    expect(await faultOf(issues)).toMatchObject({ code: "FORGE_UNAUTHORIZED" });
  });
});

describe("the right of a person", () => {
  it.each([
    ["admin", "write"],
    ["write", "write"],
    ["read", "read"],
    ["none", "read"],
    ["hidden", "unknown"],
  ] as const)("%s is %s", async (permission, right) => {
    const town = await forgeTown({ settings: { permissions: { octocat: permission } } });

    expect(await (await boardOf(town)).rightOf("octocat", town.run)).toBe(right);
  });
});
