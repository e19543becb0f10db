import { registryThatCounts } from "../../component.ts";
import { FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { eachDescriptor, inDescriptor, withDescriptor } from "./place.ts";

/** Component versions lie in the registry of the catalogue. */
export const descriptorRepository: Rule = {
  id: "descriptor-repository",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand: "The repository that a descriptor was last in is the registry of kyma-modules.yaml, or below it.",
  rationale:
    "Older lifecycle-managers fetch the manifest from the last repository context. One that leads elsewhere installs what was not scanned, from where the clusters of a closed network cannot get it.",
  source: "https://github.com/open-component-model/ocm-spec",
  judge: (context) => {
    const registry = registryThatCounts(context);
    if (registry === undefined) return [];
    const allowed = placeOf(registry.baseUrl);
    return eachDescriptor(context, (judged) => {
      // The last one counts. What was published without any lies where it was found.
      const last = judged.descriptor.repositoryContexts.at(-1);
      if (last === undefined || last.baseUrl === "") return [];
      const found = placeOf(last.subPath === undefined ? last.baseUrl : `${last.baseUrl}/${last.subPath}`);
      if (found === allowed || found.startsWith(`${allowed}/`)) return [];
      const message = `${last.path.join(".")} is ${found}, but component versions lie in ${allowed}.`;
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
function placeOf(url: string): string {
  return url
    .replace(/^[a-z]+:\/\//, "")
    .replace(/\/+/g, "/")
    .replace(/\/$/, "");
}
