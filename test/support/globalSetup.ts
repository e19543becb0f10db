import type { TestProject } from "vitest/node";
import { sharedControlPlane } from "./controlPlane.ts";

/** Starts one control plane for the whole run, and gives what ends it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = await sharedControlPlane();
  if ("skipped" in started) {
    process.stderr.write(`no control plane for the tests: ${started.skipped}\n`);
    project.provide("controlPlane", started);
    return () => Promise.resolve();
  }
  const { kubeconfig, server, token } = started;
  project.provide("controlPlane", { kubeconfig, server, token });
  return () => started.stop();
}
