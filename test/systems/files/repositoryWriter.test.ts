import { execFileSync } from "node:child_process";
import {
  existsSync,
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
import { fillableSource, writeRepository } from "../../../src/systems/files/repositoryWriter.ts";
import { quietRun } from "../../support/quietRun.ts";

const write = (folder: string, files: Readonly<Record<string, string>>): Promise<void> =>
  writeRepository(folder, new Map(Object.entries(files)), quietRun());

describe("writing into a repository", () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "kyma-modules-writer-"));
    onTestFinished(() => {
      rmSync(home, { recursive: true });
    });
  });

  it("creates the repository and its folders, and no other files", async () => {
    const folder = join(home, "new");
    await write(folder, { "kyma-modules.yaml": "a\n", "channels/fast/istio.yaml": "b\n" });

    expect(readFileSync(join(folder, "channels/fast/istio.yaml"), "utf8")).toBe("b\n");
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
      "channels",
      "channels/fast",
      "channels/fast/istio.yaml",
      "kyma-modules.yaml",
    ]);
  });

  it("does nothing without files to write", async () => {
    await write(join(home, "new"), {});

    expect(existsSync(join(home, "new"))).toBe(false);
  });

  it("stops between two files when it is interrupted", async () => {
    const abort = new AbortController();
    abort.abort(new Error("stopped"));
    const files = new Map([["a.yaml", "a\n"]]);

    await expect(writeRepository(home, files, quietRun(abort.signal))).rejects.toThrow("stopped");
    expect(readdirSync(home)).toEqual([]);
  });

  it("writes nothing behind a link that leads out of the repository", async () => {
    mkdirSync(join(home, "outside"));
    mkdirSync(join(home, "inside/channels"), { recursive: true });
    symlinkSync(join(home, "outside"), join(home, "inside/channels/fast"));

    await expect(write(join(home, "inside"), { "channels/fast/istio.yaml": "a\n" })).rejects.toMatchObject({
      code: "CONFIGURATION",
    });
    expect(readdirSync(join(home, "outside"))).toEqual([]);
  });

  it.each([
    ["a folder stands where the file should", "channels/fast/istio.yaml/x"],
    ["a file stands where the folder should", "channels"],
  ])("throws a fault with the file name when %s, and leaves no temporary file", async (_, obstacle) => {
    mkdirSync(join(home, obstacle, ".."), { recursive: true });
    writeFileSync(join(home, obstacle), "");
    const before = readdirSync(home, { recursive: true });

    await expect(write(home, { "channels/fast/istio.yaml": "a\n" })).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: expect.stringContaining(join(home, "channels/fast/istio.yaml")) as string,
    });
    expect(readdirSync(home, { recursive: true })).toEqual(before);
  });

  it("reports a full disk, and the written files are complete", async (context) => {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", home], { stdio: "ignore" });
    } catch (error) {
      return context.skip(`a small disk cannot be mounted here: ${String(error)}`);
    }
    onTestFinished(() => {
      execFileSync("umount", [home]);
    });

    await expect(write(home, { "a.yaml": "a\n", "b.yaml": "b".repeat(100_000) })).rejects.toMatchObject({
      code: "DISK_FULL",
      message: expect.stringContaining("b.yaml") as string,
    });
    expect(readdirSync(home)).toEqual(["a.yaml"]);
    expect(readFileSync(join(home, "a.yaml"), "utf8")).toBe("a\n");
  });
});

describe("a repository to fill", () => {
  it("has no files before it exists", async () => {
    const { files } = await fillableSource(join(tmpdir(), "kyma-modules-does-not-exist")).snapshot(
      () => true,
      quietRun(),
    );

    expect(files.size).toBe(0);
  });
});
