import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "./clone.ts";
import { isDue } from "../cli/workflowExpression.ts";

const folder = join(import.meta.dirname, "../../.github/workflows");

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly concurrency?: Concurrency;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Concurrency {
  readonly group: string;
  readonly "cancel-in-progress": boolean | string;
}

interface Job {
  readonly if?: string;
  readonly name?: string;
  readonly concurrency?: Concurrency;
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

const PROMOTION = "promotion.yaml";
const DASHBOARD = "dashboard.yaml";
const SYNC = "sync.yaml";
const APP = ["APP_ID", "APP_PRIVATE_KEY"];
/** The secrets that each uses, without what they all begin with. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  [PROMOTION]: [...APP, "WEBHOOK"],
  [DASHBOARD]: [...APP, "WEBHOOK"],
  [SYNC]: ["PLAN_KUBECONFIG", "PLAN_KUBECONFIG", "KUBECONFIG", ...APP, "PLAN_KUBECONFIG"],
  "evidence.yaml": APP,
  "pages.yaml": ["PLAN_KUBECONFIG"],
};
/** The names of the jobs that write. */
const WRITERS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  [PROMOTION]: [undefined],
  [DASHBOARD]: [undefined],
  "submission.yaml": ["report"],
  [SYNC]: ["comment", "observe"],
  "evidence.yaml": ["start", "publish"],
  ...{ "pages.yaml": ["deploy"], "image.yaml": ["publish"] },
};

describe.each(readdirSync(folder))("the workflow %s", (file) => {
  const text = readFileSync(join(folder, file), "utf8");
  const workflow = parse(text) as Workflow;

  it("pins every action by its commit, and says which version that is", () => {
    const uses = text.split("\n").filter((line) => /^\s*(- )?uses:/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may only read the repository, unless it promotes, and ends in time", () => {
    expect(workflow.permissions["contents"]).toBe("read");
    for (const right of Object.values(workflow.permissions)) expect(right).toBe("read");
    for (const job of Object.values(workflow.jobs)) {
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
    }
    const writers = Object.values(workflow.jobs).filter(({ permissions }) => permissions !== undefined);
    expect(writers.map(({ name }) => name)).toEqual(WRITERS[file] ?? []);
  });
});

describe.each(readdirSync(folder))("the steps of the workflow %s", (file) => {
  const { jobs } = parse(readFileSync(join(folder, file), "utf8")) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it("put nothing into a command but variables: what others write is never run", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });

  it("keep no token in a clone", () => {
    const checkouts = steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));

    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ "persist-credentials": false });
  });

  it("use no secrets but those that they need", () => {
    const secrets = readFileSync(join(folder, file), "utf8").match(/\bsecrets\.\w+/g) ?? [];

    expect(secrets).toEqual((SECRETS[file] ?? []).map((name) => `secrets.KYMA_MODULES_${name}`));
  });
});

describe("the package", () => {
  it("has every workflow that a repository of its own gets", () => {
    const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: readonly string[] };
    const shipped = files.flatMap((path) => /^\.github\/workflows\/(.+)$/.exec(path)?.[1] ?? []);

    expect(shipped).toEqual(readdirSync(folder).filter((file) => !/^(ci|image|nightly)\.yaml$/.test(file)));
  });
});

describe("the submission gate", () => {
  const text = readFileSync(join(folder, "submission.yaml"), "utf8");
  const { on, concurrency, permissions, jobs } = parse(text) as Workflow;
  const job = jobs["check"];
  const isDueFor = (action: string, more: Readonly<Record<string, string>> = {}): boolean =>
    isDue(job?.if, true, { "github.event.action": action, ...more });

  it("judges each new state of a pull request and each review, in turn", () => {
    expect(Object.keys(on)).toEqual(["pull_request", "pull_request_review", "merge_group", "workflow_dispatch"]);
    expect(
      ["opened", "synchronize", "reopened", "submitted", "dismissed", ""].map((action) => isDueFor(action)),
    ).toEqual(Array.from({ length: 6 }, () => true));
    expect(job?.concurrency?.group).toContain("github.event.pull_request.number || inputs.pull-request");
  });

  it("ends what runs only for a new head: what is cancelled looks like a refusal of its commit", () => {
    expect(job?.concurrency?.["cancel-in-progress"]).toBe("${{ github.event.action == 'synchronize' }}");
    // It would count what is skipped as well, and that would take the place of a review that waits.
    expect(concurrency).toBeUndefined();
  });

  it("begins for an edited pull request where its base is another, and passes none by skipping the check", () => {
    expect([isDueFor("edited"), isDueFor("edited", { "github.event.changes.base": "Object" })]).toEqual([false, true]);
    expect(job?.name).toBe(`\${{ (${String(job?.if)}) && 'check' || 'no check of an edited text' }}`);
  });

  it("runs no package that a pull request may have left in a cache", () => {
    const [node] = job?.steps.filter(({ uses = "" }) => uses.startsWith("actions/setup-node@")) ?? [];

    expect(node?.with).toEqual({ "node-version": 24, "package-manager-cache": false });
  });

  it("may read reviews, and nothing more", () => {
    expect(permissions).toEqual({ contents: "read", "pull-requests": "read" });
  });

  it("says its result with a right of its own where nothing of the head is", () => {
    const { permissions: rights, steps = [] } = jobs["report"] ?? {};

    expect(rights).toEqual({ statuses: "write" });
    expect(steps.flatMap(({ uses }) => uses ?? [])).toEqual([]);
  });

  it("runs no program of the head", () => {
    const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

    for (const command of commands) expect(command).not.toMatch(/\bhead\/|cd head/);
  });
});

