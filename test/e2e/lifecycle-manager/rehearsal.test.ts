import { describe, expect, it } from "vitest";
import { listAt, textAt } from "../../../src/document/fields.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { BROKEN, MODULE, SCRIPT, VERSIONS, type Believed, type Situation } from "../../rehearsal/script.ts";
import { believedIn, entriesOf, servedIn, Stage } from "../../rehearsal/stage.ts";
import { pathOf } from "../../sync/outside.ts";
import { openChain, type Chain, type ChainCluster } from "./chain.ts";
import { componentOf, templateSpec } from "./sampleModule.ts";

const NAMESPACE = "kcp-system";
const apiVersion = "operator.kyma-project.io/v1beta2";
const PATIENCE_MS = 90_000;
/** Longer than lifecycle-manager reports Ready for a module that never starts. Milliseconds. */
const QUIET_MS = 3_000;

describe("the rehearsal of lifecycle-manager", () => {
  it("gives the same answers as the real one in every situation of its script", async (context) => {
    const chain = await openChain(context, { dev: ["early"] });
    if (chain.manager.generation === "channel-templates")
      return context.skip("what is rehearsed is lifecycle-manager from 1.8 on");
    chain.breakVersion(MODULE, BROKEN);
    await chain.publish(MODULE, ...VERSIONS);
    const early = chain.cluster("early");
    const stage = new Stage({ channel: "regular" }, { fails: `${MODULE}@${BROKEN}` });
    const answers = { rehearsed: new Map<string, unknown>(), real: new Map<string, unknown>() };
    for (const situation of SCRIPT) {
      stage.enable(...(situation.wish === undefined ? [] : [{ name: MODULE, ...situation.wish }]));
      stage.settle(servedIn(situation));
      await bringAbout(situation, chain, early);
      const rehearsed = stage.believed(MODULE);
      const real = await answerOf(early, rehearsed);
      answers.rehearsed.set(situation.name, rehearsed);
      answers.real.set(situation.name, real);
      console.log(JSON.stringify(real) === JSON.stringify(rehearsed) ? "same     " : "different", situation.name, real);
    }
    expect(answers.rehearsed).toEqual(answers.real);
  }, 1_800_000);
});

async function bringAbout(situation: Situation, chain: Chain, { kcp, outside }: ChainCluster): Promise<void> {
  const templates = Object.entries(situation.templates).map(([version, { beta, ...more }]) => ({
    metadata: { name: `${MODULE}-${version}`, labels: beta ? { "operator.kyma-project.io/beta": "true" } : {} },
    spec: { moduleName: MODULE, ...templateSpec(MODULE, version, chain.registry), ...more },
  }));
  const channels = situation.channels && entriesOf(situation.channels);
  const { name: ocmComponentName } = componentOf(MODULE, "1.0.0");
  const spec = { moduleName: MODULE, ocmComponentName, channels };
  await keepOnly(kcp, "templates", "ModuleTemplate", templates);
  await keepOnly(kcp, "metas", "ModuleReleaseMeta", channels ? [{ metadata: { name: MODULE }, spec }] : []);
  const modules = situation.wish === undefined ? [] : [{ name: MODULE, ...situation.wish }];
  const kyma = `/apis/${apiVersion}/namespaces/kyma-system/kymas/default`;
  await outside.must("PATCH", kyma, { spec: { modules } }, "merge-patch");
}

interface Written {
  readonly metadata: { readonly name: string; readonly labels?: object };
  readonly spec: object;
}

/** Writes objects of a kind, and deletes all others of that kind. */
async function keepOnly(
  { outside }: ChainCluster["kcp"],
  plural: "templates" | "metas",
  kind: string,
  wanted: readonly Written[],
): Promise<void> {
  const { items } = await outside.must("GET", pathOf(plural, NAMESPACE));
  const live = new Map((items as readonly KubernetesObject[]).map((one) => [one.metadata.name, one]));
  for (const { metadata, spec } of wanted) {
    const path = pathOf(plural, NAMESPACE, metadata.name);
    if (live.delete(metadata.name)) await outside.must("PATCH", path, { spec }, "merge-patch");
    else await outside.must("POST", pathOf(plural, NAMESPACE), { apiVersion, kind, metadata, spec });
  }
  for (const name of live.keys()) await outside.must("DELETE", pathOf(plural, NAMESPACE, name));
}

/** The state once it is as expected and stable, or at the end of the time limit. */
async function answerOf(early: ChainCluster, expected: Believed | undefined): Promise<Believed | undefined> {
  const deadlineMs = Date.now() + PATIENCE_MS;
  let sinceMs = Infinity;
  for (;;) {
    await touch(early);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const answer = await believedOn(early);
    const isSame = JSON.stringify(answer) === JSON.stringify(expected);
    sinceMs = isSame ? Math.min(sinceMs, Date.now()) : Infinity;
    if (Date.now() - sinceMs > QUIET_MS || Date.now() > deadlineMs) return answer;
  }
}

/** Makes lifecycle-manager reconcile at once. */
async function touch({ kcp, name }: ChainCluster): Promise<void> {
  const labels = { "example.com/looked": String(Date.now()) };
  await kcp.outside.must("PATCH", pathOf("kymas", NAMESPACE, name), { metadata: { labels } }, "merge-patch");
}

async function believedOn({ kcp, name }: ChainCluster): Promise<Believed | undefined> {
  const kyma = await kcp.outside.must("GET", pathOf("kymas", NAMESPACE, name));
  const manifests = await kcp.outside.must("GET", pathOf("manifests", NAMESPACE));
  const [manifest] = manifests["items"] as readonly KubernetesObject[];
  const said = listAt(kyma, ["status", "modules"]).find((one) => textAt(one, ["name"]) === MODULE);
  return believedIn(said, textAt(manifest, ["spec", "version"]));
}
