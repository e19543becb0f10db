import { beforeEach, describe, expect, it, vi } from "vitest";
import { HOTFIXES } from "../../src/check/example.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { startServer } from "../systems/webServer.ts";
import { dashboardTrain, hold } from "./dashboarding.ts";
import { forgetIdentity } from "./promoting.ts";

beforeEach(forgetIdentity);

describe("the dashboard of promote --apply", () => {
  it("is one issue, which is opened, updated on changes, and otherwise unchanged", async () => {
    const train = await dashboardTrain();
    const opened = await train.apply();
    const issue = train.dashboard();

    expect([opened.code, opened.stderr]).toEqual([0, "dashboard opened: https://github.com/octo/train/issues/4\n"]);
    expect(issue).toMatchObject({ title: "Promotion dashboard", labels: ["promotion-dashboard"], state: "open" });
    expect(issue.body).toContain(
      "| regular | sample | 1.0.0 | 1.1.0 (minor) | promote now | [#3](https://github.com/octo/train/pull/3) |",
    );
    expect(issue.body).toContain("- [ ] <!-- apply regular/sample -->Apply now: promote sample 1.1.0 to regular");

    const before = train.double.requests.length;
    expect((await train.apply()).stderr).toBe("");
    const writes = train.double.requests.slice(before).filter(({ isRead }) => !isRead);
    expect(writes).toEqual([]);

    train.mergePull(3);
    expect((await train.apply()).stderr).toContain("dashboard written");
    expect(train.dashboard().body).toContain("| regular | sample | 1.1.0 |  | nothing to do |  |");
  });

  long("costs two requests if it is unchanged", async () => {
    const train = await dashboardTrain();
    await train.apply();
    const before = train.double.requests.length;
    await train.apply();
    const asked = train.double.requests.slice(before);
    // The dashboard comes last.
    const own = asked.slice(asked.findIndex(({ path }) => path.includes("/issues")));

    expect(own.map(({ method, path }) => `${method} ${path.split("?")[0] ?? ""}`)).toEqual([
      "GET /repos/octo/train/issues",
      "POST /graphql",
    ]);
  });

  long("stays closed after a person closed it, with a warning", async () => {
    const train = await dashboardTrain();
    await train.apply();
    train.double.change(4, { state: "closed" });
    const { body } = train.dashboard();
    hold(train, 8);
    const { code, stderr } = await train.apply();

    expect([code, stderr]).toEqual([0, mentions("warning", "dashboard", "closed")]);
    expect(train.dashboard()).toMatchObject({ state: "closed", comments: [], body });
  });

  long("ignores issues of other people with its mark, and is not opened beside that of another account", async () => {
    const train = await dashboardTrain();
    await train.apply();
    const { body } = train.dashboard();
    const stranger = await dashboardTrain();
    stranger.double.report({ title: "Promotion dashboard", body, author: "a-stranger" });
    expect((await stranger.apply()).stderr).toContain("dashboard opened");
    expect(stranger.double.issues()).toMatchObject([{ body }, { author: "release-train" }]);

    const other = await dashboardTrain();
    other.double.report({ body, labels: ["promotion-dashboard"], author: "github-actions[bot]" });
    const { code, stderr } = await other.apply();
    expect([code, stderr]).toEqual([0, expect.stringContaining("github-actions[bot] opened the dashboard") as string]);
    expect(other.dashboard()).toMatchObject({ body });
  });

  long("is the older issue if two runs opened one each", async () => {
    const train = await dashboardTrain();
    await train.apply();
    const { body, title } = train.dashboard();
    train.double.report({ title, body, labels: ["promotion-dashboard"], author: "release-train" });
    await train.apply();

    expect(train.double.issues()).toMatchObject([
      { number: 4, state: "open" },
      { number: 5, state: "closed", body: mentions("#4") },
    ]);
    expect((await train.apply()).stderr).toBe("");
  });

  it("fails last in a repository without issues", async () => {
    const train = await dashboardTrain();
    train.double.settings.issues = "off";
    const { code, stdout, stderr } = await train.apply();

    expect([code, stderr]).toEqual([3, expect.stringContaining("Issues has been disabled") as string]);
    expect(stdout).toMatch(/opened +regular\/sample 1\.1\.0/);
  });
});

