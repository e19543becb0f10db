import { applySetParent } from "../../kubernetes/applySet.ts";
import { RESOURCES, type Resource } from "../../kubernetes/object.ts";
import { CONTROLS_NAME } from "../controlStore.ts";
import { RECORDS_NAME } from "../recordStore.ts";

/** The kinds and the ConfigMaps of the set that a store follows. */
export type Followed = "templates" | "releaseMetas" | "kymas" | "manifests" | "parent" | "records" | "controls";

/** The watched resource for each of them. */
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

/** Whether it affects only who uses a version, not what is served. */
export function isOfFleet(what: Followed): boolean {
  return what === "kymas" || what === "manifests";
}
