import { versionKey } from "../../../catalogue/lookup.ts";
import type { Finding } from "../../../document/finding.ts";
import { fieldAt, textAt } from "../../../document/fields.ts";
import type { Manifest, ManifestObject } from "../../../kubernetes/manifest.ts";
import type { Template } from "../../../catalogue/template.ts";
import type { YamlPath } from "../../../document/yaml/tree.ts";
import { judgedVersions, type Context } from "../../context.ts";
import { gatheredFact } from "../../facts.ts";
import { inTemplate, unjudged, violation, type Complaint, type Unjudged, type Violation } from "../../rule.ts";

/** A template to judge, and its manifest. */
export interface JudgedManifest {
  readonly template: Template;
  readonly manifest: Manifest;
}

/** The outcomes of a rule. */
export type ManifestOutcomes = Iterable<Violation | Unjudged>;

/** Judges every manifest that can be read; `manifest-syntax` reports the others. */
export function eachManifest(
  context: Context,
  judge: (judged: JudgedManifest) => ManifestOutcomes,
): Generator<Violation | Unjudged> {
  return eachFound(context, (judged) =>
    judged.manifest.findings.length > 0 ? [unjudged("its manifest cannot be read", judged.template)] : judge(judged),
  );
}

/**
 * Judges every known manifest, and reports that the others were not judged. If all of several are unknown for the same
 * reason, this is reported once, and not ten thousand times for a catalogue without manifests.
 */
export function* eachFound(
  context: Context,
  judge: (judged: JudgedManifest) => ManifestOutcomes,
): Generator<Violation | Unjudged> {
  const { facts } = context;
  const templates = judgedVersions(context);
  const reasons = new Set(
    templates.map((template) => {
      const fact = gatheredFact(facts.manifests, versionKey(template));
      return fact.kind === "unknown" ? fact.why : undefined;
    }),
  );
  const [why] = reasons;
  if (templates.length > 1 && reasons.size === 1 && why !== undefined) yield unjudged(why);
  else
    for (const template of templates) {
      const fact = gatheredFact(facts.manifests, versionKey(template));
      if (fact.kind === "unknown") yield unjudged(fact.why, template);
      else yield* judge({ template, manifest: fact.value });
    }
}

/** Judges every object of every manifest that can be read. */
export function eachObject(
  context: Context,
  judge: (object: ManifestObject, judged: JudgedManifest) => ManifestOutcomes,
): Generator<Violation | Unjudged> {
  return eachManifest(context, function* (judged) {
    for (const object of judged.manifest.objects) yield* judge(object, judged);
  });
}

/**
 * A violation at the value at `path` of an object. If the manifest is not in the repository, the violation is at the
 * line of the template that names it.
 */
export function inManifest(
  { template, manifest }: JudgedManifest,
  object: ManifestObject,
  path: YamlPath,
  complaint: Complaint,
): Violation {
  return manifest.isLocal
    ? violation(object.file, [...object.path, ...path], complaint, templateSubject(template))
    : inTemplate(template, linkPath(template), { ...complaint, message: `${manifest.source}: ${complaint.message}` });
}

/** A violation where a file of a version cannot be read. */
export function unreadable({ file, line, column, message, remedy }: Finding, template: Template): Violation {
  return { kind: "violation", file, position: { line, column }, message, remedy, subject: templateSubject(template) };
}

/** The version of a template, without the template. */
export function templateSubject({ module, version }: Template): Pick<Template, "module" | "version"> {
  return { module, version };
}

/** The place in a template that names its manifest: the link, else the descriptor. */
export function linkPath({ object }: Template): YamlPath {
  const resources = fieldAt(object, ["spec", "resources"]);
  const index = Array.isArray(resources)
    ? resources.findIndex((resource: unknown) => textAt(resource, ["name"]) === "rawManifest")
    : -1;
  return index < 0 ? ["spec", "descriptor"] : ["spec", "resources", index, "link"];
}
