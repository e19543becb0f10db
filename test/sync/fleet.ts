import { pathOf } from "./outside.ts";
import type { World } from "./world.ts";

const apiVersion = "operator.kyma-project.io/v1beta2";

/** What a Kyma's status says of one module. */
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

/** What else a Kyma says. */
export interface KymaSaid {
  readonly labels?: Readonly<Record<string, string>>;
  readonly conditions?: readonly object[];
  /** The modules of its spec. */
  readonly chosen?: readonly object[];
}

/** Writes a Kyma whose status says that it runs these modules, as lifecycle-manager would. */
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

/** Says of a Manifest that is there in which state it is, and since when. */
export async function setManifestState(world: World, name: string, state: string, since: Date): Promise<void> {
  const status = { state, lastOperation: { operation: "", lastUpdateTime: since.toISOString() } };
  await world.outside.must("PATCH", `${pathOf("manifests", world.namespace, name)}/status`, { status }, "merge-patch");
}

/** Writes a Manifest of a module's version, as lifecycle-manager would; without `kyma` nobody knows whose it is. */
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
