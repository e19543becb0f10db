import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { edit, FAST, MODULE, SAMPLE, templateText } from "../../src/check/example.ts";
import { mentions } from "../support/mentions.ts";
import { emptyFolder, emptyRepository, type Folder, pathWithGit } from "../systems/repository.ts";
import { checkIn, findingsIn, itemsIn, sampleRepository } from "./checking.ts";
import { run, start } from "./program.ts";

const BROKEN = edit(templateText("fast", "1.1.0"), "channel: fast", "channel: slow");
const BROKEN_FAST = `place-channel ${FAST}:9`;
const ESCAPE = "\u001b[";

describe("the program", () => {
  it("exits 0 without findings, and prints no colours to a pipe", async () => {
    const { path } = sampleRepository();

    const { code, stdout, stderr } = await run(["check", "--offline", "--repo", path]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout).toMatch(/ in \d+ of 9 files; \d+ rules not run \([\d.]+ s\)\n$/);
  });

  it("exits 1 with place, line, caret and remedy of a finding, and with colours on request", async () => {
    const repository = sampleRepository();
    repository.write({ [FAST]: BROKEN });

    const { code, stdout } = await run([
      "check",
      "--base",
      "HEAD",
      "--worktree",
      "--offline",
      "--repo",
      repository.path,
    ]);
    const colored = await run(["check", "--color", "always", "--offline", "--repo", repository.path]);

    expect(stdout.split("\n").slice(0, 5)).toEqual([
      FAST,
      expect.stringMatching(/^ {2}9:12 {2}error {2}.*slow.* {2}\[place-channel\]$/) as string,
      "        |   channel: slow",
      "        |            ^",
      expect.stringMatching(/^ {8}\S.*\.$/) as string,
    ]);
    expect(code).toBe(1);
    expect(colored).toMatchObject({ code: 1, stdout: expect.stringContaining(ESCAPE) as string });
  });

  it("exits 130 on an interruption, without a report, and leaves no process", async () => {
    const repository = sampleRepository();
    repository.write({ [FAST]: BROKEN });
    const pids = join(emptyFolder().path, "pids");
    // A Git that takes its time: it says who it is, and sleeps.
    const environment = { PATH: pathWithGit(`case "$*" in *ls-files*) echo "$$" > '${pids}'; exec sleep 60;; esac`) };

    const running = start(
      ["check", "--base", "HEAD", "--worktree", "--offline", "--repo", repository.path],
      environment,
    );
    await vi.waitUntil(() => existsSync(pids) && readFileSync(pids, "utf8").endsWith("\n"), { timeout: 20_000 });
    running.signal("SIGINT");

    expect(await running.ended).toEqual({
      code: 130,
      stdout: "",
      stderr: expect.stringMatching(/^interrupted\b.*\n$/) as string,
    });
    expect(() => process.kill(Number(readFileSync(pids, "utf8")), 0)).toThrow("ESRCH");
  });
});

