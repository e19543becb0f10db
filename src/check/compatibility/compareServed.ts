import { canonicalJson } from "../../document/canonical.ts";
import { fieldAt } from "../../document/fields.ts";
import type { Manifest, ManifestObject } from "../../kubernetes/manifest.ts";
import type { Template } from "../../catalogue/template.ts";
import { compareVersions } from "../../catalogue/version.ts";
import { compareDefinitions, type SchemaChange } from "../../kubernetes/crd/compare.ts";
import { triedDefinition } from "../../kubernetes/crd/storage.ts";
import { manifestDefinition, definitionsIn } from "../../kubernetes/customDefinitions.ts";
import type { ConfirmedChange, DefinitionComparison, ServedComparison } from "../facts.ts";
import type { Questions } from "./questions.ts";
import { BreakTrial } from "./trial.ts";

/** A version, and its manifest. */
export interface KnownVersion {
  readonly template: Template;
  readonly manifest: Manifest;
  /** Objects that users write for it. */
  readonly samples: readonly ManifestObject[];
}

/** A version in service, and the manifest to compare it with. */
interface Comparison {
  readonly before: KnownVersion;
  /** Of the judged version. */
  readonly manifest: Manifest;
  /** The versions that its channels serve now; `undefined` where that is unknown. */
  readonly predecessors: readonly (KnownVersion | undefined)[];
}

/**
 * Whether a judged version can meet the objects of a version in service: only if that is older. No cluster goes from a
 * newer version to an older one, since lifecycle-manager does not downgrade: a withdrawal reaches only clusters that do
 * not have the newer version yet. Otherwise, nothing could enter a channel while another one is ahead of it.
 */
export function meets(judged: Template, served: Template): boolean {
  return compareVersions(served.version, judged.version) < 0;
}

/** A comparison, whose changes are still to be tried. */
export interface PreparedComparison {
  /** The changes that may break something, to be tried. */
  readonly trials: readonly BreakTrial[];
  /** Objects that users write for the version in service. */
  readonly seeds: readonly unknown[];
  /** Call it only after the questions were answered, and the changes tried. */
  readonly complete: () => ServedComparison;
}

/** Compares two versions, and prepares the question about the default CR. */
export function prepareComparison(comparison: Comparison, questions: Questions): PreparedComparison {
  const { module, version, object } = comparison.before.template;
  const definitions = definitionsIn(comparison.before.manifest).flatMap((definition) =>
    prepareDefinition(comparison, definition.object),
  );
  const defaultCr = prepareDefaultCr(comparison, questions);
  return {
    trials: definitions.flatMap(({ changes }) => changes.filter((change) => change instanceof BreakTrial)),
    seeds: [object.spec["data"], ...comparison.before.samples.map(({ value }) => value)].filter(
      (seed) => seed !== undefined,
    ),
    complete: () => ({
      served: { module, version },
      definitions: definitions.map(({ index, name, changes }) => ({
        index,
        name,
        changes: changes.map((change): ConfirmedChange =>
          change instanceof BreakTrial ? change.result() : { ...change, confirmation: "open", tried: 0 },
        ),
      })),
      defaultCr: defaultCr(),
    }),
  };
}

/** A definition that differs. Only changes that may break something are tried. */
interface PreparedDefinition extends Pick<DefinitionComparison, "index" | "name"> {
  readonly changes: readonly (BreakTrial | SchemaChange)[];
}

function prepareDefinition(
  { before, manifest, predecessors }: Comparison,
  served: ManifestObject,
): readonly PreparedDefinition[] {
  const { name } = served;
  const wanted = definitionsIn(manifest).find(({ object }) => object.name === name);
  if (wanted === undefined) {
    const isOld = allHold(before, predecessors, (predecessor) => named(predecessor.manifest, name) === undefined);
    return isOld ? [] : [{ index: -1, name, changes: [] }];
  }
  const { index, object } = wanted;
  const changes = isSame(served, object) ? [] : compareDefinitions(served.value, object.value);
  if (changes.length === 0) return [];
  const known = predecessors.map((predecessor) => storedChanges(before, predecessor, served));
  const fresh = changes
    .filter((change) => known.length === 0 || !known.every((identities) => identities.has(identity(change))))
    .map((change) =>
      change.isTried ? new BreakTrial(change, triedDefinition(served.value, change), object.value) : change,
    );
  return [{ index, name, changes: fresh }];
}

/** Whether `holds` is true for every predecessor: then the change is in service already, and nothing gets worse. */
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

function storedChanges(
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

/**
 * The verdict on the default CR of a served version; `undefined` if its definition is unchanged, or refused it before.
 */
function prepareDefaultCr({ before, manifest }: Comparison, questions: Questions): () => ServedComparison["defaultCr"] {
  const data = before.template.object.spec["data"];
  const [served, wanted] = [manifestDefinition(before.manifest, data), manifestDefinition(manifest, data)];
  if (served === undefined || wanted === undefined || isSame(served.object, wanted.object)) return () => undefined;
  const was = questions.create(served.object.value, data);
  const is = questions.create(wanted.object.value, data);
  const apiVersion = String(fieldAt(data, ["apiVersion"]));
  return () => (was().kind === "refused" ? undefined : { index: wanted.index, apiVersion, verdict: is() });
}
