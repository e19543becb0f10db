import { Fleet } from "../../src/fleet/fleet.ts";
import type { Users } from "../../src/fleet/users.ts";
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
  const fleet = new Fleet();
  const kymas = Map.groupBy(usages, ({ kyma = "k" }) => kyma);
  for (const [name, said] of kymas) fleet.setKyma(kymaOf(name, said));
  for (const usage of usages) {
    const { module, kyma = "k", version, installed = version ?? null } = usage;
    if (installed === null) continue;
    const labels = { [`${GROUP}/module-name`]: module, [`${GROUP}/kyma-name`]: kyma };
    const metadata = { name: `${kyma}-${module}`, labels };
    fleet.setManifest({ apiVersion: `${GROUP}/v1beta2`, kind: "Manifest", metadata, spec: { version: installed } });
  }
  return fleet.users();
}

function kymaOf(name: string, usages: readonly Usage[]): KubernetesObject {
  const modules = usages.map(({ module, channel, state = "Ready", version }) => {
    const template = version === undefined ? {} : { template: { metadata: { name: `${module}-${version}` } } };
    return { name: module, state, ...(channel && { channel }), ...(version && { version }), ...template };
  });
  const chosen = usages.flatMap(({ module, chosen: channel }) =>
    channel === undefined ? [] : [{ name: module, channel }],
  );
  return {
    apiVersion: `${GROUP}/v1beta2`,
    kind: "Kyma",
    metadata: { name },
    spec: { channel: "none", modules: chosen },
    status: { modules },
  };
}
