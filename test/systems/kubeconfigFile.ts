import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes a kubeconfig of one context, `test`, and gives its path. The file ends with the test. */
export function kubeconfigFile(cluster: object, user: object): string {
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-kubeconfig-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    clusters: [{ name: "test", cluster }],
    users: [{ name: "test", user }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
