import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { edit, FAST, manifestPath, manifestText, MODULE, SAMPLE, templateText } from "../../src/check/example.ts";
import { mentions } from "../support/mentions.ts";
import { emptyFolder } from "../systems/repository.ts";
import { checkIn, findingsIn, itemsIn, sampleRepository } from "./checking.ts";
import { run } from "./program.ts";

const BROKEN = edit(templateText("fast", "1.1.0"), "channel: fast", "channel: slow");
const BROKEN_FAST = `place-channel ${FAST}:9`;

describe("--explain and --rule", () => {
  it("lists all rules, and explains one with its examples", async () => {
    const { path } = emptyFolder();

    expect((await checkIn(path, ["--explain"])).stdout).toMatch(/^file\n {2}yaml-syntax +error +/);
    const { code, stdout } = await checkIn(path, ["--explain", "place-channel"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^place-channel {2}error\n.*\n\n[^]*\nSource: .*\n\nRefused \(.*\):\n[^]* {2}> [^]*\n\nAccepted:\n/,
    );
    expect((await checkIn(path, ["--explain", "default-cr-served"])).stdout).toContain(
      "\nOverlaps: crd-compatible, default-cr-valid; ",
    );
  });

  it("explains as text only, also into a file", async () => {
    const { path } = emptyFolder();
    const [text, json] = [join(path, "rule.txt"), join(path, "rule.json")];
    const explain = ["check", "--repo", path, "--explain", "place-channel", "--format"];

    expect(await run([...explain, `text=${text}`])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(text, "utf8")).toMatch(/^place-channel {2}error\n/);
    expect(await run([...explain, `text,json=${json}`])).toEqual({
      code: 2,
      stdout: "",
      stderr: "error: --explain prints text only: omit --format json.\nRun 'kyma-modules check --help'.\n",
    });
    expect(readdirSync(path)).toEqual(["rule.txt"]);
  });

  it("suggests similar rules for an unknown one", async () => {
    const { path } = sampleRepository();

    for (const option of ["--explain", "--rule"]) {
      expect(await checkIn(path, [option, "place-chanel"])).toMatchObject({
        code: 2,
        stdout: "",
        stderr: mentions("error", "rule place-chanel", "place-channel"),
      });
    }
  });

  it("checks only the named rules", async () => {
    const repository = sampleRepository();
    const manifest = manifestPath("1.1.0");
    const text = manifestText("1.1.0").replace(/image: \S+/, "image: registry.example.com/prod/a:latest");
    repository.write({ [manifest]: text });
    const folder = join(repository.path, "modules/sample/1.1.0");

    expect(await findingsIn(repository.path, ["--rule", "yaml-syntax, place-name", folder])).toEqual([]);
    const found = await findingsIn(repository.path, ["--rule", "yaml-syntax,image-mutable-tag", folder]);
    expect(found).toEqual([expect.stringContaining(`image-mutable-tag ${manifest}:`)]);
  });

  it("reports files that cannot be read whatever rules are named", async () => {
    const repository = sampleRepository();
    repository.write({ [FAST]: BROKEN, "modules/sample/holds.yaml": "a: [" });

    expect(await findingsIn(repository.path, ["--rule", "image-digest"])).toEqual([
      BROKEN_FAST,
      "yaml-syntax modules/sample/holds.yaml:1",
    ]);
  });
});

describe("--fix", () => {
  it("fixes problems with one solution, keeps comments, and then has nothing to do", async () => {
    const repository = sampleRepository();
    const commented = (text: string): string => `# first\n${text}# last\n`;
    repository.write({ [FAST]: commented(BROKEN) });

    const first = await checkIn(repository.path, ["--fix", "--offline"]);
    const second = await checkIn(repository.path, ["--fix", "--offline"]);

    expect(first).toMatchObject({ code: 0, stderr: `fixed ${FAST}\n1 file fixed; remaining problems:\n` });
    expect(readFileSync(join(repository.path, FAST), "utf8")).toBe(commented(templateText("fast", "1.1.0")));
    expect(second).toMatchObject({ code: 0, stderr: "" });
  });

  it("counts fixed files as part of the change, even on a branch behind its base", async () => {
    const repository = sampleRepository();
    repository.git("switch", "--quiet", "--create", "mine");
    repository.write({ [MODULE]: edit(String(SAMPLE[MODULE]), "@sample/team", "@sample/others") });
    repository.commit("other owners");
    repository.git("switch", "--quiet", "main");
    repository.write({ "README.md": "x" });
    repository.commit("the base goes on");
    repository.git("switch", "--quiet", "mine");

    const { code, stdout, stderr } = await checkIn(repository.path, [
      "--base",
      "main",
      "--worktree",
      "--fix",
      "--offline",
    ]);

    expect(stderr).toMatch(/working tree.*\nfixed \.github\/CODEOWNERS\n1 file fixed; remaining problems:\n$/);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("ownership-codeowners") as string]);
  });

  it("writes nothing if no problem has only one solution", async () => {
    const repository = sampleRepository();
    repository.write({ [FAST]: "a: [" });
    const before = repository.git("status", "--porcelain");

    expect(await checkIn(repository.path, ["--fix", "--offline"])).toMatchObject({ code: 1, stderr: "" });
    expect(readFileSync(join(repository.path, FAST), "utf8")).toBe("a: [");
    expect(repository.git("status", "--porcelain")).toBe(before);
  });
});

