import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readManifest } from "../../src/kubernetes/manifest.ts";
import { root } from "../house/clone.ts";
import type { SampleVersion } from "./sampleModule.ts";
import { failureOf, openSmokeServer, tryModule } from "./world.ts";
import { long } from "../support/long.ts";

const smokeServer = openSmokeServer();

const MANIFEST = join(root, "../shared/kyma-data/manifests/lifecycle-manager__template-operator-manifest__1.20.4.yaml");

/** The real operator with another tag of its image. */
function operator(text: string, tag: string): SampleVersion {
  const metadata = { name: "sample", namespace: "kyma-system" };
  return {
    objects: () =>
      readManifest(MANIFEST, true, Buffer.from(text.replace("PR-58", tag))).objects.map(({ value }) => value),
    defaultCr: () => ({ apiVersion: "operator.kyma-project.io/v1alpha1", kind: "Sample", metadata, spec: {} }),
  };
}

long("installs, upgrades and removes a real operator", async (context) => {
  if (!existsSync(MANIFEST)) context.skip("there is no ../shared/kyma-data beside this repository");
  const { supply } = await smokeServer(context);
  const text = readFileSync(MANIFEST, "utf8");
  const versions = { "1.0.0": operator(text, "PR-58"), "1.1.0": operator(text, "PR-59") };
  const [result] = await tryModule({ module: "operator", supply, versions, only: "upgrades" });

  expect(failureOf(result)).toEqual([undefined, undefined, undefined]);
});
