import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { filesOf } from "../sync/catalogueFiles.ts";
import { folderAt, type Folder } from "../systems/repository.ts";
import { folderWith, type Running } from "./program.ts";

const root = join(import.meta.dirname, "../..");

/** What `kyma-modules demo` prints until it proposes commands, since everything runs. */
export function saidWithTips(demo: Running): Promise<string> {
  return demo.says(/\n {2}export KUBECONFIG=.*\n(?: {2}.*\n){3}/);
}

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

/** A copy of the sample catalogue, committed. The caller removes it. */
export function sampleRepository(): Folder {
  const folder = folderAt(realpathSync(mkdtempSync(join(tmpdir(), "kyma-modules-test-"))));
  for (const name of ["kyma-modules.yaml", "channels", "modules"])
    cpSync(join(root, name), join(folder.path, name), { recursive: true });
  folder.git("init", "--quiet");
  folder.commit();
  return folder;
}

/** A catalogue with one landscape, so that one control plane is started. */
export function smallRepository(): string {
  const landscape = { name: "dev", controlPlane: { context: "kcp-dev" }, lifecycleManager: "version-templates" };
  const files = filesOf({ channels: { fast: { certs: "1.0.0" } }, settings: { landscapes: [landscape] } });
  const policy = JSON.stringify({ format: 1, versions: "any", landscapes: ["dev"] });
  const folder = folderWith(new Map([...files, ["channels/fast.yaml", policy]]));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}
