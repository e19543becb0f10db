import type { Fleet } from "../../src/fleet/fleet.ts";
import type { ModuleUser } from "../../src/fleet/users.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";

/** Of labels, and the group. */
export const PREFIX = "operator.kyma-project.io";
export const apiVersion = "operator.kyma-project.io/v1beta2";

/** The parts of a Kyma's status that differ from a Ready istio. */
export interface Said {
  readonly state?: string;
  readonly version?: string;
  readonly managed?: boolean;
  readonly kymaState?: string;
  readonly metadata?: object;
  readonly more?: object;
  readonly conditions?: readonly object[];
}

/** A Kyma that has istio from fast. */
export function kyma(
  name: string,
  { state = "Ready", version = "1.0.0", managed = true, kymaState, metadata, more, conditions }: Said = {},
): KubernetesObject {
  const modules = [
    { name: "istio", channel: "fast", state, version, template: { metadata: { name: `istio-${version}` } }, ...more },
  ];
  const spec = { modules: [{ name: "istio", channel: "fast", managed }] };
  return {
    apiVersion,
    kind: "Kyma",
    metadata: { name, ...metadata },
    spec,
    status: { state: kymaState, modules, conditions },
  };
}

/** A Manifest of istio, of the Kyma `of`. */
export function manifest(
  name: string,
  of: string,
  version: string,
  state?: string,
  operation?: string,
): KubernetesObject {
  const labels = { [`${PREFIX}/module-name`]: "istio", [`${PREFIX}/kyma-name`]: of };
  return {
    apiVersion,
    kind: "Manifest",
    metadata: { name, labels },
    spec: { version },
    status: { state, lastOperation: { operation } },
  };
}

/** The rows of istio. */
export function usersIn(fleet: Fleet): readonly ModuleUser[] {
  const users = fleet.users();
  return users.kind === "known" ? (users.modules.get("istio") ?? []) : [];
}

/** The condition of the first row. */
export const only = (fleet: Fleet): ModuleUser["condition"] | undefined => usersIn(fleet)[0]?.condition;
