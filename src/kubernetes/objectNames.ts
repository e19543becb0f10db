/** What the API server demands of texts. Each gives half a sentence on what is wrong, or `undefined`. */
type Judge = (text: string) => string | undefined;

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const OLD_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

function matching(pattern: RegExp, maxLength: number, rule: string): Judge {
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

const NAME_RULES: ReadonlyMap<string, Judge> = new Map([
  ["Namespace", isLabel],
  ["Service", isServiceName],
  ["CronJob", matching(SUBDOMAIN, 52, "a DNS name of at most 52 characters: a job adds eleven")],
  ["Job", matching(SUBDOMAIN, 63, "a DNS name of at most 63 characters")],
  ...["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "ClusterTrustBundle"].map((kind): [string, Judge] => [
    kind,
    isPathSegment,
  ]),
]);

/**
 * What an object of `kind` may be called, when `name` is not allowed; else `undefined`.
 *
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
export function nameRule(kind: string, name: string): string | undefined {
  return (NAME_RULES.get(kind) ?? isSubdomain)(name);
}

/** What a namespace may be called, when `name` is not allowed; else `undefined`. */
export function namespaceRule(name: string): string | undefined {
  return isLabel(name);
}

/** What the key of a label may be, when `key` is not allowed; else `undefined`. */
export function labelKeyRule(key: string): string | undefined {
  const slash = key.indexOf("/");
  const prefix = slash < 0 ? undefined : isSubdomain(key.slice(0, slash));
  return prefix === undefined ? isQualifiedName(key.slice(slash + 1)) : `before the "/": ${prefix}`;
}

/** What the key of an annotation may be, when `key` is not allowed; else `undefined`. Its prefix may be in capitals. */
export function annotationKeyRule(key: string): string | undefined {
  return labelKeyRule(key.toLowerCase());
}

/** What the value of a label may be, when `value` is not allowed; else `undefined`. */
export function labelValueRule(value: unknown): string | undefined {
  if (typeof value !== "string") return "a text: put it into quotes";
  return value === "" ? undefined : isQualifiedName(value);
}
