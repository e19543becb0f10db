import { versionKey } from "../../../catalogue/lookup.ts";
import { localManifest, type Inputs } from "../../../catalogue/inputs.ts";
import type { YamlFile } from "../../../document/yaml/read.ts";
import { FILE_START } from "../../../document/finding.ts";
import { BUMP, edit, FAST, manifestPath, manifestText, templateText } from "../../example.ts";
import type { Manifest } from "../../../kubernetes/manifest.ts";
import type { Context } from "../../context.ts";
import { gatheredFact, type Fact } from "../../facts.ts";
import { unjudged, type Complaint, type Rule, type Violation } from "../../rule.ts";
import type { VersionSubject } from "../../subject.ts";
import { touchedVersions } from "../../touched.ts";
import type { ManifestOutcomes } from "../manifest/place.ts";

const IN_SERVICE = { [FAST]: templateText("fast", "1.1.0") };

/** The build inputs of a version that was ever served do not change. */
export const versionInputs: Rule = {
  id: "version-inputs",
  group: "version",
  severity: "error",
  waivable: false,
  demand:
    "The build inputs of a version that a channel ever served do not change, and those that are added are what it was built from.",
  rationale:
    "A version never changes: clusters run what was built from these files. If they are edited later, they describe something that does not run, and every later version is compared with that.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
  judge: function* (context) {
    const { inputs, servedInputs, history } = context.facts;
    for (const version of touchedVersions(context)) {
      const [before, after] = [servedInputs, inputs].map((all) => all.get(versionKey(version)));
      if (before !== undefined && after !== undefined) yield* judgeInputs(context, version, before, after);
      else if (history.kind === "unknown") yield unjudged(history.why, version);
    }
  },
  bad: {
    base: IN_SERVICE,
    change: { [manifestPath("1.1.0")]: edit(manifestText("1.1.0"), "verbs: [get, list, watch]", "verbs: [get]") },
    at: { file: manifestPath("1.1.0"), line: "" },
  },
  good: { base: IN_SERVICE, change: BUMP },
};

function* judgeInputs({ facts }: Context, version: VersionSubject, before: Inputs, after: Inputs): ManifestOutcomes {
  const key = versionKey(version);
  for (const file of changedFiles(before, after)) {
    const message = `A channel serves or served ${key}, which was not built from this content.`;
    yield atStart(file, version, {
      message,
      remedy: "Restore the file, and make the change in a new version.",
    });
  }
  const added = localManifest(before) === undefined ? localManifest(after) : undefined;
  if (added !== undefined) yield* judgeAdded(added, version, gatheredFact(facts.servedManifests, key));
}

function atStart(file: string, subject: VersionSubject, complaint: Complaint): Violation {
  return { kind: "violation", file, position: FILE_START, ...complaint, subject };
}

/** Compares a manifest that the base does not have with the one that the version was built from. */
function* judgeAdded(added: Manifest, version: VersionSubject, published: Fact<Manifest>): ManifestOutcomes {
  if (published.kind === "unknown") {
    const why = `${added.source} was not compared with what the version was built from, since ${published.why}`;
    yield unjudged(why, version);
  } else if (published.value.hash !== added.hash) {
    const { source } = published.value;
    const message = `${versionKey(version)} was built from ${source}, which has other content.`;
    yield atStart(added.source, version, { message, remedy: `Copy ${source} without a change, or remove this file.` });
  }
}

/** The files of `before` that differ in `after`, but not those that were added. */
function changedFiles(before: Inputs, after: Inputs): readonly string[] {
  const config = changedFile(inputText(before.config), inputText(after.config));
  // If the configuration is missing or cannot be read, the files that it names are unknown.
  if (before.config !== undefined && after.config === undefined) return config;
  return [
    ...changedFile(inputManifest(before), inputManifest(after)),
    ...config,
    ...changedFile(inputText(before.defaultCr), inputText(after.defaultCr)),
  ];
}

/** The path and the content of an input. */
interface InputContent {
  readonly path: string;
  readonly content: string;
}

function changedFile(before: InputContent | undefined, after: InputContent | undefined): readonly string[] {
  if (before === undefined || before.content === after?.content) return [];
  return [after?.path ?? before.path];
}

function inputManifest({ manifest }: Inputs): InputContent | undefined {
  // The address of a manifest is in the configuration.
  return manifest === undefined || "link" in manifest ? undefined : { path: manifest.source, content: manifest.hash };
}

function inputText(file: YamlFile | undefined): InputContent | undefined {
  return file && { path: file.path, content: file.text };
}
