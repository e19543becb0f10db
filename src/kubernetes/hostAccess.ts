import { fieldAt, textAt } from "../document/fields.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import type { ManifestObject } from "./manifest.ts";
import { podContainers, mapsAt, workloadPodTemplate, type PodTemplate } from "./workload.ts";

/** One resource of its node that a pod can access. */
interface HostAccess {
  /** The resource, for display and comparison: `hostPath /var/run`, `hostPort 8080`, `hostNetwork`. */
  readonly what: string;
  /** The field of the object that grants the access. */
  readonly path: YamlPath;
}

/** All resources of their node that the pods of a workload, or those with a claim to a volume, can access. */
export function objectHostAccess(object: ManifestObject): readonly HostAccess[] {
  const pods = workloadPodTemplate(object);
  if (pods !== undefined) return accessOfPods(pods);
  if (object.apiVersion !== "v1" || object.kind !== "PersistentVolume") return [];
  return ["hostPath", "local"].flatMap((source) => {
    const path = ["spec", source];
    return fieldAt(object.value, path) === undefined ? [] : [{ what: pathText(object.value, path), path }];
  });
}

function pathText(value: unknown, path: readonly string[]): string {
  return `hostPath ${textAt(value, [...path, "path"]) ?? ""}`;
}

function accessOfPods(pods: PodTemplate): readonly HostAccess[] {
  const spec = [...pods.path, "spec"];
  const namespaces = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => pods.spec[field] === true);
  const volumes = mapsAt(pods.spec, "volumes").filter(({ value }) => value["hostPath"] !== undefined);
  const ports = podContainers(pods).flatMap(({ path, value }) =>
    mapsAt(value, "ports")
      .map((port) => ({
        number: Number(port.value["hostPort"] ?? 0),
        path: [...path, "ports", port.index, "hostPort"],
      }))
      .filter(({ number }) => number !== 0),
  );
  return [
    ...namespaces.map((field) => ({ what: field, path: [...spec, field] })),
    ...volumes.map(({ index, value }) => ({
      what: pathText(value, ["hostPath"]),
      path: [...spec, "volumes", index, "hostPath"],
    })),
    ...ports.map(({ number, path }) => ({ what: `hostPort ${number}`, path })),
  ];
}
