import { existsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder, makeSharedFolder } from "../../../src/systems/files/folder.ts";
import { emptyFolder } from "../repository.ts";

describe.each([
  ["for the user", (path: string) => makeFolder(path), 0o777],
  [
    "for others, too",
    async (path: string) => {
      await Promise.resolve();
      makeSharedFolder(path);
    },
    0o700,
  ],
] as const)("a folder that is made %s", (_, make, judged) => {
  it("is created with its parents, and may exist already", async () => {
    const path = join(emptyFolder().path, "a", "b");
    await make(path);
    await make(path);

    expect(statSync(path).mode & judged).toBe(0o700);
    expect(statSync(join(path, "..")).mode & judged).toBe(0o700);
  });

  it("cannot replace a file or a broken link", async () => {
    const folder = emptyFolder().path;
    writeFileSync(join(folder, "file"), "");
    symlinkSync("nowhere", join(folder, "link"));

    await expect(make(join(folder, "file", "below"))).rejects.toMatchObject({ code: "EEXIST" });
    await expect(make(join(folder, "link"))).rejects.toMatchObject({ code: "EEXIST" });
  });

  it("fails where nothing can be made, and does not try for ever", async (context) => {
    if (!existsSync("/proc/self")) context.skip("there is no /proc");
    await expect(make("/proc/kyma-modules/below")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
