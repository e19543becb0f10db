import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import { findOnPath } from "../../src/systems/environment.ts";
import { isExecutable } from "../../src/systems/environment.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import type { World } from "./world.ts";

/** The output of kubectl, and its exit code. */
export interface KubectlOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real kubectl in the world's namespace. */
export type Kubectl = (args: readonly string[], input?: object) => Promise<KubectlOutput>;

/** kubectl from the PATH, or from beside the API server's binary; skips the test if there is none. */
export async function kubectlFor(context: TestContext, { access, namespace }: World): Promise<Kubectl> {
  const program = (await findOnPath("kubectl", process.env)) ?? (await kubectlBesideApiServer());
  if (program === undefined) return context.skip("there is no kubectl");
  const home = mkdtempSync(join(tmpdir(), "kyma-modules-kubectl-"));
  onTestFinished(() => {
    rmSync(home, { recursive: true, force: true });
  });
  const env = { PATH: process.env["PATH"], HOME: home, KUBECONFIG: access.kubeconfig, KUBECTL_APPLYSET: "true" };
  return (args, input) =>
    new Promise((resolve) => {
      const child = execFile(program, ["--namespace", namespace, ...args], { env }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
      });
      child.stdin?.end(input === undefined ? "" : JSON.stringify(input));
    });
}

async function kubectlBesideApiServer(): Promise<string | undefined> {
  const binaries = await binariesForTests();
  if ("skipped" in binaries) return undefined;
  const program = join(dirname(binaries.apiServer), "kubectl");
  return (await isExecutable(program)) ? program : undefined;
}
