import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { namedFiles } from "../../../src/systems/files/namedFiles.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";

describe("files that people name", () => {
  let home: string;
  const at = (path: string): string => join(home, path);
  const names = async (...paths: readonly string[]): Promise<readonly string[]> =>
    (await namedFiles.read(paths.map(at), quietRun())).map(({ name }) => name.slice(home.length + 1)).sort();

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "kyma-modules-files-"));
    mkdirSync(at("d/e/.git"), { recursive: true });
    for (const path of [
      "a.txt",
      "d/b.yaml",
      "d/e/c.YML",
      "d/e/f.json",
      "d/readme.md",
      "d/.hidden.yaml",
      "d/e/.git/x.yaml",
    ]) {
      writeFileSync(at(path), path);
    }
    onTestFinished(() => {
      rmSync(home, { recursive: true });
    });
  });

  it("may have any name, but in a folder only YAML and JSON files are read", async () => {
    expect(await names("a.txt", "d")).toEqual(["a.txt", "d/b.yaml", "d/e/c.YML", "d/e/f.json"]);
  });

  it("are read once, even if a folder and a link lead to them", async () => {
    symlinkSync(at("d/b.yaml"), at("d/z.yaml"));
    symlinkSync(at("d"), at("d/e/round.yaml"));

    expect(await names("d", "d/e", "d/b.yaml")).toEqual(["d/b.yaml", "d/e/c.YML", "d/e/f.json"]);
  });

  it("are a configuration fault if they do not exist", async () => {
    await expect(names("nothing")).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: expect.stringContaining(at("nothing")) as string,
    });
    await expect(names("a.txt/b")).rejects.toMatchObject({ code: "CONFIGURATION" });
  });

  it("are a fault if they cannot be read", async (context) => {
    // No right is needed to fail at reading a process's memory from address 0.
    if (process.platform !== "linux") return context.skip("only Linux has /proc");

    await expect(namedFiles.read(["/proc/self/mem"], quietRun())).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("are a configuration fault if they do not end", async () => {
    const message = mentions("/dev/zero", "256 MiB");

    await expect(namedFiles.readOne("/dev/zero", quietRun())).rejects.toMatchObject({ code: "CONFIGURATION", message });
  });

  it("are not read after an interruption", async () => {
    await expect(namedFiles.read([home], quietRun(AbortSignal.abort(new Error("stopped"))))).rejects.toThrow("stopped");
  });
});
