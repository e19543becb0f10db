import { inputsFolder } from "../../../catalogue/inputs.ts";
import { versionKey } from "../../../catalogue/lookup.ts";
import { FILE_START } from "../../../document/finding.ts";
import { SETTINGS_PATH } from "../../../catalogue/paths.ts";
import type { Template } from "../../../catalogue/template.ts";
import { judgedVersions, type Context } from "../../context.ts";
import { BUMP, FAST, manifestPath } from "../../example.ts";
import { gatheredFact, wholeManifest, type Fact, type Facts } from "../../facts.ts";
import type { FactName } from "../../required.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import { unansweredIn } from "../crd/resources.ts";
import { atImage, eachImage } from "../image/place.ts";
import { linkPath, type ManifestOutcomes } from "../manifest/place.ts";
import { metBy, servedVersions } from "../manifest/serving.ts";

/** Required facts are known. */
export const factRequired: Rule = {
  id: "fact-required",
  group: "version",
  severity: "error",
  waivable: true,
  demand:
    "The facts that --require names are known for every judged version, and the manifest also for the versions that it is compared with. Of a version without a template, these are the manifest, its validation and its images.",
  rationale:
    "A rule whose facts are missing does not run, and refuses nothing. If the report is not read, a link to a host that does not answer turns off thirty rules, and the check still passes.",
  source: 'kyma-modules check --help, "--require"',
  judge: function* (context) {
    for (const name of context.required) yield* UNKNOWN[name](context);
  },
  bad: {
    change: { ...BUMP, [manifestPath("1.2.0")]: undefined },
    required: ["manifest"],
    at: { file: FAST, line: "link: " },
  },
  good: { change: BUMP, required: ["manifest"] },
};

/** Reports each required fact that is unknown. */
const UNKNOWN: Readonly<Record<FactName, (context: Context) => ManifestOutcomes>> = {
  manifest: function* (context) {
    const { manifests, servedManifests } = context.facts;
    for (const template of judgedVersions(context)) {
      // Another rule refuses a judged manifest that cannot be read.
      const fact = gatheredFact(manifests, versionKey(template));
      if (fact.kind === "unknown") yield missingManifest(template, fact.why, "or fix the link to it", template);
      for (const version of comparedWith(context, template))
        yield* templateServedManifest(version, servedManifests, template);
    }
  },
  validator: function* (context) {
    const { required, facts } = context;
    for (const template of judgedVersions(context)) {
      const fact = gatheredFact(facts.customResources, versionKey(template));
      const why =
        fact.kind === "known" ? unansweredIn(fact.value) : required.includes("manifest") ? undefined : fact.why;
      if (why !== undefined) yield missing(`Kubernetes' validation of ${versionKey(template)}`, why, AGAIN, template);
    }
  },
  component: (context) => ofVersions(context, context.facts.components, "The OCM component", REGISTRY),
  release: (context) =>
    ofVersions(context, context.facts.releases, "The release", "Run it again once its repository answers."),
  server: (context) =>
    ofVersions(context, context.facts.server, "The server-side validation", "Name a server: --server."),
  image: (context) =>
    eachImage(context, function* (use) {
      const fact = gatheredFact(context.facts.images, use.text);
      if (use.image !== undefined && fact.kind === "unknown")
        yield atImage(use, `the digest of ${use.text} is required, but unknown: ${fact.why}.`, REGISTRY);
    }),
  history: ({ facts }) => ofAll(facts.history, "The history of the channels"),
  earned: ({ facts }) => ofAll(facts.unearned, "The verdict of promotion"),
};

/**
 * The versions that rules compare a template with. A version in service gains no rights, so that the manifests of all
 * versions can be added one after the other, oldest first.
 */
function comparedWith(context: Context, template: Template): readonly Template[] {
  const served = servedVersions(context, template);
  return served.some(({ version }) => version === template.version) ? metBy(context, template) : served;
}

function* templateServedManifest(
  version: Template,
  manifests: Context["facts"]["servedManifests"],
  judged: Template,
): ManifestOutcomes {
  const key = versionKey(version);
  const [found, whole] = [gatheredFact(manifests, key), wholeManifest(manifests, key)];
  if (found.kind === "unknown")
    yield missingManifest(version, found.why, "in a pull request of its own, and merge that one first", judged);
  else if (whole.kind === "unknown") {
    const remedy = `It can no longer change: compare the two versions yourself, and have fact-required waived for ${judged.version}.`;
    yield missing(`The manifest of ${key}`, whole.why, remedy, judged);
  }
}

function missingManifest(version: Template, why: string, how: string, judged: Template): Violation {
  const remedy = `Put it into the repository as ${inputsFolder(version.module, version.version)}manifest.yaml, ${how}.`;
  return missing(`The manifest of ${versionKey(version)}`, why, remedy, judged);
}

const AGAIN = "Run it again; if that does not help, make the definitions smaller.";
const REGISTRY = "Run it again once the registry answers.";

function* ofVersions(
  { templates }: Context,
  facts: ReadonlyMap<string, Fact<unknown>>,
  what: string,
  remedy: string,
): ManifestOutcomes {
  for (const template of templates) {
    const fact = gatheredFact(facts, versionKey(template));
    if (fact.kind === "unknown") yield missing(`${what} of ${versionKey(template)}`, fact.why, remedy, template);
  }
}

function missing(what: string, why: string, remedy: string, template: Template): Violation {
  return inTemplate(template, linkPath(template), { message: `${what} is required, but unknown: ${why}.`, remedy });
}

function ofAll(fact: Facts["history" | "unearned"], what: string): readonly Violation[] {
  if (fact.kind === "known") return [];
  const message = `${what} is required, but unknown: ${fact.why}.`;
  return [
    { kind: "violation", file: SETTINGS_PATH, position: FILE_START, message, remedy: "Fetch the whole history." },
  ];
}
