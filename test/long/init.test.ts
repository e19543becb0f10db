import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type TestContext } from "vitest";
import { lifecycleManagerDefinitions } from "../../src/kubernetes/customResourceDefinition.ts";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import type { ControlPlane } from "../../src/ports.ts";
import { listAll } from "../../src/sync/observe.ts";
import { installPrerequisites } from "../../src/sync/prerequisites.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { startControlPlane, type EmbeddedControlPlane } from "../../src/systems/embedded/controlPlane.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane as openControlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { start, temporaryFolder, type Ended } from "../house/clone.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { npmUnlessOffline, pack } from "./packed.ts";

const binaries = await binariesForTests();
const folder = temporaryFolder();
const elsewhere = join(folder, "elsewhere");
let offline: string | undefined;
let running: EmbeddedControlPlane | undefined;

/** The package in an empty project beside the catalogues. */
beforeAll(() => {
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
  offline = npmUnlessOffline(["install", pack(folder), "node@24.21.0"], elsewhere);
});

/** A control plane without a sync, as lifecycle-manager installs it. */
beforeEach(async () => {
  if ("skipped" in binaries) return;
  running = await startControlPlane({ name: "kcp-dev", binaries }, quietRun());
  const world = { controlPlane: await served(running), clock: systemClock };
  await installPrerequisites(lifecycleManagerDefinitions(), "kcp-system", world, quietRun());
});

afterEach(() => running?.stop());

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function served({ kubeconfig }: Pick<EmbeddedControlPlane, "kubeconfig">): Promise<ControlPlane> {
  return openControlPlane(await openAccess({ kubeconfig }));
}

/** The names of the modules that the control plane serves. */
async function modulesServed(): Promise<readonly string[]> {
  if (running === undefined) return [];
  const metas = await listAll(await served(running), RESOURCES.moduleReleaseMeta, "kcp-system", quietRun());
  return metas.map(({ metadata }) => metadata.name);
}

/** The commands that `init` prints. */
async function stepsOf(context: TestContext, ...args: readonly string[]): Promise<readonly string[]> {
  if (offline !== undefined) context.skip(offline);
  if ("skipped" in binaries) context.skip(binaries.skipped);
  const ended = await start("npx", ["kyma-modules", "init", ...args], elsewhere).ended;
  const { stdout } = ended;
  expect(ended).toMatchObject({ code: 0 });
  const printed = stdout.slice(stdout.indexOf("\nNext:\n")).split("\n");
  return printed.filter((line) => /^ {2}[^ #]/.test(line)).map((line) => line.trim());
}

/** Runs commands in one shell, which stops at the first that fails. */
function type(commands: readonly string[]): Promise<Ended> {
  const identity = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.c";
  const script = ["set -e", `export KUBECONFIG='${running?.kubeconfig ?? ""}'`, identity, ...commands].join("\n");
  return start("bash", ["-c", script], elsewhere).ended;
}

describe("init from the packed program, outside of the clone", () => {
  it("leads to the first sync with exactly the steps that it prints", async (context) => {
    const steps = await stepsOf(context, "--repo", "../sample", "--sample");
    const { code, stdout, stderr } = await type(steps);

    expect([code, stderr]).toEqual([0, mentions("Stopped", "processes", "data")]);
    expect(steps.at(-1)).toBe("npx kyma-modules sync dev");
    expect(stdout).toContain("No findings in ");
    expect(stdout).toMatch(/dev: 5 added; objects: \d+ created\n$/);
    expect(await modulesServed()).toEqual(["audit-log", "certificates", "object-store"]);
  });

  it("also leads there from the user's own template", async (context) => {
    const steps = await stepsOf(context, "--repo", "../empty");
    // A fictitious module is not published.
    const own = steps.map((step) =>
      step.replace(
        "npx kyma-modules import template.yaml",
        "sed -i.bak 's/^registry:/# &/' kyma-modules.yaml && rm kyma-modules.yaml.bak\n" +
          "npx kyma-modules import ../sample/channels/fast/object-store.yaml",
      ),
    );
    const { code, stdout, stderr } = await type(own);

    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("1 template taken (1 in channels, 0 of versions)");
    expect(stdout).toMatch(/dev: 1 added; objects: \d+ created\n$/);
    expect(await modulesServed()).toEqual(["object-store"]);
  });
});
