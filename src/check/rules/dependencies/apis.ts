import { fieldAt } from "../../../document/fields.ts";
import type { Manifest } from "../../../kubernetes/manifest.ts";
import type { RequiredApi } from "../../../catalogue/policy.ts";
import { mapsAt, type Fields } from "../../../kubernetes/workload.ts";
import { definitionsIn } from "../../../kubernetes/customDefinitions.ts";
import type { Fact } from "../../facts.ts";

/** A served version of a definition. */
export interface ServedApi {
  readonly api: RequiredApi;
  /** The name of the definition. */
  readonly definition: string;
}

/** `example.com/v1 Sample`; the same for the same API. */
export function apiText({ group, version, kind }: RequiredApi): string {
  return `${group}/${version} ${kind}`;
}

/** The APIs that the definitions of a manifest serve. Versions that are only listed or stored do not count. */
export function servedApis(manifest: Manifest): readonly ServedApi[] {
  return definitionsIn(manifest).flatMap(({ object: { name, value } }) => {
    const text = (...path: readonly string[]): string => String(fieldAt(value, ["spec", ...path]));
    return definitionVersions(value)
      .filter((version) => version.value["served"] === true)
      .map((version) => {
        const api = { group: text("group"), version: String(version.value["name"]), kind: text("names", "kind") };
        return { api, definition: name };
      });
  });
}

/** The versions of a CustomResourceDefinition, with their places in `spec.versions`. */
export function definitionVersions(definition: Fields): ReturnType<typeof mapsAt> {
  return mapsAt({ versions: fieldAt(definition, ["spec", "versions"]) }, "versions");
}

/** Whether an API is served; `unknown` if it may be. */
export type ApiService = "served" | "not-served" | "unknown";

/**
 * Whether a manifest serves an API. Searches the text first, since parsing two hundred manifests would take seconds.
 */
export function serviceBy(fact: Fact<Manifest>, api: RequiredApi): ApiService {
  if (fact.kind === "unknown") return "unknown";
  const { value: manifest } = fact;
  if (!manifest.mentions(api.group) || !manifest.mentions(api.kind)) return "not-served";
  if (servedApis(manifest).some((served) => apiText(served.api) === apiText(api))) return "served";
  return manifest.findings.length > 0 ? "unknown" : "not-served";
}
