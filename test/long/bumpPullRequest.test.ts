import { writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import bumpSchema from "../../schemas/output/bump.schema.json" with { type: "json" };
import checkSchema from "../../schemas/output/check.schema.json" with { type: "json" };
import { FAST } from "../../src/check/example.ts";
import { BRANCH, TEMPLATE, WANTED } from "../cli/bumping.ts";
import { bumpIn, freshClone, openPipeline, pullsOf } from "../cli/bumpPipeline.ts";
import { run } from "../cli/program.ts";
import { mentions } from "../support/mentions.ts";

/** Several runs in a row, on a busy machine. */

describe("kyma-modules bump --pull-request", () => {
  it("does nothing the second time, and says so", async () => {
    const { train, bump } = await openPipeline();
    await bump();
    const before = train.double.refs().get(`refs/heads/${BRANCH}`) ?? "";
    const writes = train.double.requests.filter(({ method }) => method !== "GET").length;
    const { code, stdout } = await bump();

    expect(stdout).toContain(`unchanged: ${BRANCH} has it already (${before.slice(0, 10)})\npull request #1: `);
    expect(code).toBe(0);
    expect(train.double.requests.filter(({ method }) => method !== "GET").length).toBe(writes);
  });

  it("updates the pull request for another template, based on the current base", async () => {
    const { train, template, bump } = await openPipeline();
    await bump();
    writeFileSync(template, `${TEMPLATE}# again\n`);
    const again = await bump();
    train.merge({ [FAST]: WANTED.replaceAll("1.2.0", "1.1.5") }, 1);
    const rebuilt = await bump();
    train.clone.git("fetch", "--quiet", "origin");

    expect(again.stdout).toContain(`updated: ${BRANCH} (`);
    expect(rebuilt.stdout).toContain(`updated: ${BRANCH} (`);
    expect(pullsOf(train)).toContain(`#1 open ${BRANCH}: Bump sample to 1.2.0 in fast`);
    expect(train.clone.git("show", `origin/${BRANCH}:${FAST}`)).toMatch(/version: 1\.2\.0[^]*# again$/);
    expect(() => train.double.merge(1)).not.toThrow();
  });

  it("reopens a closed pull request", async () => {
    const { train, bump } = await openPipeline();
    await bump();
    const { number } = train.double.pulls()[0] ?? { number: 0 };
    await fetch(`${train.double.url}/repos/octo/train/pulls/${number}`, {
      method: "PATCH",
      headers: { authorization: "Bearer ghp_persons" },
      body: JSON.stringify({ state: "closed" }),
    });
    const { stdout } = await bump();

    expect(stdout).toContain(`opened: ${BRANCH} (`);
    expect(pullsOf(train)).toEqual([`#1 open ${BRANCH}: Bump sample to 1.2.0 in fast`]);
  });

  it("proposes nothing if the gate refuses it, and nothing with --dry-run", async () => {
    const { train, template, bump } = await openPipeline();
    const dry = await bump("--dry-run");
    writeFileSync(template, TEMPLATE.replace("kind: ModuleTemplate", "kind: ModuleTemplate\nunknown: true"));
    const bad = await bump();

    expect(dry.stdout).toEqual(mentions("--dry-run", BRANCH));
    expect(dry.code).toBe(0);
    expect(bad.stdout).toMatch(/ {2}4:10 +error .*\[schema\]/);
    expect(bad.stdout).toMatch(/^ *refused\b/m);
    expect(bad.code).toBe(1);
    expect(train.double.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("starts the gate if the workflow's own token opened the pull request", async () => {
    const { train, template } = await openPipeline({
      tokens: { ghs_workflows: { login: "github-actions[bot]", isWorkflow: true } },
    });
    const { code, stderr } = await bumpIn(freshClone(train), train, template, [], "ghs_workflows");

    expect(stderr).toEqual(mentions("gate", "was started"));
    expect(code).toBe(0);
    expect(train.double.dispatches).toMatchObject([
      { workflow: "submission.yaml", ref: BRANCH, inputs: { "pull-request": "1" } },
    ]);
  });

  it("names the missing credentials", async () => {
    const { train, template } = await openPipeline();
    const { code, stderr } = await bumpIn(freshClone(train), train, template, [], "");

    expect(stderr).toEqual(mentions("GitHub", "GITHUB_TOKEN", "GH_TOKEN"));
    expect(code).toBe(3);
  });

  it("judges against the base branch of the forge, and reports a clone that lacks it", async () => {
    const { train, template } = await openPipeline();
    const stale = freshClone(train);
    train.merge({ README: "later\n" }, 0);
    const { code, stderr } = await bumpIn(stale, train, template, []);
    stale.git("fetch", "--quiet");
    const fetched = await bumpIn(stale, train, template, []);

    expect(stderr).toMatch(/\bbase branch\b.* [0-9a-f]{10}\b.*\bgit fetch\b/);
    expect(code).toBe(2);
    expect(fetched.stdout).toContain(`opened: ${BRANCH}`);
  });

  it.each([
    ["another branch", ["--branch", "mine"]],
    ["another base", ["--base", "main"]],
  ])("cannot be combined with %s", async (_, args) => {
    const { code, stderr } = await run(["bump", "sample@1.2.0", "--channel", "fast", "--pull-request", ...args]);

    expect(stderr).toContain("'--pull-request' cannot be used with option");
    expect(code).toBe(2);
  });

  it("prints JSON according to its schema, whatever the result", async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema(checkSchema);
    const { template, bump } = await openPipeline();
    const seen: unknown[] = [];
    const note = async (...args: readonly string[]): Promise<void> => {
      const { stdout } = await bump("--format", "json", ...args);
      const document = JSON.parse(stdout) as { readonly items: readonly Readonly<Record<string, unknown>>[] };
      ajv.validate(bumpSchema, document);
      expect(ajv.errors).toBeNull();
      const pull = document.items[0]?.["pullRequest"] as { readonly number: number } | null;
      seen.push([document.items[0]?.["outcome"], pull?.number]);
    };
    await note("--dry-run");
    await note();
    await note();
    writeFileSync(template, `${TEMPLATE}# again\n`);
    await note();

    expect(seen).toEqual([
      ["planned", undefined],
      ["opened", 1],
      ["unchanged", 1],
      ["updated", 1],
    ]);
  });
});
