import type {} from "vitest";
import { findBinaries } from "../../src/systems/embedded/binaries.ts";
import type { Binaries } from "../../src/systems/embedded/releases.ts";
import { startControlPlane, type EmbeddedControlPlane } from "../../src/systems/embedded/controlPlane.ts";
import { environmentFrom } from "../../src/systems/environment.ts";
import { Fault } from "../../src/ports.ts";
import { quietRun } from "./quietRun.ts";

/** The one control plane of a test run, or why there is none. */
export type SharedControlPlane =
  | {
      /** Path of a kubeconfig file of an administrator. */
      readonly kubeconfig: string;
      readonly server: string;
      /** A bearer token of the same administrator. */
      readonly token: string;
    }
  | { readonly skipped: string };

declare module "vitest" {
  /** What `globalSetup.ts` provides: `inject("controlPlane")`. */
  interface ProvidedContext {
    controlPlane: SharedControlPlane;
  }
}

/** The binaries of this machine (made once per machine, as every command makes them), or why there are none. */
export async function binariesForTests(): Promise<Binaries | { readonly skipped: string }> {
  const progress = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  try {
    return await findBinaries(environmentFrom(process.env), progress, quietRun());
  } catch (error) {
    if (error instanceof Fault) return { skipped: error.message };
    throw error;
  }
}

/** Starts the control plane that all tests of a run share. The caller stops it. */
export async function sharedControlPlane(): Promise<EmbeddedControlPlane | { readonly skipped: string }> {
  const binaries = await binariesForTests();
  return "skipped" in binaries ? binaries : startControlPlane({ name: "tests", binaries }, quietRun());
}
