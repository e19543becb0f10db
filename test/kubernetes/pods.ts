import { type ManifestObject, readManifest } from "../../src/kubernetes/manifest.ts";

/** The objects in a text of YAML documents. */
export function objectsIn(text: string): readonly ManifestObject[] {
  const { objects, findings } = readManifest("manifest.yaml", true, Buffer.from(text));
  if (findings.length > 0) throw new Error(JSON.stringify(findings));
  return objects;
}

/** The only object in a text. */
export function objectIn(text: string): ManifestObject {
  const [object] = objectsIn(text);
  if (object === undefined) throw new Error("The text holds no object.");
  return object;
}

/** A pod with `spec`, in YAML's flow style. */
export function podOf(spec: string, annotations = "{}"): ManifestObject {
  return objectIn(`apiVersion: v1
kind: Pod
metadata: { name: sample, namespace: kyma-system, annotations: ${annotations} }
spec: ${spec}
`);
}
