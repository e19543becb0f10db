/**
 * The impact of a change on the users of the kind.
 *
 * - `breaking`: the new version refuses or loses something that the old one accepts;
 * - `risky`: nothing is refused, but something behaves differently;
 * - `safe`: everything that worked still works.
 */
export type Impact = "breaking" | "risky" | "safe";

/** A keyword that bounds a value from above or from below. */
export type Bound =
  "maximum" | "minimum" | "max-length" | "min-length" | "max-items" | "min-items" | "max-properties" | "min-properties";

/** Everything that a comparison can find. A closed set, so that callers can switch over it. */
export type Check =
  | "group-changed"
  | "kind-changed"
  | "plural-changed"
  | "singular-changed"
  | "list-kind-changed"
  | "short-name-removed"
  | "short-name-added"
  | "category-removed"
  | "category-added"
  | "scope-changed"
  | "conversion-removed"
  | "conversion-changed"
  | "version-removed"
  | "unserved-version-removed"
  | "stored-version-removed"
  | "version-unserved"
  | "version-added"
  | "version-served"
  | "version-deprecated"
  | "storage-version-changed"
  | "stored-fields-lost"
  | "new-version-differs"
  | "status-subresource-removed"
  | "status-subresource-added"
  | "scale-subresource-removed"
  | "scale-subresource-changed"
  | "scale-subresource-added"
  | "selectable-field-removed"
  | "selectable-field-added"
  | "printer-columns-changed"
  | "field-removed"
  | "field-unspecified"
  | "field-added"
  | "field-required"
  | "field-optional"
  | "map-closed"
  | "map-opened"
  | "unknown-fields-dropped"
  | "unknown-fields-constrained"
  | "unknown-fields-kept"
  | "type-changed"
  | "type-widened"
  | "null-refused"
  | "null-dropped"
  | "null-accepted"
  | "default-added"
  | "default-changed"
  | "default-removed"
  | "enum-added"
  | "enum-narrowed"
  | "enum-widened"
  | "pattern-added"
  | "pattern-changed"
  | "pattern-removed"
  | "format-narrowed"
  | "format-changed"
  | "multiple-of-narrowed"
  | "multiple-of-widened"
  | "unique-items-added"
  | "unique-items-removed"
  | `${Bound}-narrowed`
  | `${Bound}-widened`
  | "all-of-narrowed"
  | "all-of-widened"
  | "any-of-narrowed"
  | "any-of-widened"
  | "one-of-narrowed"
  | "one-of-changed"
  | "one-of-widened"
  | "not-narrowed"
  | "not-widened"
  | "embedded-resource-added"
  | "embedded-resource-removed"
  | "list-type-narrowed"
  | "list-type-changed"
  | "list-map-keys-narrowed"
  | "list-map-keys-changed"
  | "map-type-changed"
  | "rule-added"
  | "rule-changed"
  | "rule-removed"
  | "rule-message-changed";

/** The fixed properties of a check. */
interface CheckSummary {
  readonly class: Impact;
  /** See `SchemaChange.certain`. */
  readonly certain: boolean;
  /** See `SchemaChange.isTried`. */
  readonly isTried: boolean;
  /** The fix; a full sentence. */
  readonly remedy: string;
}

const NEW_VERSION = "or make the change in a new version of the API, with a conversion";

const breaking = (remedy: string): CheckSummary => ({
  class: "breaking",
  certain: true,
  isTried: true,
  remedy: `${remedy}, ${NEW_VERSION}.`,
});
const perhaps = (remedy: string): CheckSummary => ({ ...breaking(remedy), certain: false });
const risky = (remedy: string): CheckSummary => ({ class: "risky", certain: true, isTried: false, remedy });
/** A change of a default alone refuses nothing, but a rule may refuse an object with the new default. */
const defaulting = (remedy: string): CheckSummary => ({ ...risky(remedy), isTried: true });
const SAFE: CheckSummary = { class: "safe", certain: true, isTried: false, remedy: "Nothing has to be done." };

const BOUND = breaking("Keep the old bound");
const OLD_NAME: CheckSummary = {
  class: "breaking",
  certain: true,
  isTried: true,
  remedy: "Do not change it, or add the new one in a separate definition and migrate the objects.",
};
const CLIENTS = "Do not change it, or make sure that no client relies on it.";
const ADOPTERS = "Make sure that all clients that apply such objects can handle the new merge strategy.";

