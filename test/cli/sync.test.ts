import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { filesOf } from "../sync/catalogueFiles.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { folderWith, run, start } from "./program.ts";
import { kymaIn, NO_CATALOGUE } from "./promoting.ts";
import { documentOf, plainFolder, SAMPLE, servedIn, twoLandscapes } from "./syncing.ts";

describe("kyma-modules sync", () => {
  it("carries out and prints what plan shows, then has nothing to do", async (context) => {
    const { folder, world } = await plainFolder(context);

    const first = await run(["sync", "dev", "--worktree", "--repo", folder]);
    const before = await world.versions();
    const second = await kymaIn(folder, ["sync", "dev", "--worktree"]);

    expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Syncing .*folder.*\n$/) as string });
    expect(first.stdout).toContain("  created   ModuleTemplate certs-1.1.0\n");
    expect(first.stdout).toContain("  added     fast/certs – → 1.1.0\n");
    expect(first.stdout).toContain("dev: 2 added; objects: 4 created\n");
    expect(second.code).toBe(0);
    expect(second.stdout.split("\n").filter((line) => !line.startsWith("  note: "))).toEqual(["dev: 2 unchanged", ""]);
    expect(await world.versions()).toEqual(before);
  });

  it("prints one document that matches its schema", async (context) => {
    const { folder } = await plainFolder(context);

    const { items } = documentOf(
      "sync",
      (await kymaIn(folder, ["sync", "dev", "--worktree", "--format", "json"])).stdout,
    );

    expect(items.map(({ result }) => result)).toEqual(Array(6).fill("done"));
    expect(items.filter(({ object }) => object !== undefined)).toHaveLength(4);
    expect(items.flatMap(({ entry, kind, from, to }) => (entry === undefined ? [] : [[kind, from, to]]))).toEqual([
      ["create", undefined, "1.1.0"],
      ["create", undefined, "1.0.0"],
    ]);
  });

  it("syncs a commit to all landscapes in order, regardless of the working tree", async (context) => {
    const { repository, dev, elsewhere, commit } = await twoLandscapes(context);
    const revision = commit(SAMPLE);
    repository.write({ "channels/fast/certs.yaml": "not: [a template" });

    const { code, stdout, stderr } = await kymaIn(repository.path, ["sync"]);

    expect(stderr).toBe(`Syncing commit ${revision.slice(0, 10)}.\n`);
    expect(stdout.indexOf("dev: ")).toBeGreaterThan(0);
    expect(stdout.indexOf("dev: ")).toBeLessThan(stdout.indexOf("elsewhere: "));
    expect(code).toBe(0);
    for (const world of [dev, elsewhere])
      expect(await servedIn(world, "certs")).toEqual({ fast: "1.1.0", regular: "1.0.0" });
  });

  it("writes nothing of broken files, and reports every problem with file, line and remedy", async (context) => {
    const { folder, world } = await plainFolder(context);
    writeFileSync(join(folder, "channels/fast/certs.yaml"), "a: 1\na: 2\nb: no\n");
    writeFileSync(join(folder, "channels/regular.yaml"), "format: 2\n");

    const { code, stdout, stderr } = await kymaIn(folder, ["sync", "dev", "--worktree"]);

    expect(code).toBe(1);
    expect(stdout).toContain("dev: objects: 1 created");
    const remedied = /^channels\/fast\/certs\.yaml:2:1: error: .*\ba\b.* \[yaml-duplicate-key\]\n {4}\S/m;
    expect(stderr).toMatch(remedied);
    expect(stderr).toEqual(
      mentions("channels/fast/certs.yaml:3:4: error: no", "1.1", "1.2", "[yaml-ambiguous]", '"no"'),
    );
    expect(stderr).toContain("channels/regular.yaml:1:9: error:");
    expect(await world.list("templates")).toEqual([]);
  });

  it.each([
    ["an unknown landscape", ["sync", "moon", "--worktree"], ["kyma-modules.yaml", "landscape moon", "dev, elsewhere"]],
    ["an unknown option", ["sync", "--force"], ["option '--force'"]],
    ["an invalid duration", ["sync", "--wait", "soon"], ["'--wait <duration>'", "'soon'", "30s"]],
    [
      "a commit and the working tree at once",
      ["sync", "--worktree", "--revision", "HEAD"],
      ["'--revision <rev>'", "'--worktree'"],
    ],
    ["an invalid count", ["sync", "--max-prune", "all"], ["'--max-prune <count>'", "'all'", "number"]],
    ["an unknown command", ["snyc"], ["command 'snyc'", "sync?"]],
  ])("exits 2 with a remedy for %s", async (_, args, parts) => {
    const folder = folderWith(filesOf(SAMPLE));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });

    const { code, stderr } = await run(args[0] === "sync" ? [...args, "--repo", folder] : args);

    expect(stderr).toEqual(mentions("error:", ...parts));
    expect(code).toBe(2);
  });

  it("exits 2 for a missing folder, and one without a catalogue", async () => {
    const empty = folderWith(new Map());
    onTestFinished(() => {
      rmSync(empty, { recursive: true });
    });

    expect(await kymaIn(join(empty, "nowhere"), ["sync"])).toMatchObject({ code: 2 });
    expect(await kymaIn(join(empty, "nowhere"), ["sync", "--worktree"])).toMatchObject({ code: 2 });
    const { code, stderr } = await kymaIn(empty, ["sync", "--worktree"]);

    expect(stderr).toEqual(NO_CATALOGUE);
    expect(code).toBe(2);
  });

  it("exits 2 for --publish without --watch, because nothing would be published", async () => {
    const { code, stderr } = await run(["sync", "dev", "--publish"]);

    expect([code, stderr]).toEqual([2, expect.stringContaining("--publish needs --watch")]);
  });

  long(
    "stops between two writes on an interruption, reports its progress, and completes the work next time",
    async (context) => {
      const modules = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`mod-${letters(index)}`, "1.0.0"]));
      const { folder, world } = await plainFolder(context, { channels: { fast: modules } });

      const running = start(["sync", "dev", "--worktree", "--repo", folder]);
      await running.says(/created {3}ModuleTemplate/);
      running.signal("SIGINT");
      const { code, stderr } = await running.ended;

      expect(code).toBe(130);
      expect(stderr).toMatch(/\binterrupted with \d+ objects\b/);
      expect((await world.list("templates")).length).toBeLessThan(400);
      expect((await kymaIn(folder, ["sync", "dev", "--worktree"])).code).toBe(0);
      expect(await world.list("templates")).toHaveLength(400);
      expect(await world.list("metas")).toHaveLength(400);
    },
  );
});

function letters(index: number): string {
  return [index % 26, Math.floor(index / 26) % 26, 0].map((digit) => String.fromCharCode(97 + digit)).join("");
}
