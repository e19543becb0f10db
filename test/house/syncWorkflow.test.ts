import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly concurrency?: object;
  readonly strategy?: object;
  readonly permissions?: object;
  readonly steps: readonly {
    readonly uses?: string;
    readonly with?: object;
    readonly env?: object;
    readonly run?: string;
  }[];
}

const { on, jobs } = parse(readFileSync(join(import.meta.dirname, "../../.github/workflows/sync.yaml"), "utf8")) as {
  readonly on: Readonly<Record<string, object | null>>;
  readonly jobs: Readonly<Record<string, Job>>;
};

describe("the sync workflow", () => {
  it("plans pull requests, and syncs after a merge, by and by, and by hand", () => {
    expect(Object.keys(on)).toEqual(["pull_request_target", "push", "schedule", "workflow_dispatch"]);
    expect(on["push"]).toEqual({ branches: ["main"] });
  });

  it("takes of a pull request nothing that says where a plan goes", () => {
    expect(on["pull_request_target"]).toMatchObject({ paths: ["channels/**", "modules/**"] });
  });

  it("syncs each landscape in its environment, one run at a time, which nothing ends", () => {
    expect(jobs["sync"]).toMatchObject({
      environment: "${{ matrix.landscape }}",
      concurrency: { group: "${{ github.workflow }}-${{ matrix.landscape }}", "cancel-in-progress": false },
      strategy: { "fail-fast": false, matrix: { landscape: "${{ fromJSON(needs.due.outputs.landscapes) }}" } },
    });
  });

  it("reads the whole history, and checks out the base and nothing of the head", () => {
    const checkouts = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@")),
    );
    const branch = "${{ github.ref }}";
    const refs = ["${{ github.event.pull_request.base.ref }}", branch, branch, branch];

    expect(checkouts.map((step) => step.with)).toEqual(
      refs.map((ref) => ({ ref, "fetch-depth": 0, "persist-credentials": false })),
    );
  });

  it("runs no package that a pull request may have left in a cache where it holds a pull request's files", () => {
    const [node] = jobs["plan"]?.steps.filter(({ uses = "" }) => uses.startsWith("actions/setup-node@")) ?? [];

    expect(node?.with).toEqual({ "node-version": 24, "package-manager-cache": false });
  });

  it("publishes what clusters run of the default branch alone, and takes nothing from a cache for that", () => {
    const { if: condition, permissions, concurrency, steps = [] } = jobs["observe"] ?? {};
    const node = steps.find(({ uses = "" }) => uses.startsWith("actions/setup-node@"));

    expect(condition).toBe(jobs["due"]?.if);
    expect(permissions).toEqual({ contents: "write" });
    expect(concurrency).toMatchObject({ "cancel-in-progress": false });
    expect(node?.with).toEqual({ "node-version": 24, "package-manager-cache": false });
    expect(steps.at(-1)?.run).toContain("npx kyma-modules observe --publish");
  });

  it("writes comments where there is neither a file nor a secret", () => {
    const { permissions, steps = [] } = jobs["comment"] ?? {};

    expect(permissions).toEqual({ "pull-requests": "write" });
    expect(steps.flatMap(({ uses }) => uses ?? [])).toEqual([]);
    expect(JSON.stringify(steps)).not.toContain("secrets.");
  });
});
