import { Fleet } from "../../src/fleet/fleet.ts";
import type { Users } from "../../src/fleet/users.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";

/** A short form of a Kyma and its Manifest. */
export interface Usage {
  readonly module: string;
  readonly kyma?: string;
  readonly channel?: string;
  readonly state?: string;
  /** The version in the status; `undefined`: none. */
  readonly version?: string | undefined;
  /** The version in the Manifest; `version` by default; `null`: none. */
  readonly installed?: string | null;
  /** What the Manifest does not name. */
  readonly lacks?: "version" | "module";
  /** The channel in the spec. */
  readonly chosen?: string;
}

const GROUP = "operator.kyma-project.io";

/** Collects users from Kymas and Manifests as lifecycle-manager writes them. */
export function usersOf(...usages: readonly Usage[]): Users {
  const fleet = new Fleet();
  const kymas = Map.groupBy(usages, ({ kyma = "k" }) => kyma);
  for (const [name, said] of kymas) fleet.setKyma(kymaOf(name, said));
  for (const usage of usages) {
    const { module, kyma = "k", version, installed = version ?? null, lacks } = usage;
    if (installed === null) continue;
    const labels = { [`${GROUP}/kyma-name`]: kyma, ...(lacks !== "module" && { [`${GROUP}/module-name`]: module }) };
    const metadata = { name: `${kyma}-${module}`, labels };
    const spec = lacks === "version" ? {} : { version: installed };
    fleet.setManifest({ apiVersion: `${GROUP}/v1beta2`, kind: "Manifest", metadata, spec });
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