describe("--teams", () => {
  it("names the members of owning teams", async () => {
    const repository = sampleRepository();
    repository.write({ [MODULE]: `${String(SAMPLE[MODULE])}# a comment\n`, teams: '"@sample/team": [alice]\n' });
    const judge = async (author: string): Promise<readonly unknown[]> =>
      (
        await itemsIn(repository.path, [
          "--base",
          "HEAD",
          "--worktree",
          "--author",
          author,
          "--teams",
          join(repository.path, "teams"),
        ])
      )
        .filter(({ rule }) => rule === "ownership-author")
        .map(({ kind, severity }) => severity ?? kind);

    expect(await judge("Alice")).toEqual([]);
    expect(await judge("bob")).not.toEqual([]);
  });

  it.each([
    ["is not there", undefined, /^error: .*\bfile or folder \S+\/teams\b/],
    ["is not YAML", "[", / names no teams\. /],
    ["names no team", "team: [alice]", / names no teams\. /],
    ["names no list", '"@sample/team": alice', / names no teams\. /],
    ["names a prototype", '{"__proto__": [alice]}', / names no teams\. /],
  ])("is refused when the file %s", async (_, text, message) => {
    const repository = sampleRepository();
    if (text !== undefined) repository.write({ teams: text });

    const ended = await checkIn(repository.path, ["--teams", join(repository.path, "teams")]);

    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) as string });
  });

  it("is refused when it is a folder, even with one file", async () => {
    const repository = sampleRepository();
    repository.write({ "teams/a.yaml": "{}" });

    const { code, stderr } = await checkIn(repository.path, ["--teams", join(repository.path, "teams")]);

    expect([code, stderr]).toEqual([2, mentions(join(repository.path, "teams"), "is a folder")]);
  });
});

describe("--format", () => {
  it("writes all reports into files at once, and prints a summary line", async () => {
    const [repository, reports] = [sampleRepository(), emptyFolder()];
    repository.write({ [FAST]: BROKEN });
    const formats = ["sarif", "junit", "json", "github", "text"];

    const targets = formats.map((format) => `${format}=${join(reports.path, format)}`).join(",");
    const { code, stdout, stderr } = await run([
      "check",
      ...["--repo", repository.path],
      "--offline",
      ...["--format", targets],
    ]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^1 error, .*\)\n$/);
    expect(readdirSync(reports.path)).toEqual(formats.toSorted());
    for (const format of formats)
      expect(readFileSync(join(reports.path, format), "utf8"), format).toMatch(/channels\/fast\/sample\.yaml[^]*\n$/);
  });
});