describe("a notice", () => {
  long("reports once that a version has been blocked for long, and since when", async () => {
    const train = await dashboardTrain();
    hold(train, 8);
    const { stderr } = await train.apply();
    await train.apply();

    expect(stderr).toMatch(/\bregular\/sample\b.*\bblocked\b.* 20\S+Z\b.*\boctocat\b.* 1\.1\.0\b/);
    expect(train.dashboard().comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^regular\/sample .*\bblocked\b.*it leaks\n\n.* above 1\.1\.0\b/) as string,
    ]);
  });

  it("waits for the time in the settings", async () => {
    const train = await dashboardTrain("{ blockedFor: 10d }");
    hold(train, 8);
    await train.apply();

    expect(train.dashboard().comments).toEqual([]);
    expect(train.dashboard().body).toMatch(/\*\*regular\/sample 1\.1\.0\*\*, since 20/);
  });

  long("reports holds that end within a day, and unpaid debts", async () => {
    const train = await dashboardTrain();
    hold(train, 1, { until: new Date(Date.now() + 3_600_000).toISOString() });
    const fix = { version: "1.0.0", channel: "regular", incident: "https://example.com/7", by: "octocat" };
    const debt = [{ kind: "smoke" }, { kind: "review", paidBy: "https://example.com/8" }];
    const entry = { ...fix, at: "2026-01-01T00:00:00Z", debt };
    train.merge({ [HOTFIXES]: JSON.stringify({ format: 1, hotfixes: [entry] }) }, 0.5);
    await train.apply();

    expect(train.dashboard().comments.map(({ body }) => body.split("\n")[0])).toEqual([
      mentions("hold", "octocat", "sample 1.1.0", "ends"),
      mentions("hot-fix", "sample 1.0.0", "regular", "smoke", "https://example.com/7"),
    ]);
  });

  it("is written once, even if a run was killed before it could record it", async () => {
    const train = await dashboardTrain();
    await train.apply();
    hold(train, 8);
    train.double.fault({ on: "PATCH /repos/octo/train/issues/4", trouble: { kind: "refused", status: 422 } });
    expect((await train.apply()).code).toBe(3);
    expect(train.dashboard().comments).toHaveLength(1);
    await train.apply();

    expect(train.dashboard().comments).toHaveLength(1);
    expect(train.dashboard().body).toContain("## Blocked");
  });

  it("is posted to the webhook once, even if the webhook was unavailable at first", async () => {
    let status = 404;
    const server = await startServer(() => ({ status }));
    vi.stubEnv("HOOK", `http://${server.host}/services/secret`);
    const train = await dashboardTrain("{ webhook: { environment: HOOK } }");
    hold(train, 8);
    const { code, stderr } = await train.apply();

    expect([code, stderr]).toEqual([3, expect.stringContaining("The webhook of HOOK: http://127.0.0.1") as string]);
    expect(stderr).not.toContain("secret");
    expect(train.dashboard().comments).toHaveLength(1);
    status = 200;
    for (const _ of [1, 2]) expect((await train.apply()).code).toBe(0);
    expect(train.dashboard().comments).toHaveLength(1);
    expect(server.requests.map(({ path }) => path)).toEqual(["/services/secret", "/services/secret"]);
    expect(JSON.parse(server.requests[1]?.body ?? "")).toMatchObject({
      text: mentions("regular/sample", "blocked"),
      items: [{ kind: "blocked", channel: "regular", module: "sample", version: "1.1.0" }],
    });
  });

  long("is never lost silently: every run reports an unset variable", async () => {
    vi.stubEnv("HOOK", "");
    const train = await dashboardTrain("{ webhook: { environment: HOOK } }");
    const { code, stdout, stderr } = await train.apply();

    expect([code, stderr]).toEqual([2, expect.stringContaining("HOOK is not set") as string]);
    expect(stdout).toMatch(/opened +regular\/sample/);
    expect(train.dashboard().body).toContain("promote now");
  });
});
