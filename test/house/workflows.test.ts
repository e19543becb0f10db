import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const folder = join(import.meta.dirname, "../../.github/workflows");

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly "timeout-minutes"?: number;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
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
    expect(workflow.permissions).toEqual({ contents: "read" });
    for (const job of Object.values(workflow.jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  });
});

describe("the build machines", () => {
  const steps = (file: string): readonly (string | undefined)[] =>
    Object.values((parse(readFileSync(join(folder, file), "utf8")) as Workflow).jobs)
      .flatMap((job) => job.steps)
      .flatMap((step) => (step.run === undefined ? [] : [step.run]));

  it("run what a person runs", () => {
    expect(steps("ci.yaml")).toEqual([".ci/run"]);
    expect(steps("nightly.yaml")).toEqual(["npm run test:long"]);
  });
});