describe("a change", () => {
  it.each([
    ["eight processes of Git", [], 8],
    ["one more to know the files of its branch", ["--head-branch", "bump"], 9],
  ])("is checked with at most %s", async (_, args, most) => {
    const repository = sampleRepository();
    repository.write({ [FAST]: templateText("fast", "1.2.0") });
    const count = join(emptyFolder().path, "count");
    const environment = { PATH: pathWithGit(`echo >> '${count}'`) };
    const { stdout } = await start(
      ["check", "--base", "HEAD", "--worktree", ...args, "--offline", "--repo", repository.path],
      environment,
    ).ended;

    expect(stdout).toContain("No findings in 1 file");
    expect(readFileSync(count, "utf8").length).toBeLessThanOrEqual(most);
  });

  it.each<[string, (repository: Folder) => void]>([
    ["committed", (repository) => void repository.commit()],
    ["staged", (repository) => void repository.git("add", "--all")],
    ["neither", () => undefined],
  ])("is checked when it is %s", async (state, arrange) => {
    const repository = sampleRepository();
    const base = repository.git("rev-parse", "HEAD");
    repository.write({ [FAST]: BROKEN, "channels/fast/other.yaml": "a: [" });
    arrange(repository);

    expect(await findingsIn(repository.path, ["--base", base, "--worktree"])).toEqual([
      "yaml-syntax channels/fast/other.yaml:1",
      BROKEN_FAST,
    ]);
    expect(await findingsIn(repository.path, ["--base", "HEAD", "--worktree"])).toHaveLength(
      state === "committed" ? 0 : 2,
    );
  });

  it("is checked when it removes a file: the rest must be consistent", async () => {
    const repository = sampleRepository();
    repository.remove("channels/fast.yaml");

    expect(await findingsIn(repository.path, ["--base", "HEAD", "--worktree"])).toContainEqual(
      expect.stringContaining("channel-policy"),
    );
  });

  it("is compared with its merge base: a file that the base added later is not a removal", async () => {
    const repository = sampleRepository();
    repository.git("switch", "--quiet", "--create", "bump");
    repository.write({ "README.md": "x" });
    repository.commit();
    repository.git("switch", "--quiet", "main");
    repository.write({ [FAST]: BROKEN });
    repository.commit();
    repository.git("switch", "--quiet", "bump");

    const items = await itemsIn(repository.path, ["--base", "main"]);

    expect(items.filter(({ kind }) => kind === "finding")).toEqual([]);
    expect(items.at(-1)).toMatchObject({ kind: "counts", files: 0, base: repository.git("rev-parse", "main") });
  });

  it("is not blamed for earlier problems", async () => {
    const repository = sampleRepository();
    repository.write({ [FAST]: BROKEN });
    repository.commit();
    repository.write({ [MODULE]: `${String(SAMPLE[MODULE])}# a comment\n` });

    expect(await findingsIn(repository.path, ["--base", "HEAD", "--worktree"])).toEqual([]);
    expect(await findingsIn(repository.path, [])).toEqual([BROKEN_FAST]);
  });

  it("is checked behind a link, even to a file outside of the catalogue", async () => {
    const repository = sampleRepository();
    repository.write({ "docs/sample.yaml": String(SAMPLE[FAST]), [FAST]: { link: "../../docs/sample.yaml" } });
    repository.commit();
    repository.write({ "docs/sample.yaml": BROKEN });

    expect(await findingsIn(repository.path, ["--base", "HEAD", "--worktree"])).toEqual([BROKEN_FAST]);
  });

  it("may be of a catalogue in a subfolder, and is reported with the paths of the forge", async () => {
    const repository = emptyRepository();
    const files = Object.entries(SAMPLE).map(([path, text]) => [`releases/${path}`, text]);
    repository.write({ ...(Object.fromEntries(files) as Readonly<Record<string, string>>), "channels/a.yaml": "a: [" });
    repository.commit();
    repository.write({ [`releases/${FAST}`]: BROKEN, "channels/a.yaml": "b: [" });
    const catalogue = join(repository.path, "releases");

    expect(await findingsIn(catalogue, ["--base", "HEAD", "--worktree"])).toEqual([BROKEN_FAST]);
    const { stdout } = await checkIn(catalogue, ["--base", "HEAD", "--worktree", "--offline", "--format", "github"]);
    expect(stdout).toContain(`file=releases/${FAST},line=9`);
  });

  it("needs an existing revision", async () => {
    const [repository, folder] = [sampleRepository(), emptyFolder()];
    folder.write(SAMPLE);

    const unknown = await checkIn(repository.path, ["--base", "nowhere"]);
    const outside = await checkIn(folder.path, ["--base", "HEAD", "--worktree"]);

    expect([unknown.code, unknown.stdout, outside.code]).toEqual([2, "", 2]);
    expect(unknown.stderr.split("\n")).toEqual([mentions("error", repository.path, "revision nowhere"), ""]);
    expect(outside.stderr.split("\n")).toEqual([
      mentions("error", folder.path, "Git repository", "HEAD", "--base"),
      "",
    ]);
  });

  it("cannot be determined in a shallow clone", async () => {
    const [repository, elsewhere] = [sampleRepository(), emptyFolder()];
    repository.git("switch", "--quiet", "--create", "bump");
    repository.write({ [FAST]: templateText("fast", "1.2.0") });
    repository.commit();
    repository.git("switch", "--quiet", "main");
    repository.commit();
    const clone = join(elsewhere.path, "clone");
    repository.git(
      "clone",
      "--quiet",
      "--depth=1",
      "--no-single-branch",
      "--branch=bump",
      `file://${repository.path}`,
      clone,
    );

    expect(await checkIn(clone, ["--base", "origin/main"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("git fetch --unshallow") as string,
    });
  });

  it("cannot be combined with paths", async () => {
    const { path } = sampleRepository();

    expect(await checkIn(path, [join(path, FAST), "--base", "HEAD", "--worktree"])).toMatchObject({
      code: 2,
      stdout: "",
    });
  });
});
