import { UserCollector, type Users } from "../../src/fleet/users.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";

/** What a Kyma says that it runs, and what its Manifest installs, in a few words. */
export interface Usage {
  readonly module: string;
  readonly kyma?: string;
  readonly channel?: string;
  readonly state?: string;
  /** What the status says; `undefined`: no version. */
  readonly version?: string | undefined;
  /** What the Manifest says; `version` by default, and none where it is null. */
  readonly installed?: string | null;
  /** The channel that the spec names. */
  readonly chosen?: string;
}

const GROUP = "operator.kyma-project.io";

/** Users, collected from the Kymas and Manifests that lifecycle-manager would have written. */
export function usersOf(...usages: readonly Usage[]): Users {
  const collector = new UserCollector();
  for (const usage of usages) collector.addKyma(kymaOf(usage));
  for (const usage of usages) {
    const { module, kyma = "k", version, installed = version ?? null } = usage;
    if (installed === null) continue;
    const labels = { [`${GROUP}/module-name`]: module, [`${GROUP}/kyma-name`]: kyma };
    const metadata = { name: `${kyma}-${module}`, labels };
    collector.addManifest({ apiVersion: `${GROUP}/v1beta2`, kind: "Manifest", metadata, spec: { version: installed } });
  }
  return collector.collected();
}

function kymaOf({ module, kyma = "k", channel, state = "Ready", version, chosen }: Usage): KubernetesObject {
  const template = version === undefined ? {} : { template: { metadata: { name: `${module}-${version}` } } };
  const status = { name: module, state, ...(channel && { channel }), ...(version && { version }), ...template };
  return {
    apiVersion: `${GROUP}/v1beta2`,
    kind: "Kyma",
    metadata: { name: kyma },
    spec: { channel: "none", modules: chosen === undefined ? [] : [{ name: module, channel: chosen }] },
    status: { modules: [status] },
  };
}
