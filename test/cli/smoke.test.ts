import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import planSchema from "../../schemas/output/smoke-plan.schema.json" with { type: "json" };
import schema from "../../schemas/output/smoke.schema.json" with { type: "json" };
import { writeModule } from "../smoke/sampleModule.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { needControlPlane } from "../support/needControlPlane.ts";
import { emptyRepository, type Folder } from "../systems/repository.ts";
import { run, start, startOnTerminal } from "./program.ts";

const SHOW_CURSOR = "\u001b[?25h";
const ajv = new Ajv({ strict: false, formats: { "date-time": true } });

function site(): Folder {
  const repository = emptyRepository();
  writeModule(repository, "good", { "1.0.0": {} });
  repository.commit();
  writeModule(repository, "good", { "1.0.0": {}, "1.1.0": { objects: (good) => good.slice(1) } });
  return repository;
}

const smoke = (folder: Folder, ...args: readonly string[]): ReturnType<typeof run> =>
  run(["smoke", "--repo", folder.path, ...args], { XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] ?? "" });

describe("smoke", () => {
  long("shows the paths of a change", async () => {
    const folder = site();
    const { code, stdout } = await smoke(folder, "--plan", "--base", "HEAD", "--worktree");
    expect([code, stdout]).toEqual([0, "good 1.1.0  (fast)\ngood 1.0.0 → 1.1.0  (fast)\n"]);

    const json: unknown = JSON.parse((await smoke(folder, "--plan", "--all", "--format", "json")).stdout);
    expect(ajv.validate(planSchema, json), ajv.errorsText()).toBe(true);
    expect(json).toHaveProperty("items.0.path", "good@1.0.0");
    expect(await smoke(folder, "--plan", "--base", "HEAD", "--worktree", "--only", "good@1.0.0..1.1.0")).toMatchObject({
      ...{ code: 0, stdout: "good 1.0.0 → 1.1.0  (fast)\n" },
    });
  });

  it("names the versions of a change that cannot be tested", async () => {
    const folder = site();
    folder.commit();
    folder.write({ "modules/good/1.2.0/manifest.yaml": "a: b\n" });
    folder.commit();

    const { code, stdout } = await smoke(folder, "--plan", "--base", "HEAD~1");
    expect([code, stdout]).toEqual([0, mentions("not tested", "good 1.2.0", "template.yaml")]);
  });

  it("runs them on an embedded control plane, and writes reports", async (context) => {
    needControlPlane(context);
    const folder = site();
    const report = join(folder.path, "out");
    await smoke(folder, "--base", "HEAD", "--worktree", "--cluster", "embedded");
    // A report tells of what was run, not of what passed before.
    const args = ["--base", "HEAD", "--worktree", "--cluster", "embedded", "--report", report, "--format", "json"];
    const { code, stdout, stderr } = await smoke(folder, ...args);

    expect([code, stderr]).toEqual([0, expect.stringContaining("good 1.0.0 → 1.1.0: upgrade passed")]);
    const json = JSON.parse(stdout) as { readonly items: readonly object[] };
    expect(ajv.validate(schema, json), ajv.errorsText()).toBe(true);
    expect(json.items).toMatchObject([
      { version: "1.1.0", from: null, pods: false, result: "passed" },
      { version: "1.1.0", from: "1.0.0", pods: false, result: "passed" },
    ]);
    expect(readFileSync(join(report, "report.json"), "utf8").trim()).toBe(stdout.trim());
    expect(JSON.parse(readFileSync(join(report, "evidence.json"), "utf8"))).toMatchObject({
      evidence: [{ kind: "smoke", module: "good", version: "1.1.0", paths: [{ pods: false }, { from: "1.0.0" }] }],
    });
  });

  long("recalls nothing for a path from or to a version without a manifest", async (context) => {
    needControlPlane(context);
    const folder = emptyRepository();
    writeModule(folder, "good", { "1.0.0": { isElsewhere: true }, "1.1.0": {} });
    folder.commit();
    const args = ["good", "--cluster", "embedded", "--format", "json"];
    const expected = [
      { version: "1.0.0", from: null, result: "failed", isRemembered: false },
      { version: "1.1.0", from: null, result: "passed" },
      { version: "1.1.0", from: "1.0.0", result: "failed", isRemembered: false },
    ];
    for (const part of [["--only", "good@1.0.0..1.1.0"], []]) {
      const { code, stdout } = await smoke(folder, ...args, ...part);
      const { items } = JSON.parse(stdout) as { readonly items: readonly object[] };

      expect([code, items]).toMatchObject([1, part.length === 0 ? expected : expected.slice(2)]);
    }
  });

  it("ends at once with Ctrl-C", async (context) => {
    needControlPlane(context);
    const running = start(["smoke", "--repo", site().path, "--all", "--cluster", "embedded", "--fresh"]);
    await running.says(/install passed/);
    running.signal("SIGINT");

    expect(await running.ended).toMatchObject({ code: 130, stdout: "" });
  });

  long("shows the progress of each path on a terminal, and only the report at the end", async (context) => {
    needControlPlane(context);
    const args = ["smoke", "--repo", site().path, "--all", "--cluster", "embedded", "--fresh"];
    const { stdout } = await startOnTerminal(args, {}, context).ended;
    const [list, report = ""] = stdout.split(SHOW_CURSOR);

    expect(list).toMatch(/› install, 2 of 7[^]*good 1\.0\.0 → 1\.1\.0[^]*› served, 5 of 8/);
    expect(stripVTControlCharacters(report)).toMatch(/^good 1\.0\.0\r\n[^]*\d paths, \d passed, in .* s on embedded/);
  });

  long("restores the terminal on Ctrl-C", async (context) => {
    needControlPlane(context);
    const args = ["smoke", "--repo", site().path, "--all", "--cluster", "embedded", "--fresh"];
    const running = startOnTerminal(args, {}, context);
    await running.says(/› install, 2 of 7/);
    running.press("\u0003");
    const { code, stdout } = await running.ended;

    expect([code, stdout.split(SHOW_CURSOR)]).toEqual([
      130,
      [expect.anything(), expect.stringContaining("interrupted"), ""],
    ]);
  });

  it.each([
    [["--all", "good"], /--base REF, .*--all: .*\bone\b/],
    [[], /modules, --base REF .*--all$/m],
    [["good", "--cluster", "elsewhere"], /'elsewhere' .*kind, embedded, .*context:NAME/],
    [["good", "--cluster", "embedded", "--kubernetes", "1.34"], /--kubernetes .*--cluster kind/],
    [
      ["good", "--cluster", "kind", "--kubernetes", "1.36,1.34,1.36.0"],
      /'1\.36,1\.34,1\.36\.0' .*\b1\.36 .*\b1\.36\.0\./,
    ],
    [["good", "--plan", "--report", "out"], /--plan .*--report/],
    [["good", "--cluster", "embedded", "--report", import.meta.filename], /smoke\.test\.ts .*folder/],
    [["good", "--only", "good@1.2.0"], /path good@1\.2\.0\b.*: good@1\.0\.0, .*good@1\.0\.0\.\.1\.1\.0\b/],
    [["good", "--through", "lifecycle-manager"], /lifecycle-manager .*LIFECYCLE_MANAGER/],
    [["nothing"], /module nothing\b.*: good\b/],
    [["good", "--cluster", "context:nowhere"], /context nowhere/],
  ])("refuses a wrong call: %j", async (args, words) => {
    const { code, stderr } = await smoke(site(), ...args);

    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});
