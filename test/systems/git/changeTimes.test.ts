import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { changeTimes } from "../../../src/systems/git/changeTimes.ts";
import { quietRun } from "../../support/quietRun.ts";
import { gitAt } from "../repository.ts";

describe("the change time of a file", () => {
  let home: string;
  const at = (path: string): string => join(home, path);
  const put = (path: string, text: string, seconds: number): void => {
    writeFileSync(at(path), text);
    utimesSync(at(path), seconds, seconds);
  };
  const git = (...args: readonly string[]): unknown => execFileSync("git", args, { cwd: home, stdio: "ignore" });
  const commit = (seconds: number): void => {
    const date = `@${seconds} +0000`;
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgSign=false"];
    git("add", ".");
    execFileSync("git", [...identity, "commit", "-qm", "x"], {
      cwd: home,
      env: { ...process.env, GIT_COMMITTER_DATE: date },
    });
  };
  const times = async (...paths: readonly string[]): Promise<object> =>
    Object.fromEntries(await changeTimes(gitAt(home), paths, quietRun()));

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "kyma-modules-times-"));
    mkdirSync(at("d"));
    onTestFinished(() => {
      rmSync(home, { recursive: true });
    });
  });

  it("comes from the file system outside of Git, by the given name", async () => {
    put("a.yaml", "a", 1_000);

    expect(await times("a.yaml", at("a.yaml"), "missing.yaml")).toEqual({
      "a.yaml": 1_000_000,
      [at("a.yaml")]: 1_000_000,
    });
  });

  it("is the time of its last commit, not of the clone", async () => {
    git("init", "-q");
    put("d/ä b.yaml", "a", 9_000);
    put("b.yaml", "b", 9_000);
    commit(1_000);
    put("b.yaml", "other", 9_001);
    commit(2_000);
    symlinkSync(at("b.yaml"), at("link.yaml"));

    expect(await times("d/ä b.yaml", "b.yaml", "link.yaml")).toEqual({
      "d/ä b.yaml": 1_000_000,
      "b.yaml": 2_000_000,
      "link.yaml": 2_000_000,
    });
  });

  it("comes from the file system for an uncommitted change", async () => {
    git("init", "-q");
    put("a.yaml", "a", 3_000);
    expect(await times("a.yaml")).toEqual({ "a.yaml": 3_000_000 });
    commit(1_000);
    put("a.yaml", "b", 4_000);
    put("new.yaml", "b", 5_000);

    expect(await times("a.yaml", "new.yaml")).toEqual({ "a.yaml": 4_000_000, "new.yaml": 5_000_000 });
  });

  it("comes from the file system without Git", async () => {
    const path = process.env["PATH"];
    onTestFinished(() => {
      process.env["PATH"] = path;
    });
    put("a.yaml", "a", 3_000);
    process.env["PATH"] = at("d");

    expect(await times("a.yaml")).toEqual({ "a.yaml": 3_000_000 });
  });
});
