import { editText } from "../document/yaml/edit.ts";
import type { PrintedManifest } from "../sync/install/manifest.ts";

/** Manifests as a stream of YAML documents, each with its purpose as a comment. */
export function yamlText(manifests: readonly PrintedManifest[]): string {
  return manifests
    .map(
      ({ purpose, object }) => `---\n${purpose.replaceAll(/^/gm, "# ")}\n${editText(undefined, object, []).trimEnd()}`,
    )
    .join("\n");
}

/** Manifests as a List, which kubectl reads as one JSON document. */
export function listText(manifests: readonly PrintedManifest[]): string {
  const items = manifests.map(({ object }) => object);
  return JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2);
}
