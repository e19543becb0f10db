import { versionKey } from "../../catalogue/lookup.ts";
import type { Inputs } from "../../catalogue/inputs.ts";
import type { Manifest, ManifestObject } from "../../kubernetes/manifest.ts";
import type { Template } from "../../catalogue/template.ts";
import { compareVersions } from "../../catalogue/version.ts";
import type { Run, Validator } from "../../ports.ts";
import {
  meets,
  prepareComparison,
  type KnownVersion,
  type PreparedComparison,
} from "../compatibility/compareServed.ts";
import { manifestDefinition, definitionsIn } from "../../kubernetes/customDefinitions.ts";
import { wholeManifest, type CustomResources, type Fact, type JudgedSample } from "../facts.ts";
import { Questions } from "../compatibility/questions.ts";
import { seekExamples } from "../compatibility/seekExamples.ts";

/** The versions to validate, and the data for their validation. */
interface Subjects {
  readonly templates: readonly Template[];
  readonly served: readonly Template[];
  readonly manifests: ReadonlyMap<string, Fact<Manifest>>;
  readonly servedManifests: ReadonlyMap<string, Fact<Manifest>>;
  readonly inputs: SamplesByVersion;
  readonly servedInputs: SamplesByVersion;
}

type SamplesByVersion = ReadonlyMap<string, Pick<Inputs, "samples">>;

/** Asks Kubernetes' validation about the custom resources of the judged versions. Throws what the validator throws. */
export async function gatherCustomResources(
  { templates, served, manifests, ...others }: Subjects,
  validator: Validator,
  run: Run,
): Promise<ReadonlyMap<string, Fact<CustomResources>>> {
  const questions = new Questions();
  const inService = Map.groupBy(
    served.filter(({ channel }) => channel !== undefined),
    ({ module }) => module,
  );
  const versions = [...Map.groupBy(templates, versionKey)].map(([key, judged]) => {
    const fact = wholeManifest(manifests, key);
    if (fact.kind === "unknown") return { key, fact };
    const [template] = judged;
    const inModule = (template && inService.get(template.module)) ?? [];
    return { key, prepared: prepare({ ...others, judged, served: inModule, manifest: fact.value }, questions) };
  });
  await questions.ask(validator, run);
  const against = versions.flatMap(({ prepared }) => prepared?.against ?? []);
  await seekExamples(against, validator, run);
  return new Map(
    versions.map(({ key, fact, prepared }): [string, Fact<CustomResources>] => [
      key,
      prepared === undefined ? fact : { kind: "known", value: prepared.complete() },
    ]),
  );
}

/** A version, and the versions to compare it with. */
interface ComparedVersion extends Pick<Subjects, "servedManifests" | "inputs" | "servedInputs"> {
  /** Every template of the version. */
  readonly judged: readonly Template[];
  readonly manifest: Manifest;
  /** Of the same module, in channels of the base. */
  readonly served: readonly Template[];
}

/** The questions about a version, and its result once they are answered. */
interface PreparedVersion {
  readonly against: readonly PreparedComparison[];
  readonly complete: () => CustomResources;
}

function prepare(version: ComparedVersion, questions: Questions): PreparedVersion {
  const { judged, manifest, servedManifests, inputs, servedInputs } = version;
  const definitions = definitionsIn(manifest).map(({ index, object }) => ({
    index,
    verdict: questions.definition(object.value),
  }));
  const data = judged.map(({ object }) => object.spec["data"]).find((value) => value !== undefined);
  const own = manifestDefinition(manifest, data)?.object.value;
  const defaultCr = data === undefined || own === undefined ? undefined : questions.create(own, data);
  const known = (template: Template): readonly KnownVersion[] => {
    const fact = wholeManifest(servedManifests, versionKey(template));
    return fact.kind === "known"
      ? [{ template, manifest: fact.value, samples: templateSamples(template, servedInputs) }]
      : [];
  };
  const samples = judged.slice(0, 1).flatMap((template) => templateSamples(template, inputs));
  const verdicts = samples.map((object) => prepareSample(object, manifest, questions));
  const against = comparedWith(version)
    .flatMap(known)
    .map((before) =>
      prepareComparison({ before, manifest, predecessors: comparedVersionPredecessors(version, known) }, questions),
    );
  return {
    against,
    complete: () => ({
      definitions: new Map(definitions.map(({ index, verdict }) => [index, verdict()])),
      defaultCr: data === undefined ? undefined : (defaultCr?.() ?? "no-definition"),
      samples: verdicts.map((verdict) => verdict()),
      against: against.map(({ complete }) => complete()),
    }),
  };
}

function templateSamples(template: Template, inputs: SamplesByVersion): readonly ManifestObject[] {
  return (inputs.get(versionKey(template))?.samples ?? []).flatMap(({ objects }) => objects);
}

function prepareSample(object: ManifestObject, manifest: Manifest, questions: Questions): () => JudgedSample {
  const definition = manifestDefinition(manifest, object.value)?.object.value;
  if (definition === undefined) return () => ({ object, verdict: { kind: "no-definition" } });
  const verdict = questions.create(definition, object.value);
  return () => ({ object, verdict: verdict() });
}

/** The versions in service that a template of the version can meet, newest first. */
function comparedWith({ judged, served }: ComparedVersion): readonly Template[] {
  const met = served.filter((candidate) => judged.some((template) => meets(template, candidate)));
  const versions = new Map(met.map((template) => [template.version, template]));
  return [...versions.values()].toSorted((a, b) => compareVersions(b.version, a.version));
}

/**
 * The versions that the channels of the judged version serve now; `undefined` for a channel that serves no other
 * version or an unknown one.
 */
function comparedVersionPredecessors(
  { judged, served }: ComparedVersion,
  known: (template: Template) => readonly KnownVersion[],
): readonly (KnownVersion | undefined)[] {
  return judged
    .filter(({ channel }) => channel !== undefined)
    .map(({ channel, version }) => {
      const before = served.find((template) => template.channel === channel && template.version !== version);
      return before && known(before)[0];
    });
}
