import { applySetParent } from "../../kubernetes/applySet.ts";
import { RESOURCES, type Resource } from "../../kubernetes/object.ts";
import { CONTROLS_NAME } from "../controlStore.ts";
import { RECORDS_NAME } from "../recordStore.ts";

/** What a store is kept in step with: kinds of objects, and the set's own ConfigMaps. */
export type Followed = "templates" | "releaseMetas" | "kymas" | "manifests" | "parent" | "records" | "controls";

/** What is watched for it. */
export function followedResources(namespace: string): ReadonlyMap<Followed, Resource> {
  const configMap = (only: string): Resource => ({ ...RESOURCES.configMap, only });
  return new Map<Followed, Resource>([
    ["templates", RESOURCES.moduleTemplate],
    ["releaseMetas", RESOURCES.moduleReleaseMeta],
    ["kymas", RESOURCES.kyma],
    ["manifests", RESOURCES.manifest],
    ["parent", configMap(applySetParent(namespace).metadata.name)],
    ["records", configMap(RECORDS_NAME)],
    ["controls", configMap(CONTROLS_NAME)],
  ]);
}

/** Whether it says who uses what, and nothing of what is served. */
export function isOfFleet(what: Followed): boolean {
  return what === "kymas" || what === "manifests";
}
