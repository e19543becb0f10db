import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { filesOf, type Sample } from "../sync/catalogueFiles.ts";
import { sharedWorld, type World } from "../sync/world.ts";
import { folderWith, run, start } from "./program.ts";
import { kymaIn } from "./promoting.ts";

const SAMPLE: Sample = { channels: { fast: { certs: "1.1.0" }, regular: { certs: "1.0.0" } } };

interface Repository {
  readonly folder: string;
  readonly world: World;
}

/** A repository on disk whose landscape is a namespace of the shared control plane. */
async function repository(context: TestContext, sample: Sample = SAMPLE): Promise<Repository> {
  const world = await sharedWorld(context);
  const folder = folderWith(filesOf({ ...sample, kubeconfig: world.access.kubeconfig, namespace: world.namespace }));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return { folder, world };
}

/** The document that a command printed, once its schema accepted it. */
function documentOf(kind: "plan" | "sync", stdout: string): { readonly items: readonly Record<string, unknown>[] } {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../schemas/output/${kind}.schema.json`), "utf8"),
  ) as object;
  const document = JSON.parse(stdout) as { readonly items: readonly Record<string, unknown>[] };
  const ajv = new Ajv({ formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) } });
  const accepts = ajv.validate(schema, document);
  expect(ajv.errors ?? []).toEqual([]);
  expect(accepts).toBe(true);
  return document;
}

describe("kyma-modules plan", () => {
  it("shows what a sync would do, entry by entry, and writes nothing", async (context) => {
    const { folder, world } = await repository(context);

    const { code, stdout, stderr } = await run(["plan", "dev", "--repo", folder]);

    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "  create    ConfigMap kyma-modules",
      "  create    ModuleTemplate certs-1.0.0",
      "  create    ModuleTemplate certs-1.1.0",
      "  create    ModuleReleaseMeta certs",
      "              fast/certs – → 1.1.0",
      "              regular/certs – → 1.0.0",
      "dev: 4 create",
      "",
    ]);
    expect(code).toBe(0);
    expect(await world.list("templates")).toEqual([]);
  });

  it("exits 1 with --exit-code when there is something to do, and 0 when there is not", async (context) => {
    const { folder } = await repository(context);

    expect((await kymaIn(folder, ["plan", "dev", "--exit-code"])).code).toBe(1);
    expect((await kymaIn(folder, ["sync", "dev"])).code).toBe(0);
    expect((await kymaIn(folder, ["plan", "dev", "--exit-code"])).code).toBe(0);
  });

  it("exits 1 with --exit-code also when there is merely something to wait for", async (context) => {
    const { folder, world } = await repository(context);
    await kymaIn(folder, ["sync", "dev"]);
    const path = `/apis/operator.kyma-project.io/v1beta2/namespaces/${world.namespace}/moduletemplates/certs-1.0.0`;
    await world.outside.must("PATCH", path, { metadata: { finalizers: ["example.com/hold"] } }, "merge-patch");
    await world.outside.must("DELETE", path);

    const { code, stdout } = await kymaIn(folder, ["plan", "dev", "--exit-code"]);
    await world.outside.must("PATCH", path, { metadata: { finalizers: null } }, "merge-patch");

    expect([code, stdout]).toEqual([1, expect.stringContaining("waiting")]);
  });

  it("prints one document that its schema accepts", async (context) => {
    const { folder, world } = await repository(context);
    await kymaIn(folder, ["sync", "dev"]);
    await world.outside.must(
      "DELETE",
      `/apis/operator.kyma-project.io/v1beta2/namespaces/${world.namespace}/moduletemplates/certs-1.0.0`,
    );

    const { items } = documentOf("plan", (await kymaIn(folder, ["plan", "dev", "--format", "json"])).stdout);

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
  });

  it("reads the catalogue of a Git revision, whatever the working tree says", async (context) => {
    const { folder } = await repository(context);
    const { execFileSync } = await import("node:child_process");
    const git = (...args: string[]): void =>
      void execFileSync("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args]);
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
    writeFileSync(join(folder, "channels/fast/certs.yaml"), "not: [a template");

    expect((await kymaIn(folder, ["plan", "dev"])).code).toBe(1);
    const atHead = await kymaIn(folder, ["plan", "dev", "--revision", "HEAD", "--format", "json"]);

    expect(JSON.parse(atHead.stdout)).toMatchObject({ revision: expect.stringMatching(/^[0-9a-f]{40}$/) as string });
    expect((await kymaIn(folder, ["plan", "dev", "--revision", "nowhere"])).code).toBe(2);
  });

  it("still plans the other landscapes when one cannot be reached", async (context) => {
    const { folder } = await repository(context);
    const settings = readFileSync(join(folder, "kyma-modules.yaml"), "utf8");
    writeFileSync(
      join(folder, "kyma-modules.yaml"),
      settings.replace(/"kubeconfig": "[^"]+"/, '"context": "no-such-context"'),
    );

    const { code, stdout, stderr } = await kymaIn(folder, ["plan"]);

    expect(stderr).toMatch(
      /dev: not planned: .* the context no-such-context\.|dev: not planned: Your kubeconfig has no context no-such-context\./,
    );
    expect(documentOf("plan", (await kymaIn(folder, ["plan", "--format", "json"])).stdout).items[0]).toMatchObject({
      landscape: "dev",
      kind: "failed",
      fault: { code: "CONFIGURATION" },
    });
    expect(stdout).toContain("elsewhere: ");
    expect(code).toBe(2);
  });
});

describe("kyma-modules sync", () => {
  it("carries out what plan shows, says so, and has nothing left to do", async (context) => {
    const { folder, world } = await repository(context);

    const first = await run(["sync", "dev", "--repo", folder]);
    const before = await world.versions();
    const second = await kymaIn(folder, ["sync", "dev"]);

    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("dev: 4 create");
    expect(second).toMatchObject({ code: 0, stdout: "dev: 4 unchanged\n", stderr: "" });
    expect(await world.versions()).toEqual(before);
  });

  it("prints one document that its schema accepts", async (context) => {
    const { folder } = await repository(context);

    const { items } = documentOf("sync", (await kymaIn(folder, ["sync", "dev", "--format", "json"])).stdout);

    expect(items.map(({ result }) => result)).toEqual(["done", "done", "done", "done"]);
  });

  it("acts on all landscapes in order, and says that it does not wait", async (context) => {
    const { folder } = await repository(context);

    const { code, stdout, stderr } = await kymaIn(folder, ["sync"]);

    expect(stderr).toContain("Acting at once, without waiting for soaks, on dev, then elsewhere.");
    expect(stdout.indexOf("dev: ")).toBeLessThan(stdout.indexOf("elsewhere: "));
    expect(code).toBe(0);
  });

  it("is not begun when a file is broken; every problem is told with file, line and remedy", async (context) => {
    const { folder, world } = await repository(context);
    writeFileSync(join(folder, "channels/fast/certs.yaml"), "a: 1\na: 2\nb: no\n");
    writeFileSync(join(folder, "channels/regular.yaml"), "format: 2\n");

    const { code, stdout, stderr } = await kymaIn(folder, ["sync", "dev"]);

    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(
      "channels/fast/certs.yaml:2:1: error: The key a stands here twice. [yaml-duplicate-key]\n    Keep one of them.",
    );
    expect(stderr).toContain(
      "channels/fast/certs.yaml:3:4: error: no is a boolean in YAML 1.1, text in YAML 1.2. [yaml-ambiguous]",
    );
    expect(stderr).toContain("channels/regular.yaml:1:9: error:");
    expect(await world.list("templates")).toEqual([]);
  });

  it.each([
    ["an unknown landscape", ["sync", "moon"], "kyma-modules.yaml has no landscape moon. It has: dev, elsewhere."],
    ["an unknown option", ["sync", "--force"], "unknown option '--force'"],
    ["a count that is none", ["sync", "--max-prune", "all"], "It must be a whole number."],
    ["an unknown command", ["snyc"], "(Did you mean sync?)"],
  ])("exits 2 and says what to do for %s", async (_, args, message) => {
    const folder = folderWith(filesOf(SAMPLE));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });

    const { code, stderr } = await run(args[0] === "sync" ? [...args, "--repo", folder] : args);

    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it("exits 2 for a folder that does not exist, and 1 for one that is no catalogue", async () => {
    const empty = folderWith(new Map());
    onTestFinished(() => {
      rmSync(empty, { recursive: true });
    });

    expect(await kymaIn(join(empty, "nowhere"), ["sync"])).toMatchObject({ code: 2 });
    const { code, stderr } = await kymaIn(empty, ["sync"]);

    expect(stderr).toContain("There is no kyma-modules.yaml: this is not a catalogue.");
    expect(code).toBe(1);
  });

  it("stops between two writes when it is interrupted, says how far it came, and completes it the next time", async (context) => {
    const modules = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`mod-${letters(index)}`, "1.0.0"]));
    const { folder, world } = await repository(context, { channels: { fast: modules } });

    const running = start(["sync", "dev", "--repo", folder]);
    await running.says(/create {4}ModuleTemplate/);
    running.signal("SIGINT");
    const { code, stderr } = await running.ended;

    expect(code).toBe(130);
    expect(stderr).toMatch(
      /interrupted with \d+ objects left\. Nothing is half-written: run it again to complete it\./,
    );
    expect((await world.list("templates")).length).toBeLessThan(400);
    expect((await kymaIn(folder, ["sync", "dev"])).code).toBe(0);
    expect(await world.list("templates")).toHaveLength(400);
    expect(await world.list("metas")).toHaveLength(400);
  });
});

function letters(index: number): string {
  return [index % 26, Math.floor(index / 26) % 26, 0].map((digit) => String.fromCharCode(97 + digit)).join("");
}
