import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { changes } from "../../../src/systems/files/watch.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, type Folder } from "../repository.ts";

/** A catalogue on disk, and its changes. */
function watched(): {
  readonly folder: Folder;
  readonly next: () => Promise<IteratorResult<undefined>>;
  readonly stop: AbortController;
} {
  const folder = emptyFolder();
  folder.write({ "kyma-modules.yaml": "s", "channels/fast/a.yaml": "a", "modules/a/module.yaml": "m" });
  const stop = new AbortController();
  // A missed change would be seen an hour later.
  const iterator = changes(folder.path, 3_600_000, quietRun(stop.signal));
  onTestFinished(() => {
    stop.abort();
  });
  return { folder, next: () => iterator.next(), stop };
}

describe("watching a catalogue", () => {
  const edits: readonly [string, (folder: Folder) => void][] = [
    [
      "a file that is saved",
      ({ write }) => {
        write({ "channels/fast/a.yaml": "b" });
      },
    ],
    [
      "a new file in a new folder",
      ({ write }) => {
        write({ "channels/slow/a.yaml": "b" });
      },
    ],
    [
      "a file that is removed",
      ({ remove }) => {
        remove("modules/a/module.yaml");
      },
    ],
    [
      "the settings",
      ({ write }) => {
        write({ "kyma-modules.yaml": "t" });
      },
    ],
    [
      "a file that is replaced by another, as editors do",
      ({ path, write }) => {
        write({ "channels/fast/.a.yaml.swp": "b" });
        renameSync(join(path, "channels/fast/.a.yaml.swp"), join(path, "channels/fast/a.yaml"));
      },
    ],
    [
      "a folder that is replaced, as a checkout does",
      ({ path, write }) => {
        rmSync(join(path, "channels"), { recursive: true });
        write({ "channels/fast/a.yaml": "c" });
      },
    ],
  ];

  it.each(edits)("notices %s", async (_, edit) => {
    const { folder, next } = watched();
    const noticed = next();
    edit(folder);

    expect(await noticed).toEqual({ done: false, value: undefined });
  });

  it("notices successive changes, also after the folder was replaced", async () => {
    const { folder, next } = watched();
    let noticed = next();
    for (const round of [1, 2, 3]) {
      folder.remove("channels");
      folder.write({ "channels/fast/a.yaml": String(round) });
      expect((await noticed).done).toBe(false);
      noticed = next();
    }
    folder.write({ "channels/fast/a.yaml": "last" });

    expect((await noticed).done).toBe(false);
  });

  it("notices a change while the caller still handles the previous one", async () => {
    const { folder, next } = watched();
    const noticed = next();
    folder.write({ "channels/fast/a.yaml": "1" });
    await noticed;
    folder.write({ "channels/fast/a.yaml": "2" });

    expect((await next()).done).toBe(false);
  });

  it("treats the removal and rewrite of a file, as by Git, as one change", async () => {
    const { folder, next } = watched();
    const noticed = next();
    folder.remove("channels/fast/a.yaml");
    setTimeout(() => {
      folder.write({ "channels/fast/a.yaml": "b" });
    }, 120);
    await noticed;

    expect(existsSync(join(folder.path, "channels/fast/a.yaml"))).toBe(true);
  });

  it("yields regularly without change events, for example for folders that do not exist yet", async () => {
    const folder = emptyFolder();
    const stop = new AbortController();
    onTestFinished(() => {
      stop.abort();
    });
    const iterator = changes(join(folder.path, "not-there-yet"), 50, quietRun(stop.signal));

    expect(await iterator.next()).toEqual({ done: false, value: undefined });
  });

  it("ends when the run is aborted, during or before the wait", async () => {
    const { next, stop } = watched();
    const waiting = next();
    stop.abort();

    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await changes(emptyFolder().path, 3_600_000, quietRun(AbortSignal.abort())).next()).toEqual({
      done: true,
      value: undefined,
    });
  });
});
