import { textAt } from "../document/fields.ts";
import type { Manifest, ManifestObject } from "./manifest.ts";
import { apiGroup } from "./workload.ts";

/** A CustomResourceDefinition, and its index among the objects of its manifest. */
interface PlacedDefinition {
  readonly index: number;
  readonly object: ManifestObject;
}

/** The CustomResourceDefinitions of a manifest. */
export function definitionsIn(manifest: Manifest): readonly PlacedDefinition[] {
  // Most manifests of a catalogue are only searched, since reading one takes a hundred times longer.
  if (!manifest.mentions("CustomResourceDefinition")) return [];
  return manifest.objects.flatMap((object, index) =>
    object.kind === "CustomResourceDefinition" ? [{ index, object }] : [],
  );
}

/** The definition of an object's kind in a manifest. */
export function manifestDefinition(manifest: Manifest, object: unknown): PlacedDefinition | undefined {
  const group = apiGroup(textAt(object, ["apiVersion"]) ?? "");
  const kind = textAt(object, ["kind"]) ?? "";
  return definitionsIn(manifest).find(
    ({ object: { value } }) =>
      textAt(value, ["spec", "group"]) === group && textAt(value, ["spec", "names", "kind"]) === kind,
  );
}
