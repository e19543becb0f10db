import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const folder = join(import.meta.dirname, "../../.github/workflows");

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly concurrency: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

describe.each(readdirSync(folder))("the workflow %s", (file) => {
  const text = readFileSync(join(folder, file), "utf8");
  const workflow = parse(text) as Workflow;

  it("pins every action by its commit, and says which version that is", () => {
    const uses = text.split("\n").filter((line) => line.includes("uses:"));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may only read the repository, and ends in time", () => {
    expect(workflow.permissions["contents"]).toBe("read");
    for (const right of Object.values(workflow.permissions)) expect(right).toBe("read");
    for (const job of Object.values(workflow.jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
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

  it("use no secret", () => {
    expect(readFileSync(join(folder, file), "utf8")).not.toMatch(/\bsecrets\b\./);
  });
});

describe("the submission gate", () => {
  const { on, concurrency, permissions, jobs } = parse(
    readFileSync(join(folder, "submission.yaml"), "utf8"),
  ) as Workflow;

  it("judges each new state of a pull request and each review, the newest only", () => {
    expect(Object.keys(on)).toEqual(["pull_request", "pull_request_review"]);
    expect(concurrency["cancel-in-progress"]).toBe(true);
    expect(concurrency.group).toContain("github.event.pull_request.number");
  });

  it("may read reviews, and nothing more", () => {
    expect(permissions).toEqual({ contents: "read", "pull-requests": "read" });
  });

  it("runs no program of the head", () => {
    const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

    for (const command of commands) expect(command).not.toMatch(/\bhead\/|cd head/);
  });
});

describe("the build machines", () => {
  const steps = (file: string): readonly (string | undefined)[] =>
    Object.values((parse(readFileSync(join(folder, file), "utf8")) as Workflow).jobs)
      .flatMap((job) => job.steps)
      .flatMap((step) => (step.run === undefined ? [] : [step.run]));

  it("run what a person runs", () => {
    expect(steps("ci.yaml")).toEqual([".ci/run", "node .ci/validator.js --check"]);
    expect(steps("nightly.yaml")).toEqual(["npm run test:long"]);
  });
});
