import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { emptyFolder, type Folder } from "../../systems/repository.ts";
import { processesWith } from "../../systems/embedded/processes.ts";
import { run, start, type Ended } from "../program.ts";
import { long } from "../../support/long.ts";
import { mentions } from "../../support/mentions.ts";
import { contentsIn, packageOf } from "./folder.ts";

const PROGRAM = packageOf("kyma-modules");
const OTHER = packageOf("other-program");

let folder: Folder;
/** Without a program that is named. */
const initWith = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  run(["init", "--repo", folder.path, ...args], environment);
const init = (...args: readonly string[]): Promise<Ended> => initWith(["--package", PROGRAM, ...args]);

beforeEach(() => {
  folder = emptyFolder();
});

describe("kyma-modules init refuses, and writes nothing", () => {
  it.each([
    ["a folder with other files", { "src/main.go": "", "go.mod": "" }, ["go.mod, src"]],
    ["a file with another content", { "kyma-modules.yaml": "format: 1\n" }, ["kyma-modules.yaml"]],
    ["a lock file of other packages", { "package-lock.json": '{ "packages": {} }' }, ["package-lock.json"]],
    ["a link", { "package.json": { link: "/etc/hostname" } }, ["package.json"]],
    ["a .gitignore that commits the program", { ".gitignore": "dist/\n" }, [".gitignore", "node_modules/"]],
  ])("%s", async (_, files, parts) => {
    folder.write(files);
    const before = contentsIn(folder.path);
    const { code, stdout, stderr } = await init();

    expect(stderr).toEqual(mentions("error:", ...parts));
    expect([code, stdout, contentsIn(folder.path)]).toEqual([2, "", before]);
  });

  it.each([
    [
      "a repository that is not on GitHub",
      ["--github", "https://github.com/a/b"],
      ["'--github <org/name>'", "ORG/NAME"],
    ],
    ["a program that is not pinned", ["--package", "latest"], ["'--package <spec>'", "0.1.0", "tarball"]],
    ["a missing tarball", ["--package", "/nowhere/program.tgz"], ["folder /nowhere/program.tgz"]],
    ["a clone as the program", [], ["clone", "npm pack", "--package"]],
    ["another program", ["--package", OTHER], ["not kyma-modules", "--package SPEC"]],
    ["too much", ["catalogue"], ["arguments for 'init'", "catalogue"]],
  ])("%s", async (_, args, parts) => {
    const { code, stdout, stderr } = await initWith(args);

    expect(stderr).toEqual(mentions("error:", ...parts));
    expect([code, stdout, contentsIn(folder.path)]).toEqual([2, "", {}]);
  });

  it("a file that is not a tarball, with npm's error", async () => {
    const broken = join(emptyFolder().path, "program.tgz");
    writeFileSync(broken, "no tarball");
    const { code, stderr } = await initWith(["--package", broken]);

    expect(stderr).toEqual(mentions("error:", "npm", "TAR_BAD_ARCHIVE", "--package SPEC"));
    expect([code, contentsIn(folder.path)]).toEqual([2, {}]);
  });

  it("a folder that is a file, and one that cannot be created", async () => {
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    const at = (path: string): Promise<Ended> => run(["init", "--repo", path, "--package", PROGRAM]);

    expect(await at(file)).toMatchObject({ code: 2, stderr: mentions("error:", file, "folder") });
    expect(await at("/sys/catalogue")).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/\/sys\/catalogue\S+ cannot be written: /) as string,
    });
  });
});

describe("kyma-modules init without the lock file", () => {
  it.each([
    ["there is no npm", { PATH: "/nowhere" }, ["--package", PROGRAM], ["npm", "PATH"]],
    [
      "the registry cannot be asked",
      { npm_config_offline: "true", npm_config_cache: join(emptyCache(), "npm") },
      ["--package", "0.1.0"],
      ["npm", "registry"],
    ],
  ])("reports that %s, writes the other files, and prints the next steps", async (_, environment, args, parts) => {
    const { code, stdout, stderr } = await initWith(args, environment);

    expect(stderr).toEqual(mentions("error:", "package-lock.json", ...parts));
    expect(stdout).toMatch(/Next:\n.*\n {2}cd .*\n.*\n {2}npm install --package-lock-only\n/);
    expect(code).toBe(3);
    expect(existsSync(join(folder.path, "kyma-modules.yaml"))).toBe(true);
    expect(existsSync(join(folder.path, "package-lock.json"))).toBe(false);
  });

  long("completes the catalogue once npm is available", async () => {
    await initWith(["--package", PROGRAM], { PATH: "/nowhere" });
    expect(await init()).toMatchObject({ code: 0, stderr: "" });
    const completed = contentsIn(folder.path);
    folder = emptyFolder();
    await init();

    expect(completed).toEqual(contentsIn(folder.path));
  });
});

describe("an interrupted kyma-modules init", () => {
  it("stops npm, and writes nothing", async () => {
    const programs = emptyFolder();
    programs.write({ npm: "#!/bin/sh\nexec sleep 86397\n" });
    chmodSync(join(programs.path, "npm"), 0o755);
    const args = ["init", "--repo", folder.path, "--package", PROGRAM];
    const program = start(args, { PATH: `${programs.path}:${String(process.env["PATH"])}` });
    while (processesWith(NPM).length === 0) await pause();
    program.signal("SIGINT");

    expect(await program.ended).toMatchObject({ code: 130, stdout: "" });
    while (processesWith(NPM).length > 0) await pause();
    expect(contentsIn(folder.path)).toEqual({});
  });
});

/** What stands for npm. */
const NPM = "sleep 86397";

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** Where npm finds nothing that it asked for before. */
function emptyCache(): string {
  return join(PROGRAM, "..");
}
