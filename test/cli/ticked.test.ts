import { beforeEach, describe, expect, it, vi } from "vitest";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { dashboardTrain, eventFile, hold, tick, type DashboardTrain } from "./dashboarding.ts";
import { forgetIdentity } from "./promoting.ts";
import { looseFile } from "./train.ts";

beforeEach(() => {
  forgetIdentity();
  vi.stubEnv("GITHUB_TRIGGERING_ACTOR", "octocat");
});

async function shownTrain(): Promise<DashboardTrain> {
  const train = await dashboardTrain();
  await train.apply();
  return train;
}

/** `head state` of each pull request that was opened after the dashboard. */
function later({ double }: DashboardTrain): readonly string[] {
  return double.pulls().flatMap(({ head, state, number }) => (number > 4 ? [`${head} ${state}`] : []));
}

describe("a box that a person ticks", () => {
  it("requests a hold in that person's name, and is unticked afterwards", async () => {
    const train = await shownTrain();
    const { code, stdout, stderr } = await train.run("ticked", tick(train, "Hold sample 1.1.0"));

    expect([code, stderr]).toEqual([0, "dashboard written: https://github.com/octo/train/issues/4\n"]);
    expect(stdout).toMatch(/proposed: .*\/pull\/5\nclosed: .*\/pull\/3/);
    expect(later(train)).toEqual(["hold/regular/sample-1.1.0 open"]);
    expect(train.double.pulls().at(-1)?.body).toMatch(/dashboard.* @\u200boctocat/);
    expect(train.bare.git("show", "hold/regular/sample-1.1.0:modules/sample/holds.yaml")).toMatch(/by: octocat/);
    expect(train.dashboard().body).not.toContain("[x]");
    expect(train.dashboard().body).toContain("hold proposed, https://github.com/octo/train/pull/5");
  });

  it("requests a promotion, which the verdict must still allow", async () => {
    const train = await shownTrain();
    train.double.setCheck("promote/regular/sample", "check", "green");
    const event = tick(train, "Apply now");
    const { code, stdout } = await train.run("ticked", event);

    expect([code, stdout]).toEqual([0, expect.stringMatching(/merged +regular\/sample 1\.1\.0/) as string]);
    expect(train.dashboard().body).toMatch(/merged as [0-9a-f]{10}/);

    const held = await shownTrain();
    const late = tick(held, "Apply now");
    hold(held, 0);
    expect((await held.run("ticked", late)).stdout).toMatch(
      /blocked: octocat holds 1\.1\.0[^]*closed +regular\/sample/,
    );
  });

  long("is carried out as a hold first if both are ticked", async () => {
    const train = await shownTrain();
    train.double.setCheck("promote/regular/sample", "check", "green");
    const { stdout } = await train.run("ticked", tick(train, "sample 1.1.0"));

    expect(stdout).toContain("A hold on 1.1.0 is proposed");
    expect(train.double.pulls()[2]).toMatchObject({ state: "closed", mergedAtMs: undefined });
  });

  it.each([
    ["read", false],
    ["none", false],
    ["hidden", true],
  ] as const)("is refused to a person whose right is %s", async (permission, isUnknown) => {
    const train = await shownTrain();
    train.double.settings.permissions = { octocat: permission };
    const { code, stdout } = await train.run("ticked", tick(train, "Hold sample 1.1.0"));

    expect([code, stdout]).toEqual([1, mentions("refused:", "octocat", "write")]);
    expect(stdout.includes("GitHub")).toBe(isUnknown);
    expect(later(train)).toEqual([]);
  });

  it("is refused to a person who reruns someone else's event", async () => {
    const train = await shownTrain();
    vi.stubEnv("GITHUB_TRIGGERING_ACTOR", "hubot");
    const { code, stdout } = await train.run("ticked", tick(train, "Hold sample 1.1.0"));

    expect([code, stdout]).toEqual([1, mentions("refused:", "octocat", "hubot")]);
    expect(later(train)).toEqual([]);
  });

  it("counts only on the dashboard, and only in its place there", async () => {
    const train = await shownTrain();
    const { number, body } = train.dashboard();
    const box = "- [x] <!-- hold regular/sample 9.9.9 -->";
    const forged = eventFile({ number, body: `${body}\n${box}` }, body);
    const elsewhere = tick(train, "Hold sample 1.1.0", { issue: { number: 77, body: "" } });
    const bots = tick(train, "Apply now", { sender: { login: "release-train[bot]", type: "Bot" } });

    expect((await train.run("ticked", forged)).stdout).toMatch(/^nothing to do: octocat .*no box.*\n$/);
    expect((await train.run("ticked", elsewhere)).stdout).toMatch(/^nothing to do: #77 .*dashboard.*\n$/);
    expect((await train.run("ticked", bots)).stdout).toMatch(/^nothing to do: release-train\[bot\] .*program\b.*\n$/);
    expect(later(train)).toEqual([]);
  });

  it("has no effect for another event, repository or dashboard", async () => {
    const train = await shownTrain();
    const event = tick(train, "Hold sample 1.1.0", { repository: { full_name: "octo/fork" } });
    const other = await dashboardTrain("{}");

    expect(await train.run("ticked", event)).toMatchObject({
      code: 1,
      stdout: mentions("refused:", "octo/fork", "octo/train"),
    });
    expect(await train.run("ticked", looseFile("event.json", "{}"))).toMatchObject({ code: 2 });
    expect(await train.run("ticked", looseFile("event.json", "{"))).toMatchObject({ code: 2 });
    expect((await other.run("ticked", eventFile({ number: 4, body: "" }, ""))).stdout).toEqual(
      mentions("nothing to do:", "#4", "dashboard"),
    );
  });
});
