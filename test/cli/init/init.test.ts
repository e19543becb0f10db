import { spawnSync } from "node:child_process";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { beforeEach, describe, expect, it } from "vitest";
import schema from "../../../schemas/output/init.schema.json" with { type: "json" };
import { emptyFolder, type Folder } from "../../systems/repository.ts";
import { checkIn } from "../checking.ts";
import { run, type Ended } from "../program.ts";
import { contentsIn, filesIn, packageOf } from "./folder.ts";
import { long } from "../../support/long.ts";

const PROGRAM = packageOf("kyma-modules");

let folder: Folder;
const init = (...args: readonly string[]): Promise<Ended> =>
  run(["init", "--repo", folder.path, "--package", PROGRAM, ...args]);

beforeEach(() => {
  folder = emptyFolder();
});

describe("kyma-modules init", () => {
  it.each([
    ["nothing", []],
    ["a sample", ["--sample"]],
    ["a repository of GitHub", ["--github", "my-org/catalogue"]],
    ["a sample on GitHub", ["--sample", "--github", "my-org/catalogue"]],
  ])("makes a catalogue without findings with %s", async (_, args) => {
    expect(await init(...args)).toMatchObject({ code: 0, stderr: "" });
    const { code, stdout } = await checkIn(folder.path, ["--offline", "--strict"]);

    expect(stdout).toContain("No findings in ");
    expect(code).toBe(0);
  });

  it("pins the program, and includes its tarball", async () => {
    await init();
    const files = contentsIn(folder.path);
    const lock = JSON.parse(files["package-lock.json"] ?? "") as {
      readonly packages: Readonly<Record<string, object>>;
    };

    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({
      dependencies: { "kyma-modules": "file:.ci/kyma-modules-0.1.0.tgz" },
    });
    expect(files[".ci/kyma-modules-0.1.0.tgz"]).toBe(readFileSync(PROGRAM, "latin1"));
    expect(lock.packages["node_modules/kyma-modules"]).toMatchObject({
      resolved: "file:.ci/kyma-modules-0.1.0.tgz",
      integrity: expect.stringMatching(/^sha512-/) as string,
    });
  });

  it("changes nothing when run again, and completes missing and half-written files", async () => {
    const first = await init("--sample");
    const before = filesIn(folder.path);
    const again = await init("--sample");
    expect(first.stdout).toContain("written  kyma-modules.yaml\n");
    expect(again.stdout).toContain("there    kyma-modules.yaml\n");
    expect([again.code, filesIn(folder.path)]).toEqual([0, before]);

    const whole = contentsIn(folder.path);
    renameSync(join(folder.path, "README.md"), join(folder.path, ".README.md.123.tmp"));
    folder.remove("package-lock.json");
    folder.remove("modules");
    expect(await init("--sample")).toMatchObject({ code: 0, stderr: "" });
    expect(contentsIn(folder.path)).toEqual(whole);
  });

  long("fills a clone of an empty GitHub repository, and keeps GitHub's files", async () => {
    folder.git("init", "--quiet");
    folder.git("remote", "add", "origin", "https://github.com/my-org/catalogue.git");
    const theirs = { "README.md": "# catalogue\n", LICENSE: "Apache\n", ".gitignore": "node_modules/\n" };
    folder.write(theirs);
    const { code, stdout } = await init("--github", "my-org/catalogue");

    expect(code).toBe(0);
    expect(stdout).toContain("there    README.md\n");
    expect(stdout).not.toMatch(/git init|git remote add/);
    expect(contentsIn(folder.path)).toMatchObject(theirs);
  });

  it("prints one JSON document that matches its schema", async () => {
    folder.write({ "README.md": "# ours\n" });
    const { stdout } = await init("--format", "json");
    const ajv = new Ajv({ formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) } });

    for (const document of [JSON.parse(stdout) as unknown, ...schema.examples]) {
      ajv.validate(schema, document);
      expect(ajv.errors ?? []).toEqual([]);
    }
    expect(JSON.parse(stdout)).toMatchObject({
      items: expect.arrayContaining([
        { kind: "written", path: "kyma-modules.yaml" },
        { kind: "present", path: "README.md" },
        { kind: "step", command: "npm ci", because: "installs the program" },
      ]) as unknown,
    });
  });

  it("writes workflows without findings of actionlint", async ({ skip }) => {
    await init("--github", "my-org/catalogue");
    const files = ["submission", "evidence", "promotion", "dashboard", "sync"].map(
      (name) => `.github/workflows/${name}.yaml`,
    );
    const { error, status, stdout } = spawnSync("actionlint", ["-no-color", "-shellcheck=", ...files], {
      cwd: folder.path,
      encoding: "utf8",
    });
    if (error !== undefined) skip("no actionlint on the PATH");

    expect([status, stdout]).toEqual([0, ""]);
  });
});
