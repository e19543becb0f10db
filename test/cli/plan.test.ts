import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf } from "../sync/catalogueFiles.ts";
import { pathOf } from "../sync/outside.ts";
import { emptyFolder, emptyRepository } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import { run } from "./program.ts";
import { kymaIn } from "./promoting.ts";
import { documentOf, plainFolder, SAMPLE, twoLandscapes } from "./syncing.ts";

const WORKTREE = ["plan", "dev", "--worktree"];

describe("kyma-modules plan", () => {
  it("shows what a sync would do, objects before entries, and writes nothing", async (context) => {
    const { folder, world } = await plainFolder(context);

    const { code, stdout, stderr } = await run([...WORKTREE, "--repo", folder]);

    expect(stderr).toMatch(/^Planning .*folder.*\n$/);
    expect(stdout.split("\n").filter((line) => !line.startsWith("  note: "))).toEqual([
      "  create    ConfigMap kyma-modules",
      "  create    ModuleTemplate certs-1.0.0",
      "  create    ModuleTemplate certs-1.1.0",
      "  create    ModuleReleaseMeta certs",
      "  add       fast/certs – → 1.1.0",
      "  add       regular/certs – → 1.0.0",
      "dev: 2 add; objects: 4 create",
      "",
    ]);
    expect(code).toBe(0);
    expect(await world.list("templates")).toEqual([]);
    expect(await world.read("configmaps", "kyma-modules")).toBeUndefined();
  });

  it("exits 1 with --exit-code if there is something to do, else 0", async (context) => {
    const { folder } = await plainFolder(context);

    expect((await kymaIn(folder, [...WORKTREE, "--exit-code"])).code).toBe(1);
    expect((await kymaIn(folder, ["sync", "dev", "--worktree"])).code).toBe(0);
    expect((await kymaIn(folder, [...WORKTREE, "--exit-code"])).code).toBe(0);
  });

  it("exits 1 if a wanted object is being deleted, with or without --exit-code", async (context) => {
    const { folder, world } = await plainFolder(context);
    await kymaIn(folder, ["sync", "dev", "--worktree"]);
    const path = pathOf("templates", world.namespace, "certs-1.0.0");
    await world.outside.must("PATCH", path, { metadata: { finalizers: ["example.com/hold"] } }, "merge-patch");
    await world.outside.must("DELETE", path);

    const asked = await kymaIn(folder, [...WORKTREE, "--exit-code"]);
    const merely = await kymaIn(folder, WORKTREE);
    await world.outside.must("PATCH", path, { metadata: { finalizers: null } }, "merge-patch");

    expect([asked.code, asked.stdout]).toEqual([1, expect.stringContaining("waiting")]);
    expect(merely.code).toBe(1);
  });

  it("prints one document that matches its schema, with objects and entries", async (context) => {
    const { folder, world } = await plainFolder(context);
    await kymaIn(folder, ["sync", "dev", "--worktree"]);
    await world.outside.must("DELETE", pathOf("templates", world.namespace, "certs-1.0.0"));

    const { items } = documentOf("plan", (await kymaIn(folder, [...WORKTREE, "--format", "json"])).stdout);

    expect(items).toContainEqual({
      landscape: "dev",
      kind: "create",
      object: { kind: "ModuleTemplate", name: "certs-1.0.0" },
      missedBy: "ModuleReleaseMeta certs",
    });
    expect(items).toContainEqual({
      landscape: "dev",
      kind: "unchanged",
      object: { kind: "ModuleReleaseMeta", name: "certs" },
    });
    expect(items).toContainEqual({
      landscape: "dev",
      kind: "unchanged",
      entry: { channel: "fast", module: "certs", mandatory: false },
      from: "1.1.0",
      to: "1.1.0",
    });
  });

  it("reads HEAD or another commit, regardless of the working tree, and names it", async (context) => {
    const { repository, commit } = await twoLandscapes(context);
    const first = commit(SAMPLE, "first");
    const second = commit(SAMPLE, "second");
    repository.write({ "channels/fast/certs.yaml": "not: [a template" });

    const lying = await kymaIn(repository.path, WORKTREE);
    const atHead = await kymaIn(repository.path, ["plan", "dev", "--format", "json"]);
    const named = await kymaIn(repository.path, ["plan", "dev", "--revision", "HEAD~1", "--format", "json"]);

    expect(lying.code).toBe(1);
    expect(atHead.stderr).toBe(`Planning commit ${second.slice(0, 10)}.\n`);
    expect(JSON.parse(atHead.stdout)).toMatchObject({ revision: second });
    expect(named.stderr).toBe(`Planning commit ${first.slice(0, 10)}.\n`);
    expect(JSON.parse(named.stdout)).toMatchObject({ revision: first });
    expect((await kymaIn(repository.path, ["plan", "dev", "--revision", "nowhere"])).code).toBe(2);
  });

  it("names the recorded commit of the set, and the next one", async (context) => {
    const { repository, commit } = await twoLandscapes(context);
    const first = commit(SAMPLE, "first");
    await kymaIn(repository.path, ["sync", "dev"]);
    const second = commit(SAMPLE, "second");

    const { stdout } = await kymaIn(repository.path, ["plan", "dev"]);
    const { items } = documentOf("plan", (await kymaIn(repository.path, ["plan", "dev", "--format", "json"])).stdout);

    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "  change    ConfigMap kyma-modules",
      `              metadata.annotations["kyma-modules/revision"]: ${first.slice(0, 10)} → ${second.slice(0, 10)}`,
    ]);
    expect(items).toContainEqual({
      landscape: "dev",
      kind: "change",
      object: { kind: "ConfigMap", name: "kyma-modules" },
      cause: "repository",
      by: [],
      fields: [
        { path: 'metadata.annotations["kyma-modules/revision"]', kind: "changed", wanted: second, found: first },
      ],
    });
  });

  it("names the commit of the working tree, and whether it has changes", async (context) => {
    const { repository, commit } = await twoLandscapes(context);
    const on = commit(SAMPLE).slice(0, 10);
    const clean = await kymaIn(repository.path, WORKTREE);
    repository.write({ "channels/slow.yaml": "format: 1\nlandscapes: [dev]\n" });
    const dirty = await kymaIn(repository.path, WORKTREE);

    for (const { stderr } of [clean, dirty]) expect(stderr).toEqual(mentions("Planning", "working tree", on));
    expect([clean, dirty].map(({ stderr }) => stderr.includes("uncommitted"))).toEqual([false, true]);
  });

  it.each([
    ["a folder outside of a Git repository", emptyFolder],
    ["a Git repository without a commit", emptyRepository],
  ])("exits 2 for %s, unless --worktree is given", async (_, make) => {
    const folder = make();
    folder.write(Object.fromEntries(filesOf(SAMPLE)));

    const { code, stderr } = await kymaIn(folder.path, ["plan", "dev"]);

    expect(stderr).toContain("--worktree");
    expect(code).toBe(2);
  });

  it("plans the other landscapes when one cannot be reached", async (context) => {
    const { folder } = await plainFolder(context);
    const settings = readFileSync(join(folder, "kyma-modules.yaml"), "utf8");
    writeFileSync(
      join(folder, "kyma-modules.yaml"),
      settings.replace(/"kubeconfig": "[^"]+"/, '"context": "no-such-context"'),
    );

    const { code, stdout, stderr } = await kymaIn(folder, ["plan", "--worktree"]);
    const { items } = documentOf("plan", (await kymaIn(folder, ["plan", "--worktree", "--format", "json"])).stdout);

    expect(stderr).toMatch(/dev: not planned: .*no-such-context/);
    expect(items[0]).toMatchObject({ landscape: "dev", kind: "failed", fault: { code: "CONFIGURATION" } });
    expect(stdout).toContain("elsewhere: ");
    expect(code).toBe(2);
  });

  it("plans nothing for a missing namespace, because an address may be misspelt", async (context) => {
    const { folder, world } = await plainFolder(context);
    const path = join(folder, "kyma-modules.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace(world.namespace, `${world.namespace}-misspelt`));
    const { code, stderr } = await kymaIn(folder, WORKTREE);

    expect(stderr).toMatch(/dev: not planned: .*https:\S+ .*namespace t-\S+-misspelt\b.*kyma-modules\.yaml/);
    expect(code).toBe(3);
  });
});
