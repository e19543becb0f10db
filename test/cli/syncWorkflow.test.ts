import { describe, expect, it } from "vitest";
import { filesOf } from "../sync/catalogueFiles.ts";
import { openSite, runFor, type Site } from "./syncJob.ts";
import { serving } from "./syncing.ts";
import { runJob, type WorkflowRun } from "./workflowJob.ts";
import { long } from "../support/long.ts";

/** The plan of a pull request whose head is `head`. */
function planOf(site: Site, head: string, contexts: Readonly<Record<string, string>> = {}): Promise<WorkflowRun> {
  return runFor(site, "plan", {
    "github.event_name": "pull_request_target",
    "github.event.pull_request.base.ref": "main",
    "github.event.pull_request.head.sha": head,
    ...contexts,
  });
}

/** Commits files on a branch beside the base; gives the commit. */
function headOf({ repository }: Site, files: Readonly<Record<string, string>>): string {
  repository.git("checkout", "--quiet", "-b", "head");
  repository.write(files);
  const head = repository.commit();
  repository.git("checkout", "--quiet", "main");
  return head;
}

const bumped = (): Readonly<Record<string, string>> =>
  Object.fromEntries([...filesOf(serving("1.1.0"))].filter(([path]) => path.startsWith("channels/fast/")));

describe("the sync workflow, by the commands of .github/workflows/sync.yaml", () => {
  it("plans the changes of a pull request in channels and modules, with the base's program and settings", async (context) => {
    const site = await openSite(context);
    const head = headOf(site, {
      ...bumped(),
      "kyma-modules.yaml": "format: 1\nlandscapes: []\n",
      "src/cli/main.ts": "process.exit(0);\n",
      "package.json": '{ "name": "kyma-modules", "scripts": { "preinstall": "exit 1" } }\n',
    });
    const { passed, summary, outputs } = await planOf(site, head);
    const plan = Buffer.from(outputs["plan"] ?? "", "base64").toString();

    expect(passed).toBe(true);
    expect(summary).toMatch(/^ {4} {2}create +ModuleTemplate certs-1\.1\.0$/m);
    expect(plan).toContain("add       fast/certs – → 1.1.0");
  });

  long("says that there is no plan without a kubeconfig", async (context) => {
    const site = await openSite(context);
    const head = headOf(site, bumped());
    const without = { "secrets.KYMA_MODULES_PLAN_KUBECONFIG": "" };
    const [plan, due] = [await planOf(site, head, without), await runFor(site, "due", without)];

    expect([plan.passed, plan.log["plan"], Object.values(plan.outputs)]).toEqual([
      true,
      expect.stringContaining("::notice::There is no plan"),
      [""],
    ]);
    expect([due.passed, due.log["plan"], Object.values(due.outputs)]).toEqual([
      true,
      expect.stringContaining("::notice::Nothing is synced"),
      ["[]"],
    ]);
  });

  it.each([
    ["opens a comment", "", "--silent repos/octo/train/issues/7/comments"],
    ["updates the comment that is there", "42", "--silent --method PATCH repos/octo/train/issues/comments/42"],
  ])("%s with the plan, in which nothing is Markdown", async (_does, known, call) => {
    const gh = [
      "#!/bin/bash",
      `if [[ "$*" == *--paginate* ]]; then echo "${known}"; exit; fi`,
      'echo "$*"; cat "$RUNNER_TEMP/comment.md"',
    ];
    const contexts = {
      "github.token": "ghs_workflows",
      "github.event.pull_request.number": "7",
      "github.event.pull_request.head.sha": "0123456",
      "needs.plan.outputs.plan": Buffer.from("  add       fast/certs\n@team ```\n").toString("base64"),
    };
    const { passed, log } = await runJob("sync.yaml", "comment", {
      remote: "",
      contexts,
      variables: { GITHUB_REPOSITORY: "octo/train", GITHUB_SERVER_URL: "https://github.com" },
      programs: { gh: gh.join("\n") },
    });
    const said = log["keep one comment with the plan"] ?? "";

    expect(passed).toBe(true);
    expect(said).toContain(`api ${call} --field body=@`);
    expect(said).toContain("<!-- kyma-modules plan -->\n\nWhat a sync would do once 0123456 is merged:\n\n");
    expect(said).toContain("      add       fast/certs\n    @team ```\n");
  });

  long("is red if a landscape cannot be planned, and syncs the others nevertheless", async (context) => {
    const site = await openSite(context, [{ name: "lost", controlPlane: { context: "nowhere" } }]);
    const due = await runFor(site, "due", {});
    const syncOf = (found = ""): Promise<WorkflowRun> =>
      runFor(site, "sync", { "needs.due.outputs.landscapes": found, "matrix.landscape": "dev" });
    const [synced, skipped] = [await syncOf(due.outputs["landscapes"]), await syncOf()];

    expect([due.passed, due.outputs]).toEqual([false, { landscapes: '["dev"]' }]);
    expect(due.log["plan"]).toContain("::error::");
    expect([synced.passed, synced.summary]).toEqual([true, expect.stringContaining("dev: 1 added")]);
    expect(skipped.log).toEqual({});
  });

  it("fails if the environment has no kubeconfig", async (context) => {
    const { passed, log } = await runFor(await openSite(context), "sync", {
      "needs.due.outputs.landscapes": '["dev"]',
      "matrix.landscape": "dev",
      "secrets.KYMA_MODULES_KUBECONFIG": "",
    });

    expect([passed, log["sync"]]).toEqual([
      false,
      expect.stringContaining("::error::The environment dev has no secret"),
    ]);
  });
});
