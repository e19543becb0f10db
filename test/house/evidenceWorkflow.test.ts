import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly name?: string;
  readonly permissions?: object;
  readonly strategy?: object;
  readonly steps: readonly {
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
    readonly if?: string;
    readonly run?: string;
    readonly env?: object;
  }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, object | null>>;
  readonly concurrency: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(import.meta.dirname, "../../.github/workflows");
const read = (file: string): Workflow => parse(readFileSync(join(folder, file), "utf8")) as Workflow;
const commandsOf = ({ steps }: Job): readonly string[] => steps.flatMap(({ run }) => run ?? []);

describe("the evidence workflow", () => {
  const { on, concurrency, jobs } = read("evidence.yaml");
  const { missing, start, smoke, publish } = jobs as Readonly<Record<"missing" | "start" | "smoke" | "publish", Job>>;

  it("runs after a merge, by and by, and by hand, one of a module at a time to its end", () => {
    expect(Object.keys(on)).toEqual(["push", "schedule", "workflow_dispatch"]);
    expect(concurrency).toEqual({
      group: "${{ github.workflow }}-${{ inputs.module }}-${{ inputs.again }}",
      "cancel-in-progress": false,
    });
  });

  it("runs modules where nothing may be written, and writes where nothing of a module runs", () => {
    expect([missing, start, smoke, publish].map(({ permissions }) => permissions)).toEqual([
      ...[undefined, { actions: "write" }, undefined, { contents: "write" }],
    ]);
    // What runs no module code needs no code of the repository either.
    expect(start.steps.map(({ uses }) => uses)).toEqual([undefined]);
    expect(commandsOf(smoke).join("\n")).toContain("kyma-modules smoke");
    expect(commandsOf(publish).join("\n")).not.toContain("smoke --");
    expect(JSON.stringify([missing, smoke])).not.toContain("github.token");
  });

  it("tests one module a run, since any job of a run can replace its artifacts", () => {
    expect([start.if, smoke.if]).toEqual(
      ["==", "!="].map((is) => `inputs.module ${is} '' && needs.missing.outputs.modules != '[]'`),
    );
    expect([smoke.strategy, publish.strategy]).toEqual([undefined, undefined]);
    for (const { steps } of [smoke, publish])
      expect(steps.flatMap(({ env }) => env ?? [])).toContainEqual(
        expect.objectContaining({ MODULE: "${{ inputs.module }}" }),
      );
    const published = commandsOf(publish)
      .join("\n")
      .match(/evidence publish.*/g);
    expect(published).toEqual(['evidence publish --module "$MODULE" "$RUNNER_TEMP/evidence/evidence.json"']);
  });

  it("publishes as the App where there is one, and asks for it only there", () => {
    const asked = publish.steps.find(({ uses }) => uses?.startsWith("actions/create-github-app-token@") === true);
    expect(asked).toMatchObject({ if: "env.APP_ID != ''", with: { "permission-contents": "write" } });
    expect(publish.steps.at(-1)?.env).toMatchObject({ TOKEN: "${{ steps.app.outputs.token || github.token }}" });
    expect(JSON.stringify([missing, smoke])).not.toContain("secrets.");
  });

  it("publishes what failed as well", () => {
    expect(publish.needs).toEqual(["missing", "smoke"]);
    expect(publish.if).toContain("!cancelled()");
  });
});

describe("a job that may write or has secrets", () => {
  it("restores no cache, since jobs that run code of modules share the caches of the default branch", () => {
    const risky = readdirSync(folder).flatMap((file) =>
      Object.entries(read(file).jobs).filter(([, job]) => /: ?"write|secrets\./.test(JSON.stringify(job))),
    );
    const cached = risky.filter(([, job]) =>
      job.steps.some(
        ({ uses = "", with: inputs }) =>
          uses.startsWith("actions/cache") ||
          (uses.startsWith("actions/setup-node@") && inputs?.["package-manager-cache"] !== false),
      ),
    );

    expect([risky.length > 5, cached.map(([name]) => name)]).toEqual([true, []]);
  });
});

describe("the smoke test of a submission", () => {
  const { jobs } = read("submission.yaml");
  const { paths, path, smoke } = jobs as Readonly<Record<"paths" | "path" | "smoke", Job>>;

  it("has a name of its own where it is skipped, which is a pass to GitHub", () => {
    expect(smoke.if).toBe("${{ !cancelled() && needs.paths.result != 'skipped' }}");
    expect(smoke.name).toBe(`\${{ ${String(paths.if)} && 'smoke' || 'no smoke test of this' }}`);
  });

  it("may only read, has no token, and publishes nothing", () => {
    expect([paths.permissions, path.permissions, smoke.permissions]).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify([paths, path, smoke])).not.toMatch(/token|secrets|artifact|evidence publish/);
  });
});
