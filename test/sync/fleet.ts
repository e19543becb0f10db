import { pathOf } from "./outside.ts";
import type { World } from "./world.ts";

const apiVersion = "operator.kyma-project.io/v1beta2";

/** The status of one module in a Kyma. */
export interface RunningModule {
  readonly name: string;
  readonly channel: string;
  /** `undefined`: none is named. */
  readonly version?: string | undefined;
  /** `Ready` by default. */
  readonly state?: string;
  readonly message?: string;
  readonly maintenance?: boolean;
}

/** Other fields of a Kyma. */
export interface KymaSaid {
  readonly labels?: Readonly<Record<string, string>>;
  readonly conditions?: readonly object[];
  /** The modules of its spec. */
  readonly chosen?: readonly object[];
}

/** Writes a Kyma with these modules in its status, as lifecycle-manager does. */
export async function writeKyma(
  world: World,
  name: string,
  running: readonly RunningModule[],
  { labels = {}, conditions = [], chosen = [] }: KymaSaid = {},
): Promise<void> {
  const spec = { channel: "regular", modules: chosen };
  const object = { apiVersion, kind: "Kyma", metadata: { name, labels }, spec };
  await world.outside.must("POST", pathOf("kymas", world.namespace), object);
  const modules = running.map(({ name: module, version = "", ...said }) => ({
    ...{ name: module, state: "Ready", ...(version !== "" && { version }), ...said },
    fqdn: `example.com/module/${module}`,
    template: { apiVersion, kind: "ModuleTemplate", metadata: { name: `${module}-${version}`, generation: 1 } },
  }));
  const status = { state: "Ready", lastOperation: { operation: "" }, modules, conditions };
  await world.outside.must("PATCH", `${pathOf("kymas", world.namespace, name)}/status`, { status }, "merge-patch");
}

/** Writes the state of an existing Manifest, with its time. */
export async function setManifestState(world: World, name: string, state: string, since: Date): Promise<void> {
  const status = { state, lastOperation: { operation: "", lastUpdateTime: since.toISOString() } };
  await world.outside.must("PATCH", `${pathOf("manifests", world.namespace, name)}/status`, { status }, "merge-patch");
}

/** Writes a Manifest of a version, as lifecycle-manager does. Without `kyma`, its owner is unknown. */
export async function writeManifest(
  world: World,
  name: string,
  module: string,
  version: string,
  kyma?: string,
): Promise<void> {
  const labels = {
    "operator.kyma-project.io/module-name": module,
    ...(kyma !== undefined && { "operator.kyma-project.io/kyma-name": kyma }),
  };
  const spec = { version, remote: true, install: { name: "raw-manifest", source: {} } };
  await world.outside.must("POST", pathOf("manifests", world.namespace), {
    apiVersion,
    kind: "Manifest",
    metadata: { name, labels },
    spec,
  });
}
