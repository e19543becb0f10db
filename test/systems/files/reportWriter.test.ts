import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { checkReportFiles, writeReports } from "../../../src/systems/files/reportWriter.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";

describe("writing reports", () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "kyma-modules-reports-"));
    onTestFinished(() => {
      rmSync(home, { recursive: true });
    });
  });

  const write = (files: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<void> =>
    writeReports(new Map(Object.entries(files).map(([name, text]) => [join(home, name), text])), quietRun(signal));

  it("replaces existing files, and leaves no other files", async () => {
    writeFileSync(join(home, "a.json"), "a longer text than the new one");
    await write({ "a.json": "a\n", "b.xml": "b\n" });

    expect(readFileSync(join(home, "a.json"), "utf8")).toBe("a\n");
    expect(readdirSync(home).sort()).toEqual(["a.json", "b.xml"]);
  });

  it("refuses a folder that does not exist, before anything is written", async () => {
    const path = join(home, "out", "b.xml");

    await expect(write({ "a.json": "a\n", "out/b.xml": "b\n" })).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: mentions(`folder ${join(home, "out")}`, path),
    });
    expect(readdirSync(home)).toEqual([]);
    expect(() => {
      checkReportFiles([path]);
    }).toThrow(`folder ${join(home, "out")}`);
  });

  it("refuses a folder in place of a file, and a file in place of a folder", async () => {
    mkdirSync(join(home, "folder"));
    writeFileSync(join(home, "file"), "");

    await expect(write({ folder: "a\n" })).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: mentions(join(home, "folder"), "is a folder"),
    });
    await expect(write({ "file/a.json": "a\n" })).rejects.toMatchObject({ code: "CONFIGURATION" });
  });

  it("accepts a file in the working directory", () => {
    expect(() => {
      checkReportFiles(["report.json"]);
    }).not.toThrow();
  });

  it("stops between two files when it is interrupted", async () => {
    const abort = new AbortController();
    abort.abort(new Error("stopped"));

    await expect(write({ "a.json": "a\n" }, abort.signal)).rejects.toThrow("stopped");
    expect(readdirSync(home)).toEqual([]);
  });

  it("writes the target of a link", async () => {
    writeFileSync(join(home, "target.json"), "");
    symlinkSync("target.json", join(home, "link.json"));
    await write({ "link.json": "a\n" });

    expect(readFileSync(join(home, "target.json"), "utf8")).toBe("a\n");
    expect(lstatSync(join(home, "link.json")).isSymbolicLink()).toBe(true);
  });

  it("writes into a pipe without replacing it", async () => {
    const pipe = join(home, "pipe");
    execFileSync("mkfifo", [pipe]);
    // Without a reader, the writer waits.
    execFileSync("sh", ["-c", `cat "$1" > "$1.read" &`, "sh", pipe], { stdio: "ignore" });
    await write({ pipe: "a\n" });

    expect(lstatSync(pipe).isFIFO()).toBe(true);
    await expect.poll(() => readFileSync(`${pipe}.read`, "utf8")).toBe("a\n");
  });

  it("names the file that cannot be written, and removes partial files", async () => {
    const name = "x".repeat(253);

    await expect(write({ [name]: "a\n" })).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: mentions(join(home, name), "too long"),
    });
    expect(readdirSync(home)).toEqual([]);
  });
});
