import { canonicalJson } from "../catalogue/canonical.ts";
import { fieldAt } from "../catalogue/import/fields.ts";
import type { Manifest, ManifestObject } from "../catalogue/manifest.ts";
import type { Template } from "../catalogue/template.ts";
import { compareVersions } from "../catalogue/version.ts";
import { compareDefinitions, type SchemaChange } from "../kubernetes/crd/compare.ts";
import type { Cause } from "../kubernetes/validation.ts";
import { definitionOf, definitionsIn } from "./customDefinitions.ts";
import type { ConfirmedChange, DefinitionComparison, ServedComparison } from "./facts.ts";
import type { Questions } from "./questions.ts";

/** A version, and what it installs. */
export interface KnownVersion {
  readonly template: Template;
  readonly manifest: Manifest;
}

/** A version in service, and what would come after it. */
export interface Comparison {
  readonly before: KnownVersion;
  /** Of the judged version. */
  readonly manifest: Manifest;
  /** What its channels serve now; `undefined` where nobody knows. */
  readonly predecessors: readonly (KnownVersion | undefined)[];
}

/**
 * Whether a version meets the objects of one that a channel of the base serves: of an older one. A newer one it never
 * follows, since lifecycle-manager does not go back: a withdrawal reaches only clusters that have not got it yet, and
 * nothing could come into a channel while another is ahead of it.
 */
export function meets(judged: Template, served: Template): boolean {
  return compareVersions(served.version, judged.version) < 0;
}

/** Prepares what has to be asked to compare two versions; the comparison is there when it was answered. */
export function prepareComparison(comparison: Comparison, questions: Questions): () => ServedComparison {
  const { module, version } = comparison.before.template;
  const definitions = definitionsIn(comparison.before.manifest).flatMap(({ object }) =>
    prepareDefinition(comparison, object, questions),
  );
  const defaultCr = prepareDefaultCr(comparison, questions);
  return () => ({
    served: { module, version },
    definitions: definitions.map((complete) => complete()),
    defaultCr: defaultCr(),
  });
}

function prepareDefinition(
  { before, manifest, predecessors }: Comparison,
  served: ManifestObject,
  questions: Questions,
): readonly (() => DefinitionComparison)[] {
  const { name } = served;
  const wanted = definitionsIn(manifest).find(({ object }) => object.name === name);
  if (wanted === undefined) {
    const isOld = allHold(before, predecessors, (predecessor) => named(predecessor.manifest, name) === undefined);
    return isOld ? [] : [() => ({ index: -1, name, changes: [] })];
  }
  const { index, object } = wanted;
  const changes = isSame(served, object) ? [] : compareDefinitions(served.value, object.value);
  if (changes.length === 0) return [];
  const known = predecessors.map((predecessor) => changesOf(before, predecessor, served));
  const isNew = (change: SchemaChange): boolean =>
    known.length === 0 || !known.every((identities) => identities.has(identity(change)));
  const fresh = changes.filter(isNew).map((change) => confirm(change, served.value, object.value, questions));
  return [() => ({ index, name, changes: fresh.map((complete) => complete()) })];
}

/** Whether something holds of every predecessor: then it is in service already, and nothing gets worse. */
function allHold(
  before: KnownVersion,
  predecessors: Comparison["predecessors"],
  holds: (predecessor: KnownVersion) => boolean,
): boolean {
  return (
    predecessors.length > 0 &&
    predecessors.every(
      (predecessor) =>
        predecessor !== undefined && predecessor.template.version !== before.template.version && holds(predecessor),
    )
  );
}

function changesOf(
  before: KnownVersion,
  predecessor: KnownVersion | undefined,
  served: ManifestObject,
): ReadonlySet<string> {
  if (predecessor === undefined || predecessor.template.version === before.template.version) return new Set();
  const object = named(predecessor.manifest, served.name);
  return new Set(object === undefined ? [] : compareDefinitions(served.value, object.value).map(identity));
}

function identity({ check, version = "", field, message }: SchemaChange): string {
  return JSON.stringify([check, version, field, message]);
}

function named(manifest: Manifest, name: string): ManifestObject | undefined {
  return definitionsIn(manifest).find(({ object }) => object.name === name)?.object;
}

function isSame(one: ManifestObject, other: ManifestObject): boolean {
  return canonicalJson(one.value["spec"]) === canonicalJson(other.value["spec"]);
}

function confirm(change: SchemaChange, served: unknown, wanted: unknown, questions: Questions): () => ConfirmedChange {
  const attempts =
    change.class !== "breaking"
      ? []
      : change.counterexamples.map((example) => ({
          object: example.kind === "create" ? example.object : example.new,
          before: questions.attempt(served, example),
          after: questions.attempt(wanted, example),
        }));
  return () => {
    // Which address an object has, its scope above all, plays no role where it is judged by itself.
    let isRefuted = attempts.length > 0 && change.version !== undefined;
    for (const { object, before, after } of attempts) {
      const [was, is] = [before(), after()];
      if (was.kind === "accepted" && is.kind === "refused") {
        if (is.causes.some((cause) => blames(cause, change)))
          return { ...change, confirmation: "confirmed", object, causes: is.causes };
        // It is refused for another change, so of this one nothing is known.
        isRefuted = false;
      }
      if (was.kind === "not-evaluated" || is.kind === "not-evaluated") isRefuted = false;
    }
    return { ...change, confirmation: isRefuted ? "refuted" : "open" };
  };
}

/** Whether a cause is about the field of a change, about what it is part of, or about a part of it. */
function blames(cause: Cause, change: SchemaChange): boolean {
  const [blamed, changed] = [stepsOf(cause.field), stepsOf(change.field)];
  return blamed.every((step, index) => [step, "*", undefined].includes(changed[index]));
}

/** `spec.servers[0].port` and `.spec.servers[].port` are the same to us: `spec`, `servers`, `port`. */
function stepsOf(field: string): readonly string[] {
  const plain = field.replaceAll(/\[[^\]]*\]/g, "");
  return plain.split(".").filter((step) => step !== "");
}

/** The default CR of a served version, where its definition changes and where it was valid. */
function prepareDefaultCr({ before, manifest }: Comparison, questions: Questions): () => ServedComparison["defaultCr"] {
  const data = before.template.object.spec["data"];
  const [served, wanted] = [definitionOf(before.manifest, data), definitionOf(manifest, data)];
  if (served === undefined || wanted === undefined || isSame(served.object, wanted.object)) return () => undefined;
  const was = questions.create(served.object.value, data);
  const is = questions.create(wanted.object.value, data);
  const apiVersion = String(fieldAt(data, ["apiVersion"]));
  return () => (was().kind === "refused" ? undefined : { index: wanted.index, apiVersion, verdict: is() });
}
