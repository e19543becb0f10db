import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { beforeEach, describe, expect, it } from "vitest";
import bumpSchema from "../../schemas/output/bump.schema.json" with { type: "json" };
import checkSchema from "../../schemas/output/check.schema.json" with { type: "json" };
import { FAST, manifestPath, manifestText, REGULAR, SAMPLE } from "../../src/check/example.ts";
import { mentions } from "../support/mentions.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";
import { BRANCH, bumpSite, TEMPLATE, WANTED, type BumpSite } from "./bumping.ts";
import { run, type Ended } from "./program.ts";
import { kymaIn } from "./promoting.ts";

describe("kyma-modules bump", () => {
  let repository: Folder;
  let template: string;
  let base: string;
  let branches: BumpSite["branches"];
  const bump = (...args: readonly string[]): Promise<Ended> => kymaIn(repository.path, ["bump", ...args, "--offline"]);
  const bumpFast = (...args: readonly string[]): Promise<Ended> =>
    bump("sample@1.2.0", "--channel", "fast", "--template", template, ...args);
  const served = (branch: string): string => repository.git("show", `${branch}:${FAST}`);

  beforeEach(() => {
    ({ repository, template, base, branches } = bumpSite());
  });

  it("commits the channel file to a branch, and says how to push it", async () => {
    const wanted = ["sample@1.2.0", "--channel", "fast", "--template", template];
    const { code, stdout, stderr } = await run(["bump", ...wanted, "--repo", repository.path, "--offline"]);
    const commit = repository.git("rev-parse", "--short=10", BRANCH);
    const lines = stdout.trimEnd().split("\n");

    expect(stderr).toBe("");
    expect(lines.slice(0, 2)).toEqual([`${FAST}: sample 1.2.0`, `    from ${template}`]);
    expect(lines).toContain("    changed metadata.name: sample-1.2.0 → sample-fast");
    expect(lines.slice(-2)).toEqual([
      `committed ${commit} on the new branch ${BRANCH}`,
      `next: git push origin ${BRANCH}`,
    ]);
    expect(code).toBe(0);
    expect(served(BRANCH)).toBe(WANTED.trimEnd());
    expect(repository.git("diff", "--name-status", base, BRANCH)).toBe(`M\t${FAST}`);
  });

  it("names uncommitted files of the version, which were not checked", async () => {
    repository.write({ [manifestPath("1.2.0")]: manifestText("1.2.0"), [manifestPath("1.3.0")]: "other" });
    const { code, stderr } = await bumpFast();

    expect([code, ...stderr.split("\n")]).toEqual([
      0,
      mentions("1 file", "modules/sample/1.2.0/", "not committed"),
      "",
    ]);
  });

  it("does nothing the second time, and says so", async () => {
    await bumpFast();
    const before = repository.git("rev-parse", BRANCH);
    const { code, stdout } = await bumpFast();

    expect(stdout).toContain(`unchanged: ${BRANCH} has it already (${before.slice(0, 10)})`);
    expect(code).toBe(0);
    expect(repository.git("rev-parse", BRANCH)).toBe(before);
  });

  it("does not touch or check the working tree and the index", async () => {
    repository.write({ [FAST]: "not: even a template\n", "channels/fast/stray.yml": "s" });
    repository.git("add", "channels/fast/stray.yml");
    const before = [repository.git("status", "--porcelain"), repository.git("diff")];
    const { code } = await bumpFast();

    expect(code).toBe(0);
    expect([repository.git("status", "--porcelain"), repository.git("diff")]).toEqual(before);
    expect(repository.git("diff", "--name-status", base, BRANCH)).toBe(`M\t${FAST}`);
  });

  it("prints the findings of the gate with their lines, and leaves nothing behind", async () => {
    writeFileSync(template, TEMPLATE.replace("kind: ModuleTemplate", "kind: ModuleTemplate\nunknown: true"));
    const objects = repository.git("count-objects");
    const { code, stdout } = await bumpFast();

    expect(stdout).toMatch(/ {2}4:10 +error .*\[schema\]/);
    expect(stdout).toContain("refused: nothing was committed");
    expect(code).toBe(1);
    expect(branches()).toEqual(["main"]);
    expect(repository.git("count-objects")).toBe(objects);
  });

  it("shows the change without committing it, with --dry-run", async () => {
    const objects = repository.git("count-objects");
    const { code, stdout } = await bumpFast("--dry-run");

    expect(stdout).toContain(`--- a/${FAST}\n+++ b/${FAST}\n@@ `);
    expect(stdout).toMatch(/^\+ {2}version: 1\.2\.0$/m);
    expect(stdout).toEqual(mentions("--dry-run", BRANCH));
    expect(code).toBe(0);
    expect(branches()).toEqual(["main"]);
    expect(repository.git("count-objects")).toBe(objects);
  });

  it("has nothing to do if the channel already has this file", async () => {
    const { code, stdout } = await bump("sample@1.1.0", "--channel", "fast");

    expect(stdout).toContain("nothing to do: fast of ");
    expect(code).toBe(0);
    expect(branches()).toEqual(["main"]);
  });

  it("finds the template of a version in another channel, and in the history", async () => {
    repository.write({ [FAST]: WANTED });
    repository.commit("1.2.0");
    const atHead = await bump("sample@1.2.0", "--channel", "regular", "--dry-run");
    repository.write({ [FAST]: SAMPLE[FAST] ?? "" });
    repository.commit("back");
    const inHistory = await bump("sample@1.2.0", "--channel", "regular", "--dry-run");

    expect(atHead.stdout.split("\n").slice(0, 2)).toEqual([`${REGULAR}: sample 1.2.0`, `    from ${FAST}`]);
    expect(inHistory.stdout.split("\n").slice(0, 2)).toEqual([
      `${REGULAR}: sample 1.2.0`,
      `    from ${FAST} in history`,
    ]);
  });

  it("starts from another commit, and commits to another branch, on request", async () => {
    repository.write({ README: "later" });
    repository.commit("later");
    const { code } = await bumpFast("--base", base, "--branch", "mine");

    expect(code).toBe(0);
    expect(repository.git("rev-parse", "mine^")).toBe(base);
  });

  it.each([
    ["a template of another version", ["sample@1.3.0", "--channel", "fast"], mentions("sample 1.2.0", "1.3.0")],
    ["an unknown channel", ["sample@1.2.0", "--channel", "slow"], mentions("slow", "fast, regular")],
    ["what is not a version", ["sample@latest", "--channel", "fast"], mentions("sample@latest", "MODULE@VERSION")],
    ["an invalid channel name", ["sample@1.2.0", "--channel", "Fast!"], mentions("channel name", "Fast!")],
    [
      "an invalid branch name",
      ["sample@1.2.0", "--channel", "fast", "--branch", "a b"],
      mentions("a b", "branch name"),
    ],
    [
      "a revision that is not there",
      ["sample@1.2.0", "--channel", "fast", "--base", "nowhere"],
      mentions("revision nowhere"),
    ],
  ])("refuses %s", async (_, args, message) => {
    const { code, stdout, stderr } = await bump(...args, "--template", template);

    expect(stderr).toEqual(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
    expect(branches()).toEqual(["main"]);
  });

  it("refuses a folder without a catalogue or history", async () => {
    const folder = emptyFolder();
    const bumpThere = (): Promise<Ended> => run(["bump", "sample@1.2.0", "--channel", "fast", "--repo", folder.path]);
    const outside = await bumpThere();
    folder.git("init", "--quiet");
    folder.commit();
    const empty = await bumpThere();

    expect([outside.code, empty.code]).toEqual([2, 2]);
    expect(outside.stderr).toEqual(mentions(folder.path, "Git repository", "commit"));
    expect(empty.stderr.split("\n")).toEqual([
      mentions("error", "kyma-modules.yaml", "kyma-modules init", "kyma-modules import DIR"),
      "",
    ]);
  });

  it("refuses a version without a known template, and a folder as template", async () => {
    const unknown = await bump("sample@7.0.0", "--channel", "fast");
    const folder = await bump("sample@1.2.0", "--channel", "fast", "--template", join(repository.path, "channels"));

    expect(unknown.stderr).toEqual(mentions("channel", "sample 7.0.0"));
    expect(folder.stderr).toEqual(mentions(join(repository.path, "channels"), "is a folder"));
    expect([unknown.code, folder.code]).toEqual([2, 2]);
  });

  it("does not overwrite another person's commit on the branch", async () => {
    await bumpFast();
    repository.git("switch", "--quiet", BRANCH);
    repository.write({ [FAST]: `# edited\n${served(BRANCH)}\n` });
    const tip = repository.commit("edit by hand");
    const standing = await bumpFast("--base", "main");
    repository.git("switch", "--quiet", "main");
    const { code, stderr } = await bumpFast();

    expect(standing.code).toBe(2);
    expect(stderr).toEqual(mentions("committed", BRANCH, `git branch -D ${BRANCH}`));
    expect(code).toBe(2);
    expect(repository.git("rev-parse", BRANCH)).toBe(tip);
  });

  it("does not replace the bump of another module on a named branch", async () => {
    await bumpFast("--branch", "batch");
    const tip = repository.git("rev-parse", "batch");
    const other = await bump("sample@1.1.0", "--channel", "regular", "--branch", "batch", "--offline");

    expect(other.stderr).toEqual(mentions("branch batch", "--branch NAME"));
    expect([other.code, repository.git("rev-parse", "batch")]).toEqual([2, tip]);
  });

  it("does not change a checked-out branch", async () => {
    await bumpFast();
    repository.git("switch", "--quiet", BRANCH);
    writeFileSync(template, `${TEMPLATE}# again\n`);
    const { code, stderr } = await bumpFast("--base", "main");

    expect(stderr).toContain("Switch away");
    expect(code).toBe(2);
    expect(repository.git("status", "--porcelain")).toBe("");
  });

  it("prints JSON that matches its schema, for every outcome", async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema(checkSchema);
    const outcomes: unknown[] = [];
    const note = async (...args: readonly string[]): Promise<void> => {
      const { stdout } = await bumpFast("--format", "json", ...args);
      const document = JSON.parse(stdout) as { readonly items: readonly { readonly outcome?: string }[] };
      ajv.validate(bumpSchema, document);
      expect(ajv.errors).toBeNull();
      outcomes.push(document.items[0]?.outcome);
    };
    await note("--dry-run");
    await note();
    await note();
    writeFileSync(template, `${TEMPLATE}# again\n`);
    await note();
    await note("--base", BRANCH);
    writeFileSync(template, TEMPLATE.replace("kind: ModuleTemplate", "kind: ModuleTemplate\nunknown: true"));
    await note("--branch", "other");

    expect(outcomes).toEqual(["planned", "created", "unchanged", "extended", "served", "refused"]);
    for (const example of bumpSchema.examples) expect(ajv.validate(bumpSchema, example)).toBe(true);
  });
});
