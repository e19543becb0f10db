import { fieldAt, isRecord } from "../catalogue/import/fields.ts";
import type { ManifestObject } from "../catalogue/manifest.ts";
import type { YamlPath } from "../catalogue/yamlTree.ts";
import { isUnknownKind } from "./objectKinds.ts";
import { annotationKeyRule, labelKeyRule, labelValueRule, namespaceRule, nameRule } from "./objectNames.ts";
import { podTemplateOf } from "./workload.ts";

/** One thing for which the API server would refuse an object. */
export interface ObjectProblem {
  readonly path: YamlPath;
  /** What is wrong; half a sentence. */
  readonly what: string;
  /** What is allowed. */
  readonly allowed: string;
}

/** All annotations of one object together may not be larger. Bytes. */
const MAX_ANNOTATIONS = 256 * 1024;

/** What is wrong with the name, kind and metadata of an object, before any schema looks at it. */
export function problemsOf(object: ManifestObject): readonly ObjectProblem[] {
  const { apiVersion, kind, name, namespace } = object;
  const missing = Object.entries({ apiVersion, kind }).filter(([, text]) => text === "");
  if (missing.length > 0)
    return missing.map(([field]) => ({ path: [field], what: `${field} is missing`, allowed: "a text" }));
  const pods = podTemplateOf(object);
  return [
    ...(isUnknownKind(apiVersion, kind)
      ? [{ path: ["kind"], what: `${apiVersion} has no kind ${kind}`, allowed: "a kind of this group" }]
      : []),
    ...problem(
      ["metadata", "name"],
      name === "" ? "metadata.name is missing" : `the name ${name} is refused`,
      nameRule(kind, name),
    ),
    ...(namespace === ""
      ? []
      : problem(["metadata", "namespace"], `the namespace ${namespace} is refused`, namespaceRule(namespace))),
    ...metadataProblems(object.value, ["metadata"]),
    ...(pods === undefined || pods.path.length === 0 ? [] : metadataProblems(object.value, [...pods.path, "metadata"])),
  ];
}

function metadataProblems(object: unknown, path: readonly string[]): readonly ObjectProblem[] {
  const labels = entriesAt(object, [...path, "labels"]).flatMap(({ key, value, at }) => [
    ...problem(at, `the label ${key} is refused`, labelKeyRule(key)),
    ...problem(at, `the value of the label ${key} is refused`, labelValueRule(value)),
  ]);
  const annotations = entriesAt(object, [...path, "annotations"]);
  const size = annotations.reduce((sum, { key, value }) => sum + Buffer.byteLength(key + String(value)), 0);
  return [
    ...labels,
    ...annotations.flatMap(({ key, value, at }) => [
      ...problem(at, `the annotation ${key} is refused`, annotationKeyRule(key)),
      ...problem(
        at,
        `the annotation ${key} is no text`,
        typeof value === "string" ? undefined : "a text: put it into quotes",
      ),
    ]),
    ...problem(
      [...path, "annotations"],
      "the annotations are too large",
      size > MAX_ANNOTATIONS ? "256 KiB" : undefined,
    ),
  ];
}

function problem(path: YamlPath, what: string, allowed: string | undefined): readonly ObjectProblem[] {
  return allowed === undefined ? [] : [{ path, what, allowed }];
}

function entriesAt(
  object: unknown,
  path: readonly string[],
): readonly { readonly key: string; readonly value: unknown; readonly at: YamlPath }[] {
  const map = fieldAt(object, path);
  return Object.entries(isRecord(map) ? map : {}).map(([key, value]) => ({ key, value, at: [...path, key] }));
}
