import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FAST_POLICY, HOLDS, HOTFIXES, MODULE, REGULAR_POLICY, SAMPLE, SETTINGS } from "../../src/check/example.ts";
import { emptyFolder, emptyRepository } from "../systems/repository.ts";
import { folderWith, run, type Ended } from "./program.ts";
import { POLICY, siteOf } from "./promoting.ts";

/** What Node calls things: no message for people holds one. */
const RAW = /\bE(NOENT|NOTDIR|ISDIR|ACCES|LOOP|CONNREFUSED)\b|\bERR_|\bspawn\b|getaddrinfo| {4}at /;

const CHECK = ["check", "--offline"];
const BASE = ["check", "--offline", "--base", "HEAD", "--worktree"];
const PROMOTE = ["promote", "--offline"];
const STATUS = ["status", "--offline"];
const HISTORY = ["history", "sample", "--offline"];
const SIMULATE = ["simulate", "--offline"];
const HOLD = ["hold", "sample@1.0.0", "--reason", "x", "--by", "me", "--dry-run"];
const WITHDRAW = ["withdraw", "sample@1.0.0", "--channel", "fast", "--reason", "x", "--by", "me", "--dry-run"];
const BUMP = ["bump", "sample@1.0.0", "--channel", "fast", "--offline", "--dry-run"];
const PLAN = ["plan", "dev"];
const SYNC = ["sync", "dev"];
const DEMO = ["demo", "--once"];
const HOTFIX = [
  "promote",
  "--offline",
  "--hotfix",
  "sample@1.0.1",
  "--incident",
  "https://example.com/7",
  "--by",
  "me",
];

const OF_HISTORY = [PROMOTE, STATUS, HISTORY, SIMULATE, HOLD, WITHDRAW];
const OF_GIT = [...OF_HISTORY, BASE, BUMP, PLAN, SYNC];
const ALL = [...OF_GIT, CHECK, DEMO];

/** Runs each command on `repository`; gives what each ended with. None says what Node calls a thing. */
async function each(commands: readonly (readonly string[])[], repository: string): Promise<readonly Ended[]> {
  const all: Ended[] = [];
  for (const command of commands) all.push(await run([...command, "--repo", repository], { KUBECONFIG: "/nowhere" }));
  for (const { stdout, stderr } of all) expect(stdout + stderr).not.toMatch(RAW);
  return all;
}

type Cause = readonly [code: number, text: RegExp];

/** Every command ends with `code` on `repository`, and says `text`. */
async function expectAll(
  commands: readonly (readonly string[])[],
  repository: string,
  [code, text]: Cause,
): Promise<void> {
  const ended = await each(commands, repository);
  expect(ended.map((one, index) => [commands[index]?.[0], one.code, text.test(one.stderr + one.stdout)])).toEqual(
    commands.map(([name]) => [name, code, true]),
  );
}

/** Which of the commands that a cause concerns are tried. */
export type Choice = <T>(all: readonly T[]) => readonly T[];

