import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FAST, HOTFIXES, manifestPath, manifestText, REGULAR, templateText } from "../../src/check/example.ts";
import { root } from "../house/clone.ts";
import { addProgram } from "../cli/submitting.ts";
import { openTrain, type Train } from "../cli/train.ts";
import { runJob, type WorkflowRun } from "../cli/workflowJob.ts";
import { mentions } from "../support/mentions.ts";

/** A catalogue on GitHub that pins the program. */
async function openCatalogue(files: Readonly<Record<string, string>> = {}): Promise<Train> {
  const train = await openTrain({ tokens: { ghs_workflows: { login: "github-actions[bot]", isWorkflow: true } } });
  addProgram(train.clone);
  train.clone.write(files);
  train.clone.commit("Add the program");
  train.clone.git("push", "--quiet", "origin", "main");
  return train;
}

/** An hourly run of the workflow; with inputs, a run that a person starts. */
function runPromotion(
  { clone, double }: Train,
  inputs?: Readonly<Record<string, string>>,
  branch = "main",
): Promise<WorkflowRun> {
  const given = Object.entries({ apply: "true", ...inputs }).map(([name, value]) => [`inputs.${name}`, value] as const);
  const byHand = { "github.event.repository.default_branch": "main", ...Object.fromEntries(given) };
  return runJob("promotion.yaml", "promote", {
    remote: clone.git("remote", "get-url", "origin"),
    contexts: {
      "github.event_name": inputs === undefined ? "schedule" : "workflow_dispatch",
      "github.ref": `refs/heads/${branch}`,
      "github.ref_name": branch,
      "github.token": "ghs_workflows",
      ...(inputs === undefined ? {} : byHand),
    },
    variables: { GITHUB_API_URL: double.url, GITHUB_ACTOR: "octocat", GITHUB_REPOSITORY: "octo/train", GH_TOKEN: "" },
  });
}

function writesOf({ double }: Train): readonly string[] {
  return double.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

/** A patch of the version in regular, while fast serves a newer minor version. */
const HOTFIX = {
  [FAST]: templateText("fast", "1.1.0"),
  "modules/sample/1.0.1/template.yaml": templateText("fast", "1.0.1")
    .replace("name: sample-fast", "name: sample-1.0.1")
    .replace("  channel: fast\n", ""),
  [manifestPath("1.0.1")]: manifestText("1.0.1"),
};
const INCIDENT = { "hot-fix": "sample@1.0.1", incident: "https://example.com/incidents/1" };

/** A busy machine needs time to copy the program and to start it. */

describe("the promotion workflow, by the commands of .github/workflows/promotion.yaml", () => {
  it("changes nothing in an hourly run without work, says so, and caches the merges", async () => {
    const train = await openCatalogue();
    const { passed, log, summary, home } = await runPromotion(train);
    const cached = /path: ~\/(.*)/.exec(readFileSync(join(root, ".github/workflows/promotion.yaml"), "utf8"))?.[1];

    expect(log["promote"]).toContain("nothing to do");
    expect(summary).toMatch(/^ {4}CHANNEL +MODULE[^]*^ {4}regular +sample .*nothing to do$/m);
    expect(passed).toBe(true);
    expect(writesOf(train)).toEqual([]);
    expect(readdirSync(join(home, String(cached))).length).toBe(1);
  });

  it("opens the pull request of a hot-fix in the name of the person who started the run, and starts its gate", async () => {
    const train = await openCatalogue(HOTFIX);
    const { passed, log, summary } = await runPromotion(train, INCIDENT);
    train.clone.git("fetch", "--quiet", "origin");
    const [pull] = train.double.pulls();

    expect(log["promote"]).toEqual(mentions("gate", "was started"));
    expect(passed).toBe(true);
    expect(summary).toMatch(/^ {4}.*opened .*sample 1\.0\.1/m);
    expect(train.promotions()).toEqual(["1 open Hot-fix sample 1.0.1 to regular"]);
    expect(train.clone.git("show", `origin/${String(pull?.head)}:${REGULAR}`)).toContain("version: 1.0.1");
    expect(train.clone.git("show", `origin/${String(pull?.head)}:${HOTFIXES}`)).toContain("by: octocat");
    expect(train.double.dispatches[0]).toMatchObject({
      workflow: "submission.yaml",
      ref: pull?.head,
      inputs: { "pull-request": "1" },
    });
  });

  it("only prints what it would do without apply", async () => {
    const train = await openCatalogue(HOTFIX);
    const { passed, summary } = await runPromotion(train, { ...INCIDENT, apply: "false" });

    expect(summary).toContain("hot-fix");
    expect(passed).toBe(true);
    expect(writesOf(train)).toEqual([]);
  });

  it("passes inputs literally, and fails for invalid ones", async () => {
    const train = await openCatalogue(HOTFIX);
    const saying = async (inputs: Readonly<Record<string, string>>): Promise<unknown> => {
      const { passed, log } = await runPromotion(train, inputs);
      return passed || log["promote"];
    };

    expect(await saying({ module: "$(touch hacked)" })).toContain("about $(touch hacked)");
    expect(await saying({ module: "--direct" })).toContain("about --direct");
    expect(await saying({ "hot-fix": "sample@1.0.1" })).toContain("A hot-fix needs");
    expect(writesOf(train)).toEqual([]);
  });

  it("does nothing on a branch other than the default one", async () => {
    const train = await openCatalogue();
    const { log } = await runPromotion(train, {}, "mine");

    expect(log).toEqual({});
  });
});
