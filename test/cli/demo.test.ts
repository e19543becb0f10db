import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { listAll } from "../../src/sync/observe.ts";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import { quietRun } from "../support/controlPlane.ts";
import { run, start } from "./program.ts";

const root = join(import.meta.dirname, "../..");

/** A copy of the sample catalogue that a test may change. */
function sampleRepository(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kyma-modules-test-")));
  for (const name of ["kyma-modules.yaml", "channels", "modules"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

function edit(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(from);
  writeFileSync(file, text.replace(from, to));
}

async function servedVersions(kubeconfig: string, name: string): Promise<unknown> {
  const server = controlPlane(await openAccess({ kubeconfig }));
  const metas = await listAll(server, RESOURCES.moduleReleaseMeta, "kcp-system", quietRun());
  return metas.find(({ metadata }) => metadata.name === name)?.["spec"];
}

describe("kyma-modules demo", () => {
  beforeEach((context) => {
    const shared = inject("controlPlane");
    if ("skipped" in shared) context.skip(shared.skipped);
  });

  it("serves the sample on two control planes, shows what they serve, and leaves nothing behind", async () => {
    const { code, stdout, stderr } = await run(["demo", "--once", "--repo", sampleRepository()]);

    expect(code).toBe(0);
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "CHANNEL       MODULE          DEV                 PROD",
      "experimental  data-pipeline   0.3.0-experimental  –",
      "fast          certificates    1.5.0               1.5.0",
    ]);
    expect(stdout.split("\n").every((line) => line.length <= 80)).toBe(true);
    expect(stderr).not.toContain("KUBECONFIG");
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("kyma-modules-kcp-"))).toEqual([]);
    expect(stderr.trim().split("\n").at(-1)).toBe("Stopped: no process and no folder is left.");
  });

  it("follows the files: edits, mistakes, removals; and ends at once on Ctrl-C", async () => {
    const repository = sampleRepository();
    const file = join(repository, "channels/fast/certificates.yaml");
    const original = readFileSync(file, "utf8");
    const demo = start(["demo", "--repo", repository]);
    const kubeconfig = /export KUBECONFIG=(\S+) {3}# dev/.exec(await demo.says(/Try in another terminal/))?.[1] ?? "";

    const planned = await run(["plan", "dev", "--worktree", "--exit-code", "--repo", repository], {
      KUBECONFIG: kubeconfig,
    });
    expect(planned.stdout).toMatch(/(^|\n)dev: \d+ unchanged\n$/);
    expect(planned.code).toBe(0);

    edit(file, /^ {2}version: 1\.5\.0$/m, "  version: 1.6.0");
    const said = await demo.says(/prod +fast\/certificates 1\.5\.0 → 1\.6\.0 +\d+\.\d s/);
    expect(said).toContain("warning: spec.version is 1.6.0, but spec.descriptor.component.version is 1.5.0.");
    await demo.says(/dev +fast\/certificates 1\.5\.0 → 1\.6\.0/);
    expect(await servedVersions(kubeconfig, "certificates")).toMatchObject({
      channels: [
        { channel: "fast", version: "1.6.0" },
        { channel: "regular", version: "1.4.2" },
      ],
    });

    writeFileSync(file, `${original}broken: [\n`);
    expect(await demo.says(/The control planes stay as they were\./)).toMatch(
      /channels\/fast\/certificates\.yaml:\d+:\d+: error: This is not YAML/,
    );
    expect(await servedVersions(kubeconfig, "certificates")).toMatchObject({ channels: [{ version: "1.6.0" }, {}] });

    writeFileSync(file, original);
    await demo.says(/dev +fast\/certificates 1\.6\.0 → 1\.5\.0/);

    edit(file, "documentation: https://", "documentation: https://other.");
    await demo.says(/dev +warning: other content under a version that was served already/);

    rmSync(join(repository, "channels/experimental/data-pipeline.yaml"));
    await demo.says(/dev +experimental\/data-pipeline 0\.3\.0-experimental → –/);
    expect(await servedVersions(kubeconfig, "data-pipeline")).toBeUndefined();

    demo.signal("SIGINT");
    const { code, stderr } = await demo.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("Stopped: no process and no folder is left.");
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it("gives tips that work as printed", async () => {
    const repository = sampleRepository();
    const git = (...args: string[]): void =>
      void execFileSync("git", ["-C", repository, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args]);
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "sample");
    const demo = start(["demo", "--repo", repository]);
    const said = await demo.says(/Try in another terminal[\s\S]*checkout/);
    const commands = said
      .slice(said.indexOf("Try in"))
      .split("\n")
      .slice(1, 4)
      .map((line) => line.trim());
    const shell = (command: string): string =>
      execFileSync("sh", ["-c", command], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        env: { ...process.env, HOME: repository },
      });

    expect(commands.filter((command) => command !== "").length).toBeGreaterThanOrEqual(2);
    for (const command of commands.filter((text) => text.startsWith("kubectl")))
      expect(shell(command)).toContain("moduletemplate");
    for (const command of commands.filter((text) => text.startsWith("perl"))) shell(command);
    await demo.says(/dev +fast\/certificates 1\.5\.0 → 1\.5\.1/);
    for (const command of commands.filter((text) => text.startsWith("git"))) shell(command);
    await demo.says(/dev +fast\/certificates 1\.5\.1 → 1\.5\.0/);
    demo.signal("SIGTERM");

    expect((await demo.ended).code).toBe(143);
  });

  it("refuses a repository that is none, and definitions that are none, before it starts anything", async () => {
    const repository = sampleRepository();

    expect(await run(["demo", "--repo", join(repository, "channels")])).toMatchObject({ code: 1 });
    const { code, stderr } = await run(["demo", "--repo", repository, "--crds", join(repository, "channels")]);
    expect(stderr).toContain("There is no CustomResourceDefinition in");
    expect(code).toBe(2);
  });
});
