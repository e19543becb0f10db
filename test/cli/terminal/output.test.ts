import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { FAST, SETTINGS } from "../../../src/check/example.ts";
import { folderWith, mainFile, run } from "../program.ts";
import { forgetIdentity, NO_FORGE, siteOf, submit } from "../promoting.ts";
import { long } from "../../support/long.ts";
import { mentions } from "../../support/mentions.ts";

beforeEach(forgetIdentity);

const COMMANDS: readonly (readonly [string, readonly string[], string])[] = [
  ["promote", [], "Promotion"],
  ["status", [], "Status"],
  ["history", ["sample"], "History"],
  ["hold", ["sample@1.0.0", "--reason", "it leaks", "--dry-run"], "Intervention"],
];

function site(): string {
  const repository = siteOf();
  submit(repository, "1.1.0", 1);
  return repository.path;
}

describe("a name in text for people", () => {
  const commands = (text: string): readonly string[] => text.split("\n").filter((line) => /^\s*::|##\[/.test(line));

  it("is not a command of GitHub Actions, at any position", async () => {
    const name = "a\n  ::error::owned ##[set-env name=A]b";
    const landscape = await run(["plan", name, "--repo", site()]);
    const file = await run(["check", name, "--repo", site()]);

    expect([landscape.code, file.code]).toEqual([2, 2]);
    expect(`${landscape.stderr}\n${file.stderr}`).toContain("owned ## [set-env name=A]b");
    expect([landscape, file].flatMap(({ stdout, stderr }) => commands(`${stdout}\n${stderr}`))).toEqual([]);
  });

  it("stays a command in the format for GitHub", async () => {
    const repository = siteOf({ [FAST]: "no template" });
    const { stdout } = await run(["check", "--offline", "--repo", repository.path, "--format", "github"]);

    expect(commands(stdout)).toContainEqual(expect.stringMatching(/^::error file=/));
  });
});

describe("the format of a command", () => {
  it.each(COMMANDS)("goes into a file for %s, beside what is printed", async (command, args, kind) => {
    const path = site();
    const file = join(folderWith(new Map()), "report.json");
    const { stdout, stderr } = await run([command, ...args, "--repo", path, "--format", `text,json=${file}`]);

    expect(stderr).toBe("");
    expect(stdout).toContain("sample");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ kind, format: 1 });
  });

  it("is written to a file without colours, and nothing is printed", async () => {
    const path = site();
    const file = join(folderWith(new Map()), "status.txt");
    const ended = await run(["status", "--repo", path, "--format", `text=${file}`, "--color", "always"]);

    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(file, "utf8")).toMatch(/^CHANNEL {2}MODULE .*\nfast /);
  });

  it("contains the failure of an unreachable landscape, for plan", async () => {
    const file = join(folderWith(new Map()), "plan.json");
    const { code, stdout } = await run(["plan", "--repo", site(), "--format", `json=${file}`], {
      KUBECONFIG: "/nowhere",
    });

    expect([code, stdout]).toEqual([2, ""]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ kind: "Plan" });
  });

  it("is refused before any work if its file cannot be written", async () => {
    const { code, stdout, stderr } = await run(["status", "--repo", site(), "--format", "json=/nowhere/x.json"]);

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toEqual(mentions("error:", "folder /nowhere", "/nowhere/x.json"));
  });
});

describe("an output that cannot be written", () => {
  const full = "/dev/full";

  it.runIf(existsSync(full)).each([
    ["stdout", `status --repo "$2" > ${full}`],
    ["stdout, for the help", `--help > ${full}`],
    ["a file", `status --repo "$2" --format json=${full}`],
  ])("exits 3 with one line: %s", (_what, line) => {
    const script = `exec "$0" "$1" ${line}`;
    const { status, stderr } = spawnSync("sh", ["-c", script, process.execPath, mainFile, site()]);

    expect(stderr.toString()).toMatch(/^error: .*\n$/);
    expect(status).toBe(3);
  });

  it("is not a failure if the reader closed it", () => {
    const script = `{ "$0" "$1" status --repo "$2"; echo "code $?" >&2; } | true`;
    const { stderr } = spawnSync("sh", ["-c", script, process.execPath, mainFile, site()]);

    expect(stderr.toString()).toBe("code 0\n");
  });

  long("does not end the work if the reader closed stderr", () => {
    const repository = siteOf({
      [SETTINGS]: NO_FORGE.replace(/^forge:.*$/m, "forge: { kind: github, repository: octo/train }"),
    });
    submit(repository, "1.1.0", 9);
    const command = `"$0" "$1" promote --exit-code --format json --repo "$2"`;
    const script = `{ { ${command}; echo "code $?"; } 2>&1 >&3 3>&- | true; } 3>&1`;
    const { stdout } = spawnSync("sh", ["-c", script, process.execPath, mainFile, repository.path]);

    expect(stdout.toString()).toMatch(/^\{[^]*"kind": "Promotion"[^]*\n\}\ncode 1\n$/);
  });
});
