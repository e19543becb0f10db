import type { Outside } from "../sync/outside.ts";
import { letters } from "./sampleCatalogue.ts";

const API_VERSION = "operator.kyma-project.io/v1beta2";
const MODULES_OF_KYMA = 5;
const REGIONS = ["eu-central-1", "eu-west-2", "us-east-1", "us-west-2", "ap-southeast-1"];

/** A Kyma with five modules, as lifecycle-manager leaves it: about ten kilobytes. Every twentieth one fails. */
export function kymaOf(index: number, version: string): KymaSample {
  const name = `kyma-${index}`;
  const reference = (kind: string, of: string): object => ({
    ...{ apiVersion: API_VERSION, kind, metadata: { name: `${name}-${of}`, namespace: "kcp-system", generation: 1 } },
  });
  const modules = Array.from({ length: MODULES_OF_KYMA }, (_, at) => {
    const module = `sample-${letters(at)}`;
    const isFailing = index % 20 === 0 && at === 0;
    return {
      ...{ name: module, fqdn: `example.com/module/${module}`, channel: "fast", version },
      ...{ state: isFailing ? "Error" : "Ready", message: isFailing ? `cannot reach ${name}` : "" },
      ...{ manifest: reference("Manifest", module), template: reference("ModuleTemplate", `${module}-${version}`) },
      resource: reference("Sample", module),
    };
  });
  return {
    ...{ apiVersion: API_VERSION, kind: "Kyma" },
    metadata: { name, labels: { "kyma-project.io/region": REGIONS[index % REGIONS.length] ?? "" } },
    spec: { channel: "fast", modules: modules.map((one) => ({ name: one.name, managed: true })) },
    status: { state: "Ready", activeChannel: "fast", lastOperation: { operation: "" }, modules },
  };
}

/** A Kyma of `kymaOf`. */
export interface KymaSample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: object;
  readonly status: object;
}

/** Makes the Kymas from `from` on, up to `to` in all, in which version 1.1.0 runs. */
export async function makeKymas(outside: Outside, namespace: string, from: number, to: number): Promise<void> {
  const path = `/apis/${API_VERSION}/namespaces/${namespace}/kymas`;
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < to) {
      const { status, ...kyma } = kymaOf(next++, "1.1.0");
      await outside.must("POST", path, kyma);
      await outside.must("PATCH", `${path}/${kyma.metadata.name}/status`, { status }, "merge-patch");
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