describe.each([
  [PROMOTION, "npx kyma-modules promote"],
  [DASHBOARD, 'npx kyma-modules ticked "$GITHUB_EVENT_PATH"'],
])("what promotes in %s", (file, command) => {
  const text = readFileSync(join(folder, file), "utf8");
  const { jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it("may do what it does, and says why of each right", () => {
    const rights = { contents: "write", issues: "write", "pull-requests": "write", actions: "write" };

    expect(Object.values(jobs).map(({ permissions }) => permissions)).toEqual([
      { ...rights, checks: "read", statuses: "read" },
    ]);
    for (const line of text.split("\n").filter((one) => /^ {6}\S+: (write|read)/.test(one)))
      expect(line).toMatch(/ # \w/);
  });

  it("gives its token to the one command that needs it", () => {
    const holders = steps.filter(({ env = {} }) => Object.values(env).some((value) => /token|secrets/.test(value)));

    expect(holders.map(({ run = "" }) => run.includes(command))).toEqual([true]);
  });

  it("reads the whole history of the branch as it is now", () => {
    const [checkout] = steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));

    expect(checkout?.with).toMatchObject({ "fetch-depth": 0, ref: "${{ github.ref }}" });
  });
});

describe("the dashboard's workflow", () => {
  const { on, jobs } = parse(readFileSync(join(folder, DASHBOARD), "utf8")) as Workflow;

  it("is started by an edit, and begins for one of the dashboard's text by a person", () => {
    const labels = "contains(github.event.issue.labels.*.name, 'promotion-dashboard')";

    expect(on).toEqual({ issues: { types: ["edited"] } });
    expect(jobs["ticked"]?.if).toBe(`github.event.changes.body && github.event.sender.type == 'User' && ${labels}`);
  });
});

describe("promotion", () => {
  const text = readFileSync(join(folder, PROMOTION), "utf8");
  const { on, concurrency } = parse(text) as Workflow;

  it("runs every working hour, and by hand", () => {
    expect(on["schedule"]).toEqual([{ cron: expect.stringMatching(/^\d+ [\d-]+ \* \* 1-5$/) as string }]);
    expect(Object.keys((on["workflow_dispatch"] as { readonly inputs: object }).inputs)).toEqual([
      ...["module", "channel", "apply", "hot-fix", "incident", "also-fixed-in"],
    ]);
  });

  it("runs one at a time to its end, where no hourly run takes the place of a hot-fix that waits", () => {
    expect(concurrency).toEqual({
      group: "${{ github.workflow }}-${{ inputs.hot-fix }}",
      "cancel-in-progress": false,
    });
  });
});

describe("actionlint", () => {
  it("finds nothing wrong with the workflows", ({ skip }) => {
    const { error, status, stdout } = spawnSync("actionlint", ["-no-color", "-shellcheck="], {
      cwd: join(folder, "../.."),
      encoding: "utf8",
    });
    if (error !== undefined) skip("no actionlint on the PATH");

    expect([status, stdout]).toEqual([0, ""]);
  });
});

describe("the build machines", () => {
  const steps = (file: string): readonly (string | undefined)[] =>
    Object.values((parse(readFileSync(join(folder, file), "utf8")) as Workflow).jobs)
      .flatMap((job) => job.steps)
      .flatMap((step) => (step.run === undefined ? [] : [step.run]));

  it("run what a person runs", () => {
    expect(steps("ci.yaml")).toEqual([".ci/run", ".ci/run run test:long -- --tagged", "node .ci/validator.js --check"]);
    expect(steps("nightly.yaml")).toEqual([
      ".ci/run run test:long",
      "npm run test:faults",
      "docker build --file .github/Dockerfile --tag kyma-modules .",
      "docker run --rm --read-only --tmpfs /tmp --cap-drop ALL kyma-modules --version",
    ]);
  });
});
