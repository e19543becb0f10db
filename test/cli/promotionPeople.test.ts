import { beforeEach, describe, expect, it } from "vitest";
import { templateText } from "../../src/check/example.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { forgetIdentity } from "./promoting.ts";
import { readyTrain, type ReadyTrain } from "./readyTrain.ts";
import { looseFile } from "./train.ts";

const BRANCH = "promote/regular/sample";
const HOLD = "hold/every-channel/sample-1.1.0";
const PENDING = { settings: { checks: "pending" } } as const;

beforeEach(forgetIdentity);

/** What a command prints, which has to end with 0. */
async function said({ kyma }: ReadyTrain, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await kyma("ghp_persons", ...args);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

function asks(site: ReadyTrain, kind: "hold" | "unhold", reason = "leaks"): Promise<string> {
  return said(site, kind, "sample@1.1.0", "--reason", reason, "--by", "boss");
}

/** Merges the newest pull request. */
function merge({ train }: ReadyTrain): void {
  train.mergePull(train.double.pulls().at(-1)?.number ?? 0);
}

describe("a repeated request", () => {
  it("is already proposed: a second hold changes nothing, unless it differs", async () => {
    const site = await readyTrain();
    const { double } = site.train;
    expect(await asks(site, "hold")).toContain("\nproposed: ");
    const tip = double.refs().get(`refs/heads/${HOLD}`);
    expect(await asks(site, "hold")).toContain("\nproposed already: ");
    expect(double.refs().get(`refs/heads/${HOLD}`)).toBe(tip);

    expect(await asks(site, "hold", "panics")).toMatch(/\nproposed again\b.*\/pull\/2\n/);
    expect(double.pulls().filter(({ head }) => head === HOLD).length).toBe(1);
  });

  long("is proposed even if an old branch remains", async () => {
    const site = await readyTrain();
    for (const kind of ["hold", "unhold", "hold", "unhold"] as const) {
      expect(await asks(site, kind)).toContain("\nproposed: ");
      merge(site);
    }

    expect(site.train.double.pulls().map(({ mergedAtMs }) => mergedAtMs !== undefined)).toEqual(
      Array.from({ length: 5 }, () => true),
    );
  });

  it("is proposed again after a person closed it, or if its pull request was never opened", async () => {
    const site = await readyTrain();
    const { double } = site.train;
    double.fault({ on: "POST /repos/octo/train/pulls", trouble: { kind: "refused", status: 403 } });
    const refused = await site.kyma("ghp_persons", "hold", "sample@1.1.0", "--reason", "leaks", "--by", "boss");
    expect(refused.code).toBe(3);
    expect(await asks(site, "hold")).toContain("\nproposed: ");
    double.shut(2);

    expect(await asks(site, "hold", "leaks, really")).toContain("\nproposed: ");
    expect(double.pulls().at(-1)).toMatchObject({ number: 2, head: HOLD, state: "open" });
  });

  it("is merged once its checks are green: a repeated hot-fix is unchanged", async () => {
    const site = await readyTrain(PENDING);
    const { double } = site.train;
    const template = looseFile("template.yaml", templateText("regular", "1.0.1").replace("  channel: regular\n", ""));
    const named = ["--incident", "https://example.com/7", "--template", template, "--by", "boss"];
    const fix = (): Promise<string> => said(site, "promote", "--hotfix", "sample@1.0.1", ...named, "--apply");
    expect(await fix()).toMatch(/opened +regular\/sample 1\.0\.1/);
    const tip = double.refs().get(`refs/heads/${BRANCH}`);
    expect(await fix()).toMatch(/unchanged +regular\/sample 1\.0\.1/);
    double.setCheck(BRANCH, "check", "green");
    expect(await said(site, "promote", "--apply")).toMatch(/left +regular\/sample 1\.1\.0 .*hot-fix.*promote --hotfix/);

    expect(double.refs().get(`refs/heads/${BRANCH}`)).toBe(tip);
    expect(await fix()).toMatch(/merged +regular\/sample 1\.0\.1[^]*\nnext: git pull --rebase\n$/);
  });
});

describe("a closed pull request", () => {
  it("stays closed, and continues when a person reopens it", async () => {
    const site = await readyTrain(PENDING);
    const { double } = site.train;
    await said(site, "promote", "--apply");
    double.setCheck(BRANCH, "check", "green");
    double.shut(2);
    const left = /left +regular\/sample 1\.1\.0 .*\/pull\/2: .*\bclosed\b.*\breopen\b/;
    expect(await said(site, "promote", "--apply")).toMatch(left);
    expect(await said(site, "promote", "--apply")).toMatch(left);
    expect(site.train.promotions()).toEqual(["2 closed Promote sample 1.1.0 to regular"]);

    double.reopen(2);
    expect(await said(site, "promote", "--apply")).toMatch(/merged +regular\/sample 1\.1\.0/);
  });
});

describe("a clone that is behind", () => {
  it("is refused, and opens, closes and holds nothing", async () => {
    const site = await readyTrain();
    const { double, clone, bare } = site.train;
    await said(site, "promote", "--apply");
    const [before = "", tip = ""] = ["HEAD~1", "HEAD"].map((one) => clone.git("rev-parse", "--short=10", one));
    clone.git("reset", "--quiet", "--hard", before);

    for (const args of [
      ["promote", "--apply"],
      ["hold", "sample@1.1.0", "--reason", "leaks", "--by", "boss"],
    ])
      expect(await site.kyma("ghp_persons", ...args)).toMatchObject({
        code: 3,
        stderr: mentions("error:", "base branch", tip, before, "git pull"),
      });
    expect(site.train.promotions()).toEqual(["2 open Promote sample 1.1.0 to regular"]);
    expect(bare.git("branch", "--list", "hold/*")).toBe("");
    expect(double.refs().has(`refs/heads/${BRANCH}`)).toBe(true);
  });
});

describe("a forge that fails in the middle", () => {
  it("is reported after a hold was proposed, which stays", async () => {
    const site = await readyTrain();
    await said(site, "promote", "--apply");
    const on = "PATCH /repos/octo/train/pulls/2";
    site.train.double.fault({ on, times: 9, trouble: { kind: "refused", status: 403 } });
    const held = await site.kyma("ghp_persons", "hold", "sample@1.1.0", "--reason", "leaks", "--by", "boss");

    expect([held.code, held.stdout]).toEqual([3, expect.stringContaining("\nproposed: ")]);
    expect(held.stderr).toMatch(/^error: Closing .*#2: .*pull-requests: write\b/);
    expect(site.train.double.pulls().at(-1)).toMatchObject({ head: HOLD, state: "open" });
  });

  it("is reported after the decisions and the earlier outcomes", async () => {
    const site = await readyTrain(PENDING);
    await said(site, "promote", "--apply");
    site.train.double.fault({ on: "POST /graphql", times: 9, trouble: { kind: "refused", status: 403 } });
    const { code, stdout, stderr } = await site.kyma("ghp_persons", "promote", "--apply");

    expect([code, stdout]).toEqual([3, expect.stringMatching(/1\.1\.0 +minor +promote now/)]);
    expect(stderr).toMatch(/^error: Reading .*#2: .*\btoken\b.*checks: read\b.*fine-grained .*\n$/);
  });
});
