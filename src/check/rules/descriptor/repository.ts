import { registryThatCounts } from "../../../catalogue/component.ts";
import { FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { eachDescriptor, inDescriptor, withDescriptor } from "./place.ts";

/** Component versions are in the registry of the catalogue. */
export const descriptorRepository: Rule = {
  id: "descriptor-repository",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand: "The last repository context of a descriptor is the registry of kyma-modules.yaml, or below it.",
  rationale:
    "Older lifecycle-managers fetch the manifest from the last repository context. Elsewhere, images were not scanned, and the clusters of a closed network cannot reach it.",
  source: "https://github.com/open-component-model/ocm-spec",
  judge: (context) => {
    const registry = registryThatCounts(context);
    if (registry === undefined) return [];
    const allowed = repositoryAddress(registry.baseUrl);
    return eachDescriptor(context, (judged) => {
      // The last context counts. A component version without contexts is where it was found.
      const last = judged.descriptor.repositoryContexts.at(-1);
      if (last === undefined || last.baseUrl === "") return [];
      const found = repositoryAddress(last.subPath === undefined ? last.baseUrl : `${last.baseUrl}/${last.subPath}`);
      if (found === allowed || found.startsWith(`${allowed}/`)) return [];
      const message = `${last.path.join(".")} is ${found}, but component versions are in ${allowed}.`;
      const remedy = `Publish the component version to ${allowed}.`;
      return [inDescriptor(judged, [...last.path, "baseUrl"], { message, remedy })];
    });
  },
  bad: {
    change: withDescriptor("baseUrl: registry.example.com/prod", "baseUrl: registry.example.com/dev"),
    at: { file: FAST, line: "registry.example.com/dev" },
  },
  good: { change: withDescriptor("baseUrl: registry.example.com/prod", "baseUrl: https://registry.example.com/prod/") },
};

/** Host, port and path alone. */
function repositoryAddress(url: string): string {
  return url
    .replace(/^[a-z]+:\/\//, "")
    .replace(/\/+/g, "/")
    .replace(/\/$/, "");
}
