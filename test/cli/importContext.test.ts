import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { stringify } from "yaml";
import { describe, expect, it } from "vitest";
import { complete, MODULE_LABEL, releaseMeta } from "../catalogue/import/samples.ts";
import { pathOf } from "../sync/outside.ts";
import { sharedWorld } from "../sync/world.ts";
import { mentions } from "../support/mentions.ts";
import { filesIn, inputs } from "./importing.ts";
import { run } from "./program.ts";

/** The name of the only context of a kubeconfig. */
function contextIn({ kubeconfig }: { readonly kubeconfig: string }): string {
  const { "current-context": name } = load(readFileSync(kubeconfig, "utf8")) as { readonly "current-context": string };
  return name;
}

describe("kyma-modules import --context", () => {
  it("reports a namespace without objects, and settings that cannot tell which one", async (context) => {
    const { namespace, access } = await sharedWorld(context);
    const name = contextIn(access);
    const settings = stringify({
      format: 1,
      landscapes: [{ name: "dev", controlPlane: { context: name }, namespace: `${namespace}-typo` }],
    });
    const folders = [settings, settings.replace("landscapes", "landscape")].map((text) =>
      inputs({ "kyma-modules.yaml": text }),
    );
    const [empty, broken] = await Promise.all(
      folders.map((repository) =>
        run(["import", "--context", name, "--repo", repository], { KUBECONFIG: access.kubeconfig }),
      ),
    );

    expect([empty?.code, empty?.stdout]).toEqual([2, ""]);
    expect(empty?.stderr).toEqual(mentions("ModuleReleaseMeta", `namespace ${namespace}-typo`));
    expect([broken?.code, broken?.stdout]).toEqual([2, ""]);
    expect(broken?.stderr).toEqual(mentions("kyma-modules.yaml", `namespace of ${name}`, "kyma-modules check"));
    for (const folder of folders) expect(Object.keys(filesIn(folder))).toEqual(["kyma-modules.yaml"]);
  });

  it("imports from a control plane, in the namespace of the settings", async (context) => {
    const world = await sharedWorld(context);
    const { namespace, outside, access } = world;
    const served = {
      ...complete("istio", "1.0.0"),
      metadata: { name: "istio-1.0.0", namespace, labels: { [MODULE_LABEL]: "istio" } },
    };
    const meta = releaseMeta("istio", { channels: [{ channel: "fast", version: "1.0.0" }] }, { namespace });
    await outside.must("POST", pathOf("templates", namespace), served);
    await outside.must("POST", pathOf("metas", namespace), meta);
    const name = contextIn(access);
    const settings = stringify({
      format: 1,
      landscapes: [{ name: "dev", controlPlane: { context: name }, namespace }],
    });
    const repository = inputs({ "kyma-modules.yaml": settings });

    const { code, stdout, stderr } = await run(["import", "--context", name, "--repo", repository], {
      KUBECONFIG: access.kubeconfig,
    });

    expect(stderr).toBe("");
    expect(stdout).toContain(`from ${name}: ModuleTemplate istio-1.0.0\n`);
    expect(code).toBe(0);
    expect(Object.keys(filesIn(repository))).toEqual([
      "channels/fast.yaml",
      "channels/fast/istio.yaml",
      "kyma-modules.yaml",
      "modules/istio/1.0.0/template.yaml",
    ]);
    expect(load(readFileSync(join(repository, "channels/fast/istio.yaml"), "utf8"))).toEqual({
      ...served,
      metadata: { ...served.metadata, name: "istio-fast", namespace: "kcp-system" },
      spec: { channel: "fast", descriptor: {}, moduleName: "istio", version: "1.0.0" },
    });
  });
});
