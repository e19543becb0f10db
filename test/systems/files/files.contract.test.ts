import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_FILE_BYTES } from "../../../src/document/snapshot.ts";
import { directorySource } from "../../../src/systems/files/files.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder } from "../repository.ts";
import { everything, FOLLOWED, LINKS, SIZES, tableOf } from "../snapshots.ts";

const run = quietRun();

describe("a directory", () => {
  it("has the requested files, without a revision", async () => {
    const folder = emptyFolder();
    folder.write({
      "kyma-modules.yaml": "settings",
      "channels/fast.yaml": "policy\r\n",
      "channels/fast/ärger 中.yaml": "ümlaut",
      "modules/istio/module.yaml": "module",
      "modules/istio/1.0.0/manifest.yaml": "not wanted",
    });
    const snapshot = await directorySource(folder.path).snapshot((path) => !path.endsWith("manifest.yaml"), run);

    expect(snapshot.revision).toBeUndefined();
    expect(tableOf(snapshot)).toEqual({
      "channels/fast.yaml": "policy\r\n",
      "channels/fast/ärger 中.yaml": "ümlaut",
      "kyma-modules.yaml": "settings",
      "modules/istio/module.yaml": "module",
    });
  });

  it("is read only at the paths of a catalogue", async () => {
    const folder = emptyFolder();
    folder.write({
      "src/channels/fast.yaml": "x",
      "channelsx/fast.yaml": "x",
      "node_modules/a/b.yaml": "x",
      "channels/fast.yaml": "y",
    });

    expect(tableOf(await directorySource(folder.path).snapshot(everything, run))).toEqual({
      "channels/fast.yaml": "y",
    });
  });

  it("may be empty", async () => {
    expect(tableOf(await directorySource(emptyFolder().path).snapshot(everything, run))).toEqual({});
  });

  it("is a configuration fault if it does not exist or is a file", async () => {
    const folder = emptyFolder();
    folder.write({ file: "x" });
    const snapshot = (name: string): Promise<unknown> =>
      directorySource(join(folder.path, name)).snapshot(everything, run);

    for (const name of ["nowhere", "file"])
      await expect(snapshot(name)).rejects.toMatchObject({
        code: "CONFIGURATION",
        message: expect.stringContaining("--repo DIR") as string,
      });
  });

  it("resolves links to its own files, and describes the targets of the others", async () => {
    const folder = emptyFolder();
    folder.write(LINKS);
    const { "channels/regular/outside.yaml": outside, ...table } = tableOf(
      await directorySource(folder.path).snapshot(everything, run),
    );

    expect(table).toEqual(FOLLOWED);
    expect(outside).toMatch(/^-> /);
  });

  it("reports links that lead out of it, also to a folder whose name begins with its own", async () => {
    const folder = emptyFolder();
    folder.write({
      "repository/channels/fast/a.yaml": { link: "../../../repository-2/a.yaml" },
      "repository-2/a.yaml": "a",
    });
    const table = tableOf(await directorySource(join(folder.path, "repository")).snapshot(everything, run));

    expect(table["channels/fast/a.yaml"]).toContain("repository-2/a.yaml");
  });

  it("may be a link itself", async () => {
    const folder = emptyFolder();
    folder.write({
      "real/channels/fast/a.yaml": "a",
      "real/channels/fast/b.yaml": { link: "a.yaml" },
      link: { link: "real" },
    });

    expect(tableOf(await directorySource(join(folder.path, "link")).snapshot(everything, run))).toEqual({
      "channels/fast/a.yaml": "a",
      "channels/fast/b.yaml": "a",
    });
  });

  it("has links to unrequested files only if their targets are invalid", async () => {
    const folder = emptyFolder();
    folder.write(LINKS);
    const table = tableOf(await directorySource(folder.path).snapshot(() => false, run));

    expect(Object.values(table).every((text) => text.startsWith("-> "))).toBe(true);
    expect(Object.keys(table)).toContain("channels/regular/dangling.yaml");
  });

  it("has the size of files that are too large, without reading them", async () => {
    const folder = emptyFolder();
    folder.write(SIZES);
    const { "channels/fast/largest.yaml": largest, ...table } = tableOf(
      await directorySource(folder.path).snapshot(everything, run),
    );

    expect(largest).toHaveLength(MAX_FILE_BYTES);
    expect(table).toEqual({
      "channels/fast/empty.yaml": "",
      "channels/fast/larger.yaml": `<${MAX_FILE_BYTES + 1} bytes>`,
      "channels/fast/link.yaml": `<${MAX_FILE_BYTES + 1} bytes>`,
    });
  });

  it("does not wait for a pipe in place of a file", async () => {
    const folder = emptyFolder();
    folder.write({ "channels/fast/a.yaml": "a", "channels/fast/link.yaml": { link: "pipe.yaml" } });
    execFileSync("mkfifo", [join(folder.path, "channels/fast/pipe.yaml")]);

    expect(tableOf(await directorySource(folder.path).snapshot(everything, run))).toEqual({
      "channels/fast/a.yaml": "a",
      "channels/fast/link.yaml": mentions("-> channels/fast/pipe.yaml", "not a file"),
    });
  });

  it("fails with the path if it is not readable", async (context) => {
    if (process.getuid?.() === 0) context.skip("root may read everything");
    const folder = emptyFolder();
    folder.write({ "channels/fast/a.yaml": "a" });
    chmodSync(join(folder.path, "channels/fast/a.yaml"), 0);

    const { files } = await directorySource(folder.path).snapshot(everything, run);
    expect(files.get("channels/fast/a.yaml")).toMatchObject({ kind: "bad-link" });
  });

  it("treats a link with an impossible target name as missing", async () => {
    const folder = emptyFolder();
    folder.write({ "channels/fast/a.yaml": { link: "a".repeat(300) } });

    const { files } = await directorySource(folder.path).snapshot(everything, run);
    expect(files.get("channels/fast/a.yaml")).toMatchObject({ kind: "bad-link" });
  });

  it("is not read once the run is aborted", () => {
    const aborted = quietRun(AbortSignal.abort(new Error("interrupted")));

    expect(() => directorySource(emptyFolder().path).snapshot(everything, aborted)).toThrow("interrupted");
  });
});
