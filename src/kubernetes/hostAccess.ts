import { textAt } from "../document/fields.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import { containersOf, mapsAt, type PodTemplate } from "./workload.ts";

/** One thing of its node that a pod reaches. */
export interface HostAccess {
  /** What it is, for people and for comparisons: `hostPath /var/run`, `hostPort 8080`, `hostNetwork`. */
  readonly what: string;
  /** Where the object says so. */
  readonly path: YamlPath;
}

/** Everything of their node that the pods of a workload reach. */
export function hostAccessOf(pods: PodTemplate): readonly HostAccess[] {
  const spec = [...pods.path, "spec"];
  const namespaces = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => pods.spec[field] === true);
  const volumes = mapsAt(pods.spec, "volumes").filter(({ value }) => value["hostPath"] !== undefined);
  const ports = containersOf(pods).flatMap(({ path, value }) =>
    mapsAt(value, "ports")
      .map((port) => ({
        number: Number(port.value["hostPort"] ?? 0),
        path: [...path, "ports", port.index, "hostPort"],
      }))
      .filter(({ number }) => number !== 0),
  );
  return [
    ...namespaces.map((field) => ({ what: field, path: [...spec, field] })),
    ...volumes.map(({ index, value }) => {
      const what = `hostPath ${textAt(value, ["hostPath", "path"]) ?? ""}`;
      return { what, path: [...spec, "volumes", index, "hostPath"] };
    }),
    ...ports.map(({ number, path }) => ({ what: `hostPort ${number}`, path })),
  ];
}
