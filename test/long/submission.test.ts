import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { TEAMS_PATH } from "../../src/catalogue/codeowners.ts";
import { BUMP, edit, FAST, HOTFIXES, manifestPath, manifestText } from "../../src/check/example.ts";
import { forgetIdentity, kymaIn } from "../cli/promoting.ts";
import {
  approvalOf,
  BAD,
  catalogue,
  commitOn,
  dispatch,
  goodBump,
  judge,
  queue,
  removeCatalogue,
  report,
  sample,
  type Submission,
} from "../cli/submitting.ts";
import { bare } from "../cli/verifying.ts";

afterAll(removeCatalogue);

beforeEach(forgetIdentity);

/** The base of a hot-fix, where it is known who is in the teams, and the branch that the program made of it. */
async function proposeHotfix(): Promise<Pick<Submission, "base" | "head">> {
  const base = commitOn("main", {
    [TEAMS_PATH]: '"@sample/release-managers": [boss]\n',
    "modules/sample/1.0.1/template.yaml": bare("1.0.1"),
    [manifestPath("1.0.1")]: manifestText("1.0.1"),
  });
  const { path, git } = catalogue();
  const asked = ["--hotfix", "sample@1.0.1", "--incident", "https://example.com/7", "--by", "octocat"];
  expect(await kymaIn(path, ["promote", ...asked, "--apply"])).toMatchObject({ code: 0, stderr: "" });
  return { base, head: git("rev-parse", "promote/regular/sample") };
}

describe("the submission workflow, by the commands of .github/workflows/submission.yaml", () => {
  it("requires the approval of a release manager for a hot-fix", async () => {
    const { base, head } = await proposeHotfix();
    const pull = { base, head, author: "github-actions[bot]" };
    const early = await dispatch({ ...pull, reviews: approvalOf(base, "boss") }, head);
    const reviewed = { "github.event_name": "pull_request_review", "github.event.action": "submitted" };
    const late = await judge({ ...pull, reviews: approvalOf(head, "boss") }, reviewed);

    expect(early.passed).toBe(false);
    expect(early.log["check"]).toContain("title=ownership-author::");
    expect(early.log["check"]).toMatch(
      new RegExp(`::error file=${HOTFIXES},.*title=hotfix-approval::.*@sample/release-managers`),
    );
    expect(early.log["check"]).not.toContain("channel-unproven");
    expect([late.passed, late.log["check"]]).toEqual([true, expect.not.stringContaining("::error")]);
  });
});

describe("the submission workflow, started for a pull request that a workflow opened", () => {
  it("reports as a status of the head, because protection does not see the check of such a run", async () => {
    const pull = goodBump();
    const good = await dispatch(pull, pull.head);
    const head = commitOn(pull.base, BAD);
    const bad = await dispatch({ ...pull, head }, head);
    const said = (state: string, commit: string): readonly string[] => [
      ...["api", `repos/org/catalogue/statuses/${commit}`, "-f", `state=${state}`, "-f", "context=check"],
      ...["-f", "target_url=https://github.example.com/org/catalogue/actions/runs/5"],
    ];

    expect(await report(good)).toEqual(said("success", pull.head));
    expect(await report(bad)).toEqual(said("failure", head));
    // What was started on another commit, or by an event of the pull request, says nothing of it.
    expect(await report(await dispatch(pull, pull.base))).toEqual([]);
    expect(await report(await judge(pull), "pull_request")).toEqual([]);
  });
});

describe("the submission workflow, for a merge queue", () => {
  it("checks it on the queue's base, for the author and the approvals of the pull request", async () => {
    const pull = goodBump();
    const other = commitOn(pull.base, { "docs/other.md": "merged before it\n" });
    const group = { base: other, head: commitOn(other, BUMP) };
    const taken = commitOn(pull.base, { [FAST]: edit(sample(FAST), "version: 1.2.0", "version: 1.3.0") });

    expect(await queue(pull, group)).toMatchObject({ passed: true });
    const late = await queue(pull, { base: taken, head: commitOn(taken, BUMP) });
    expect(late.passed).toBe(false);
    expect(late.log["check"]).toContain("::error");
  });
});
