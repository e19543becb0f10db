import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import type { Ended } from "../../cli/program.ts";
import { objectsIn } from "../../cli/rendering.ts";
import { mentions } from "../../support/mentions.ts";
import { pathOf } from "../../sync/outside.ts";
import { openChain, type Chain } from "./chain.ts";
import { sound } from "./look.ts";

const FILE = "channels/fast/greeter.yaml";

/** Applies printed objects in their order, as Argo CD does by the waves in their annotations. */
async function applyAsArgoCd(printed: Ended, chain: Chain): Promise<void> {
  for (const object of objectsIn(printed)) {
    const kind = object.kind === "ModuleTemplate" ? "templates" : "metas";
    const path = `${pathOf(kind, "kcp-system", object.metadata.name)}?fieldManager=argocd-controller&force=true`;
    await chain.world("dev").outside.must("PATCH", path, object, "apply-patch");
  }
}

/** Commits a version whose template is for beta clusters only. */
function commitForBeta(chain: Chain, version: string): void {
  chain.commit({ fast: { greeter: version } });
  const template = JSON.parse(readFileSync(join(chain.repository.path, FILE), "utf8")) as KubernetesObject;
  const labels = { ...template.metadata.labels, "operator.kyma-project.io/beta": "true" };
  chain.repository.write({ [FILE]: JSON.stringify({ ...template, metadata: { ...template.metadata, labels } }) });
  chain.repository.commit();
}

describe("a new version with the label beta", () => {
  it("is not rendered: lifecycle-manager would uninstall the module", async (context) => {
    const chain = await openChain(context, { dev: ["early"] });
    const early = chain.cluster("early");
    await chain.publish("greeter", "1.0.0", "1.1.0");
    const rendered = chain.commit({ fast: { greeter: "1.0.0" } });
    await applyAsArgoCd(await chain.kyma("render", "dev", "--first"), chain);
    await early.choose({ greeter: "fast" });
    await early.until("greeter", sound("1.0.0"));

    commitForBeta(chain, "1.1.0");
    const refused = await chain.kyma("render", "dev", "--base", rendered);
    const stderr = mentions("refused", "fast/greeter", "[restriction-changed]");
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr });
    await early.stays("greeter", sound("1.0.0"));

    // Who declares that nothing was rendered before gets it, and the harm.
    await applyAsArgoCd(await chain.kyma("render", "dev", "--first"), chain);
    await early.until("greeter", { manifests: [], runs: undefined });
  });
});
