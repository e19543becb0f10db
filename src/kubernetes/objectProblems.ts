import { fieldAt, isRecord } from "../document/fields.ts";
import type { ManifestObject } from "./manifest.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import { insteadOfUnknownVersion, isUnknownKind } from "./objectKinds.ts";
import { workloadPodTemplate } from "./workload.ts";

/** One reason why the API server would refuse an object. */
interface ObjectProblem {
  readonly path: YamlPath;
  /** The problem, as a clause. */
  readonly what: string;
  /** The allowed values. */
  readonly allowed: string;
}

/** The maximum size of all annotations of one object together, in bytes. */
const MAX_ANNOTATIONS = 256 * 1024;

/** The problems of an object's name, kind and metadata, apart from any schema. */
export function objectProblems(object: ManifestObject): readonly ObjectProblem[] {
  const { apiVersion, kind, name, namespace } = object;
  const missing = Object.entries({ apiVersion, kind }).filter(([, text]) => text === "");
  if (missing.length > 0)
    return missing.map(([field]) => ({ path: [field], what: `${field} is missing`, allowed: "a text" }));
  const pods = workloadPodTemplate(object);
  return [
    ...apiProblems(apiVersion, kind),
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

function apiProblems(apiVersion: string, kind: string): readonly ObjectProblem[] {
  if (isUnknownKind(apiVersion, kind))
    return [{ path: ["kind"], what: `${apiVersion} has no kind ${kind}`, allowed: "a kind of this group" }];
  return problem(["apiVersion"], `Kubernetes has no ${apiVersion}`, insteadOfUnknownVersion(apiVersion, kind));
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
        `the annotation ${key} is not text`,
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

/** A rule of the API server for texts. Gives the rule as part of a sentence when the text breaks it, else `undefined`. */
type TextJudge = (text: string) => string | undefined;

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const OLD_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

function matching(pattern: RegExp, maxLength: number, rule: string): TextJudge {
  return (text) => (text.length <= maxLength && pattern.test(text) ? undefined : rule);
}

const isSubdomain = matching(
  SUBDOMAIN,
  253,
  'lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit, at most 253 characters',
);
const isLabel = matching(
  LABEL,
  63,
  'lower-case letters, digits and "-", beginning and ending with a letter or digit, at most 63 characters',
);
const isServiceName = matching(
  OLD_LABEL,
  63,
  'lower-case letters, digits and "-", beginning with a letter, ending with a letter or digit, at most 63 characters',
);
const isPathSegment = matching(/^(?!\.{1,2}$)[^/%]+$/, Infinity, 'neither "." nor "..", and without "/" and "%"');
const isQualifiedName = matching(
  QUALIFIED,
  63,
  'letters, digits, "-", "_" and ".", beginning and ending with a letter or digit, at most 63 characters',
);

const NAME_RULES: ReadonlyMap<string, TextJudge> = new Map([
  ["Namespace", isLabel],
  ["Service", isServiceName],
  ["CronJob", matching(SUBDOMAIN, 52, "a DNS name of at most 52 characters: a job adds eleven")],
  ["Job", matching(SUBDOMAIN, 63, "a DNS name of at most 63 characters")],
  ...["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "ClusterTrustBundle"].map(
    (kind): [string, TextJudge] => [kind, isPathSegment],
  ),
]);

/**
 * The rule for names of `kind` if `name` breaks it, else `undefined`.
 *
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
export function nameRule(kind: string, name: string): string | undefined {
  return (NAME_RULES.get(kind) ?? isSubdomain)(name);
}

/** The rule for names of namespaces if `name` breaks it, else `undefined`. */
export function namespaceRule(name: string): string | undefined {
  return isLabel(name);
}

/** The rule for keys of labels if `key` breaks it, else `undefined`. */
export function labelKeyRule(key: string): string | undefined {
  const slash = key.indexOf("/");
  const prefix = slash < 0 ? undefined : isSubdomain(key.slice(0, slash));
  return prefix === undefined ? isQualifiedName(key.slice(slash + 1)) : `before the "/": ${prefix}`;
}

/** The rule for keys of annotations if `key` breaks it, else `undefined`. The prefix may be in capitals. */
export function annotationKeyRule(key: string): string | undefined {
  return labelKeyRule(key.toLowerCase());
}

/** The rule for values of labels if `value` breaks it, else `undefined`. */
export function labelValueRule(value: unknown): string | undefined {
  if (typeof value !== "string") return "a text: put it into quotes";
  return value === "" ? undefined : isQualifiedName(value);
}
