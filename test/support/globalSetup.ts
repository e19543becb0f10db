import type { TestProject } from "vitest/node";
import { ProgramPool } from "../cli/programPool.ts";
import { sharedControlPlane } from "./controlPlane.ts";

/** Starts one control plane and what runs the program for the whole run, and gives what ends them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [programs, stop] = await Promise.all([ProgramPool.open(), startControlPlane(project)]);
  project.provide("programs", programs.address);
  return async () => {
    programs.close();
    await stop();
  };
}

async function startControlPlane(project: TestProject): Promise<() => Promise<void>> {
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
