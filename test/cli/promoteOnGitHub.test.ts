import { beforeEach, describe, expect, it } from "vitest";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { start } from "./program.ts";
import { forgetIdentity, POLICY } from "./promoting.ts";
import { itemsOf } from "./promotionDocuments.ts";
import { readyTrain } from "./readyTrain.ts";

const BRANCH = "promote/regular/sample";

beforeEach(forgetIdentity);

describe("promotion when GitHub refuses it", () => {
  it("decides without a token, warns once, and writes nothing", async () => {
    const { train, kyma } = await readyTrain();
    const { code, stdout, stderr } = await kyma("", "promote");

    expect([code, stdout]).toEqual([0, expect.stringContaining("promote now")]);
    expect(stderr).toMatch(/^warning: GitHub .*GITHUB_TOKEN, GH_TOKEN, KYMA_MODULES_APP_ID .*\bmerge times\b.*\n$/);
    const refusal = mentions("error:", "credentials", "GITHUB_TOKEN", "GH_TOKEN", "contents: write");
    for (const args of [
      ["promote", "--apply"],
      ["hold", "sample@1.1.0", "--reason", "leaks"],
    ])
      expect(await kyma("", ...args)).toEqual({ code: 3, stdout: "", stderr: refusal });
    expect(await kyma("", "promote", "--apply", "--offline")).toMatchObject({
      code: 2,
      stderr: mentions("error:", "forge", "--offline"),
    });
    expect(train.double.requests).toEqual([]);
  });

  it("says that a token may have expired", async () => {
    const { kyma } = await readyTrain();

    expect(await kyma("ghp_expired", "promote")).toEqual({
      code: 3,
      stdout: "",
      stderr: mentions("error:", "token", "expired", "GITHUB_TOKEN", "GH_TOKEN"),
    });
  });

  it("says that a branch is protected, and proposes once it is not", async () => {
    const { train, kyma } = await readyTrain();
    train.double.protect("promote/*", { writes: "none" });
    const refused = await kyma("ghp_persons", "promote", "--apply", "--format", "json");
    expect(refused.code).toBe(1);
    expect(itemsOf("Promotion", refused.stdout)).toMatchObject([
      {
        kind: "promote",
        outcome: { kind: "failed", why: expect.stringContaining(`protects the branch ${BRANCH}`) as string },
      },
    ]);
    expect(train.double.pulls().filter(({ head }) => head === BRANCH)).toEqual([]);

    train.double.protect("promote/*", undefined);
    const opened = await kyma("ghp_persons", "promote", "--apply", "--format", "json");
    expect(itemsOf("Promotion", opened.stdout)).toMatchObject([
      { outcome: { kind: "opened", branch: BRANCH, pullRequest: expect.stringMatching(/\/pull\/2$/) as string } },
    ]);
    const held = await kyma("ghp_persons", "hold", "sample@1.1.0", "--reason", "leaks", "--format", "json");
    expect(itemsOf("Intervention", held.stdout)).toMatchObject([
      { outcome: "proposed", pullRequest: expect.stringMatching(/\/pull\/3$/) as string, closed: [BRANCH] },
    ]);
  });

  it("names postponed work when the rest of the rate limit is reserved for hot-fixes", async () => {
    const { train, kyma } = await readyTrain();
    train.merge({ "channels/late.yaml": POLICY }, 8);
    train.double.settings.remaining = 490;
    const { code, stdout, stderr } = await kyma("ghp_persons", "promote", "--apply");

    expect([code, stdout]).toEqual([3, expect.stringContaining("2 to promote")]);
    expect(stderr).toMatch(
      /^error: Proposing promote\/late\/sample: .* reserved for hot-fixes; .* Not tried: promote\/regular\/sample\.\n$/,
    );
  });

  it("refuses the options for repositories without a forge", async () => {
    const { kyma } = await readyTrain();

    expect(await kyma("ghp_persons", "promote", "--apply", "--direct")).toMatchObject({
      code: 2,
      stderr: mentions("error:", "--direct", "forge", "GitHub"),
    });
  });

  it("proposes to the base branch from any checked-out branch, and decides only on the base", async () => {
    const { train, kyma } = await readyTrain();
    train.clone.git("switch", "--quiet", "--detach");
    expect((await kyma("ghp_persons", "promote", "--apply")).stdout).toMatch(/opened +regular\/sample 1\.1\.0/);
    expect(train.double.pulls().at(-1)).toMatchObject({ head: BRANCH, base: "main" });
    train.clone.git("switch", "--quiet", "--create", "feature");
    train.clone.write({ "README.md": "Mine\n" });
    train.clone.commit("Mine");
    const [base = "", mine = ""] = ["main", "HEAD"].map((one) => train.clone.git("rev-parse", "--short=10", one));

    expect((await kyma("ghp_persons", "promote")).stderr).toEqual(
      mentions("warning:", "base branch", base, mine, "git pull"),
    );
    expect(await kyma("ghp_persons", "promote", "--apply")).toMatchObject({
      code: 3,
      stderr: mentions("error:", "base branch", base, mine, "git pull"),
    });
  });
});

describe("Ctrl-C in the middle of --apply", () => {
  long("exits with 130 at once, and the next run ends like an undisturbed one", async () => {
    const { train } = await readyTrain();
    const { double, clone } = train;
    double.fault({ on: "POST /repos/octo/train/pulls", trouble: { kind: "hang" } });
    const isAsked = new Promise<void>((resolve) => {
      double.onRequest((_, phase, description) => {
        if (phase === "before" && /POST .*\/pulls/.test(description)) resolve();
        return undefined;
      });
    });
    const program = start(["promote", "--apply", "--repo", clone.path], { GITHUB_TOKEN: "ghp_persons" });
    await isAsked;
    program.signal("SIGINT");

    const stderr = expect.stringMatching(/^interrupted\b.*\n$/) as string;
    expect(await program.ended).toEqual({ code: 130, stdout: "", stderr });
    expect(train.promotions()).toEqual([]);
    expect(clone.git("status", "--porcelain")).toBe("");
    expect(await train.promote("--apply")).toMatch(/opened +regular\/sample 1\.1\.0/);
    expect(train.promotions()).toEqual(["2 open Promote sample 1.1.0 to regular"]);
  });
});
