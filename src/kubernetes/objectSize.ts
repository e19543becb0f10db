import type { ManifestObject } from "./manifest.ts";
import type { Fields } from "./workload.ts";
import { isRecord } from "../document/fields.ts";

/** The most bytes of the values of a ConfigMap or a Secret. Source: MaxSecretSize of Kubernetes. */
const MOST_DATA = 1024 * 1024;
/** etcd takes 1.5 MiB with the managed fields that the API server adds. */
const MOST = 1_500_000;

/** Why an API server cannot store an object, as the end of a sentence; `undefined`: it is small enough. */
export function tooLarge({
  apiVersion,
  kind,
  value,
}: Pick<ManifestObject, "apiVersion" | "kind" | "value">): string | undefined {
  const isData = apiVersion === "v1" && (kind === "ConfigMap" || kind === "Secret");
  const data = isData ? dataSize(kind, value) : 0;
  if (data > MOST_DATA) return `has ${data} bytes of data, and the API server takes ${MOST_DATA}`;
  const size = Buffer.byteLength(JSON.stringify(value));
  return size > MOST ? `has ${size} bytes, and the API server takes ${MOST}` : undefined;
}

function dataSize(kind: string, value: Fields): number {
  const sizes = (field: string, encoding: "utf8" | "base64"): readonly number[] =>
    Object.values(isRecord(value[field]) ? value[field] : {}).map((text) => Buffer.byteLength(String(text), encoding));
  const parts =
    kind === "ConfigMap"
      ? [...sizes("data", "utf8"), ...sizes("binaryData", "base64")]
      : [...sizes("data", "base64"), ...sizes("stringData", "utf8")];
  return parts.reduce((sum, size) => sum + size, 0);
}
