import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { cloneWithoutPackages, start, temporaryFolder, type Started } from "./clone.ts";

const NOTICE = "(npm ci), once";
const folders: string[] = [];
let clone: string;

const install = (): Started => start(process.execPath, ["src/cli/install.js"], clone);

beforeEach(() => {
  clone = temporaryFolder();
  folders.push(clone);
  cloneWithoutPackages(clone);
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe("the installation of a clone", () => {
  it("happens once, says so on stderr and keeps stdout free", async () => {
    const first = await install().ended;
    expect(first).toMatchObject({ code: 0, stdout: "" });
    expect(first.stderr).toContain(NOTICE);
    expect(existsSync(join(clone, "node_modules/own"))).toBe(true);
    expect(await install().ended).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  long("happens again when the lock file is younger", async () => {
    await install().ended;
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(clone, "package-lock.json"), later, later);
    expect((await install().ended).stderr).toContain(NOTICE);
  });

  long("happens once when two ask for it at the same time", async () => {
    const both = await Promise.all([install().ended, install().ended]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.filter(({ stderr }) => stderr.includes(NOTICE))).toHaveLength(1);
  });

  it("empties no packages of others behind a link", async () => {
    const theirs = join(clone, "theirs");
    mkdirSync(theirs);
    writeFileSync(join(theirs, "kept"), "");
    symlinkSync(theirs, join(clone, "node_modules"));
    const { code, stderr } = await install().ended;
    expect(stderr).toEqual(mentions("node_modules", "another lock file", "remove the link"));
    expect([code, existsSync(join(theirs, "kept"))]).toEqual([3, true]);
  });

  it("ends with 3 and what to do when npm fails", async () => {
    rmSync(join(clone, "package.json"));
    const { code, stderr } = await install().ended;
    expect(stderr).toContain(`\`npm ci\` failed in ${clone}`);
    expect(code).toBe(3);
  });
});