/** The tests of the causes, each with the commands that `some` chooses. */
export function testCauses(some: Choice): void {
  it("2 if --repo does not name a folder", async () => {
    const folder = folderWith(new Map([["file", "x"]]));
    symlinkSync("nowhere", join(folder, "dangling"));
    const none: Cause = [2, /^.*error: There is no folder /ms];
    await expectAll(some([CHECK, PROMOTE, HOLD, BUMP, PLAN, DEMO]), join(folder, "absent"), none);
    for (const name of ["file", "file/below", "dangling"]) await expectAll([STATUS], join(folder, name), none);
  });

  it("2 for a folder that is not a Git repository with a commit", async () => {
    await expectAll(some(OF_GIT), folderWith(new Map(Object.entries(SAMPLE))), [
      2,
      /is not a Git repository with a commit/,
    ]);
  });

  it("2 for a repository without a catalogue", async () => {
    const repository = emptyRepository();
    repository.write({ "README.md": "nothing\n" });
    repository.commit();
    await expectAll(some(ALL), repository.path, [
      2,
      /^error: There is no kyma-modules\.yaml: this is not a catalogue/m,
    ]);
  });

  it("1, and the finding, for a change that deletes the catalogue", async () => {
    const site = siteOf();
    site.remove(SETTINGS);
    await expectAll([BASE], site.path, [1, /\[settings-missing\]/]);
  });

  it("2 for a shallow clone", async () => {
    const site = siteOf();
    site.write({ "README.md": "more\n" });
    site.commit();
    const folder = emptyFolder();
    folder.git("clone", "--quiet", "--depth=1", `file://${site.path}`, "clone");
    await expectAll(some([...OF_HISTORY, PLAN, SYNC]), join(folder.path, "clone"), [2, /shallow/]);
  });

  it("1, with file and line, for a broken file of the catalogue", async () => {
    const site = siteOf({ [SETTINGS]: "format: 1\nlandscapes: [dev\n" });
    const place = new RegExp(`${SETTINGS}(:\\d+:\\d+: error|\n +\\d+:\\d+ +error)`);
    await expectAll(some(ALL.filter((command) => command !== HOLD && command !== BASE)), site.path, [1, place]);
  });

  const newer = /^.*written for a newer version of kyma-modules: this is \d+\.\d+\.\d+, which reads format 1.*$/m;

  it.each([SETTINGS, FAST_POLICY, MODULE, HOLDS, HOTFIXES])(
    "1, and nothing else about the file, for one in a newer format: %s",
    async (path) => {
      const site = siteOf({ [path]: "format: 2\nnovel: { key: [1] }\n" });
      const ended = await each([CHECK, STATUS, PLAN].slice(0, path === SETTINGS ? 3 : 1), site.path);
      for (const { code, stdout, stderr } of ended) {
        expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(newer)]);
        expect(stdout + stderr).toMatch(/\b1 error\b/);
      }
    },
  );

  const NAMED: readonly (readonly [string, readonly string[], string])[] = [
    ["--teams", CHECK, "the teams"],
    ["--evidence", PROMOTE, "evidence"],
    ["--evidence", STATUS, "evidence"],
    ["--evidence", HISTORY, "evidence"],
    ["--evidence", SIMULATE, "evidence"],
    ["--policy", SIMULATE, "a policy"],
    ["--history-csv", SIMULATE, "a table"],
    ["--template", BUMP, "a template"],
    ["--template", HOTFIX, "a template"],
  ];

  it.each(some(NAMED))("2 for a file that %s of %s names, and that is not there or broken", async (option, command) => {
    const site = siteOf();
    const folder = folderWith(new Map([["broken.yaml", "a: ["]]));
    mkdirSync(join(folder, "empty"));
    symlinkSync("circle", join(folder, "circle"));
    const named = (name: string): readonly string[] => [...command, option, join(folder, name)];
    const isFirst = command === CHECK;
    const absent = ["absent.yaml", ...(isFirst ? ["broken.yaml/below", "circle", "n".repeat(300)] : [])].map(named);

    await expectAll(absent, site.path, [2, /There is no file or folder /]);
    await expectAll([named("empty")], site.path, [2, /There is no YAML or JSON file in .*empty\./]);
    await expectAll([named("broken.yaml")], site.path, [2, /broken\.yaml/]);
  });

  it.each(NAMED.filter(([option]) => option === "--evidence" || option === "--policy"))(
    "2 for a file in a newer format that %s of %s names",
    async (option, command) => {
      const file = join(folderWith(new Map()), "newer.yaml");
      writeFileSync(file, "format: 2\nnovel: 1\n");
      await expectAll([[...command, option, file]], siteOf().path, [2, newer]);
    },
  );

  it("2 for an unknown name", async () => {
    const { path } = siteOf({ [REGULAR_POLICY]: POLICY });
    const unknown = [
      ["check", "--offline", "nowhere"],
      ["check", "--explain", "nowhere"],
      ["check", "--rule", "nowhere"],
      ...[BASE.with(3, "nowhere"), [...PROMOTE, "--revision", "nowhere"], [...STATUS, "--revision", "nowhere"]],
      ...[PROMOTE, STATUS, HISTORY, SIMULATE, HOLD].map((command) => [...command, "--channel", "nowhere"]),
      ...[WITHDRAW, BUMP].map((command) => command.map((word) => (word === "fast" ? "nowhere" : word))),
      ...[PROMOTE, STATUS].map((command) => [...command, "nowhere"]),
      ...[HISTORY.with(1, "nowhere"), HOLD.with(1, "nowhere@1.0.0"), BUMP.with(1, "nowhere@1.0.0")],
      ...[PLAN.with(1, "nowhere"), SYNC.with(1, "nowhere")],
      ["import", "--context", "nowhere"],
    ];
    await expectAll(some(unknown), path, [2, /nowhere/]);
  });

  it("3 for a missing program", async () => {
    const { path } = siteOf();
    const { code, stderr } = await run([...PROMOTE, "--repo", path], { PATH: "/nowhere" });

    expect([code, stderr]).toEqual([3, expect.stringContaining("git could not be run in ")]);
    expect(stderr).toContain("there is no such program on the PATH. Install it.");
  });

  it("3 for an unexpected error of the operating system", async () => {
    const { path } = siteOf();
    const [ended] = await Promise.all([run([...HOLD, "--repo", path], { TMPDIR: "/nowhere" })]);

    expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining("there is no such file or folder.")]);
    expect(ended.stderr).not.toMatch(RAW);
  });
}
