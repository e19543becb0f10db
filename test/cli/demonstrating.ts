import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** What `kyma-modules demo` printed as the address of its control planes. */
export function kubeconfigIn(said: string): string {
  return /export KUBECONFIG=(\S+)/.exec(said)?.[1] ?? "";
}

/** A folder for temporary files of one program, and what is left in it. */
export function ownTemporaryFolder(): {
  readonly environment: { readonly TMPDIR: string };
  readonly left: () => readonly string[];
} {
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-test-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return { environment: { TMPDIR: folder }, left: () => readdirSync(folder) };
}