/** Class and remedy of every check. */
export const CHECKS: Readonly<Record<Check, CheckSummary>> = {
  "group-changed": OLD_NAME,
  "kind-changed": OLD_NAME,
  "plural-changed": OLD_NAME,
  "singular-changed": risky(CLIENTS),
  "list-kind-changed": risky(CLIENTS),
  "short-name-removed": risky(CLIENTS),
  "short-name-added": SAFE,
  "category-removed": risky(CLIENTS),
  "category-added": SAFE,
  "scope-changed": OLD_NAME,
  "conversion-removed": {
    ...OLD_NAME,
    remedy: "Keep the webhook as long as there is more than one version.",
  },
  "conversion-changed": risky("Test the conversion of stored objects in both directions before the release."),
  "version-removed": {
    ...OLD_NAME,
    remedy: "Keep serving the version until no version of the module in service uses it.",
  },
  "unserved-version-removed": risky(
    "Make sure that no cluster has it in status.storedVersions of the definition: there the API server refuses the removal.",
  ),
  "stored-version-removed": {
    ...OLD_NAME,
    remedy: "Keep the version (served: false is enough) until all stored objects are migrated.",
  },
  "version-unserved": {
    ...OLD_NAME,
    remedy: "Keep serving the version until no version of the module in service uses it.",
  },
  "version-added": SAFE,
  "version-served": SAFE,
  "version-deprecated": SAFE,
  "storage-version-changed": risky("Migrate the stored objects before the old storage version is removed."),
  "stored-fields-lost": {
    ...OLD_NAME,
    remedy: "Keep the fields in the storage version, keep the old storage version, or convert with a webhook.",
  },
  "new-version-differs": risky("Convert between the versions with a webhook, or give the new version the same fields."),
  "status-subresource-removed": breaking("Keep the subresource"),
  "status-subresource-added": risky("Make sure that all clients write the status through the subresource."),
  "scale-subresource-removed": breaking("Keep the subresource"),
  "scale-subresource-changed": risky("Make sure that autoscalers find their fields at the new paths."),
  "scale-subresource-added": SAFE,
  "selectable-field-removed": breaking("Keep the field selectable"),
  "selectable-field-added": SAFE,
  "printer-columns-changed": SAFE,
  "field-removed": breaking("Keep the field, deprecated in its description"),
  "field-unspecified": SAFE,
  "field-added": SAFE,
  "field-required": breaking("Keep the field optional, give it a default"),
  "field-optional": SAFE,
  "map-closed": breaking("Keep additionalProperties"),
  "map-opened": SAFE,
  "unknown-fields-dropped": breaking("Keep x-kubernetes-preserve-unknown-fields"),
  "unknown-fields-constrained": breaking("Let additionalProperties accept every value"),
  "unknown-fields-kept": SAFE,
  "type-changed": breaking("Keep the type, add a field of the new type beside it"),
  "type-widened": SAFE,
  "null-refused": breaking("Keep nullable"),
  "null-dropped": risky("Keep nullable, or make sure that null and absent mean the same."),
  "null-accepted": SAFE,
  "default-added": defaulting("Make sure that objects without the field may behave according to the default."),
  "default-changed": defaulting("Make sure that objects without the field may behave differently."),
  "default-removed": defaulting("Make sure that the module behaves the same when the field is absent."),
  "enum-added": breaking("Accept every value that was accepted"),
  "enum-narrowed": breaking("Keep the value, deprecated in the description"),
  "enum-widened": SAFE,
  "pattern-added": perhaps("Accept every text that was accepted"),
  "pattern-changed": perhaps("Let the new pattern match every text that the old one matched"),
  "pattern-removed": SAFE,
  "format-narrowed": breaking("Keep the format"),
  "format-changed": risky("Make sure that clients that are generated from the schema can read the new format."),
  "multiple-of-narrowed": BOUND,
  "multiple-of-widened": SAFE,
  "unique-items-added": breaking("Accept repeated items"),
  "unique-items-removed": SAFE,
  "maximum-narrowed": BOUND,
  "maximum-widened": SAFE,
  "minimum-narrowed": BOUND,
  "minimum-widened": SAFE,
  "max-length-narrowed": BOUND,
  "max-length-widened": SAFE,
  "min-length-narrowed": BOUND,
  "min-length-widened": SAFE,
  "max-items-narrowed": BOUND,
  "max-items-widened": SAFE,
  "min-items-narrowed": BOUND,
  "min-items-widened": SAFE,
  "max-properties-narrowed": BOUND,
  "max-properties-widened": SAFE,
  "min-properties-narrowed": BOUND,
  "min-properties-widened": SAFE,
  "all-of-narrowed": perhaps("Remove the new part of allOf"),
  "all-of-widened": SAFE,
  "any-of-narrowed": perhaps("Keep every alternative of anyOf"),
  "any-of-widened": SAFE,
  "one-of-narrowed": perhaps("Keep every alternative of oneOf"),
  "one-of-changed": perhaps("Make sure that no object fits a new and an old alternative of oneOf at once"),
  "one-of-widened": SAFE,
  "not-narrowed": perhaps("Exclude no more than before"),
  "not-widened": SAFE,
  "embedded-resource-added": breaking("Accept objects without apiVersion and kind"),
  "embedded-resource-removed": SAFE,
  "list-type-narrowed": breaking("Keep the list atomic"),
  "list-type-changed": risky(ADOPTERS),
  "list-map-keys-narrowed": breaking("Keep the keys"),
  "list-map-keys-changed": risky(ADOPTERS),
  "map-type-changed": risky(ADOPTERS),
  "rule-added": perhaps("Make the rule true for every object that was accepted"),
  "rule-changed": perhaps("Make the rule true for every object that was accepted"),
  "rule-removed": SAFE,
  "rule-message-changed": SAFE,
};
