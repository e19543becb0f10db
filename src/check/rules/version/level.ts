import { versionKey } from "../../../catalogue/lookup.ts";
import type { Manifest } from "../../../kubernetes/manifest.ts";
import { compareVersions, type ModuleVersion } from "../../../catalogue/version.ts";
import type { Check } from "../../../kubernetes/crd/compare.ts";
import { gainedGrants, manifestGrants } from "../../../kubernetes/rbac.ts";
import { rightsText } from "../../../kubernetes/rightsText.ts";
import type { ChannelStep, Context } from "../../context.ts";
import { definitionsIn } from "../../../kubernetes/customDefinitions.ts";
import { edit, FAST, manifestPath, manifestText, templateText } from "../../example.ts";
import { gatheredFact, wholeManifest, type CustomResources } from "../../facts.ts";
import { inTemplate, unjudged, type Rule } from "../../rule.ts";
import type { ManifestOutcomes } from "../manifest/place.ts";

const SIZE = "size: { type: string, enum: [small, large] }";

/** A patch adds nothing new. */
export const versionLevel: Rule = {
  id: "version-level",
  group: "version",
  severity: "error",
  waivable: true,
  demand: "A patch adds no fields to definitions, no kinds and no rights.",
  rationale:
    "Patches are promoted sooner, and inherit the time that their line has already served. Reviewers of a patch expect a correction; new features need the soak time of a minor version.",
  source: "https://semver.org/#spec-item-6",
  judge: function* (context) {
    for (const step of context.steps) yield* judgeStep(context, step);
  },
  bad: {
    change: {
      [FAST]: templateText("fast", "1.1.1"),
      [manifestPath("1.1.1")]: edit(manifestText("1.1.1"), SIZE, `${SIZE}\n                mode: { type: string }`),
    },
    at: { file: FAST, line: "version: 1.1.1" },
  },
  good: { change: { [FAST]: templateText("fast", "1.1.1"), [manifestPath("1.1.1")]: manifestText("1.1.1") } },
};

function* judgeStep({ facts }: Context, { from, to, channel }: ChannelStep): ManifestOutcomes {
  if (from === undefined || to === undefined || !isPatch(from.version, to.version)) return;
  const before = wholeManifest(facts.servedManifests, versionKey(from));
  const after = wholeManifest(facts.manifests, versionKey(to));
  const resources = gatheredFact(facts.customResources, versionKey(to));
  if (before.kind === "unknown") yield unjudged(`it was not compared with ${from.version}, since ${before.why}`, to);
  else if (after.kind === "unknown") yield unjudged(after.why, to);
  else if (resources.kind === "unknown") yield unjudged(resources.why, to);
  else {
    const added = [
      ...addedFields(resources.value, from.version),
      ...addedKinds(before.value, after.value),
      ...addedRights(before.value, after.value),
    ];
    if (added.length === 0) return;
    const message = `${to.version} is a patch of ${from.version}, which ${channel.name} serves, but it adds ${added.join("; ")}.`;
    yield inTemplate(to, ["spec", "version"], { message, remedy: "Give it the next minor version." });
  }
}

/** Whether a step goes up within one `x.y`. */
function isPatch(from: ModuleVersion, to: ModuleVersion): boolean {
  const [line, other] = [from, to].map((version) => version.split(".", 2).join("."));
  return line === other && compareVersions(from, to) < 0;
}

const ADDITIONS: readonly Check[] = ["field-added", "version-added"];

function addedFields({ against }: CustomResources, from: ModuleVersion): readonly string[] {
  return against
    .filter(({ served }) => served.version === from)
    .flatMap(({ definitions }) => definitions)
    .flatMap(({ name, changes }) =>
      changes
        .filter(({ check }) => ADDITIONS.includes(check))
        .map(({ check, version, field }) =>
          check === "field-added"
            ? `the field ${field} of ${name} ${String(version)}`
            : `the version ${String(version)} of ${name}`,
        ),
    );
}

function addedKinds(before: Manifest, after: Manifest): readonly string[] {
  const known = new Set(definitionsIn(before).map(({ object }) => object.name));
  return definitionsIn(after)
    .filter(({ object }) => !known.has(object.name))
    .map(({ object }) => `the kind ${object.name}`);
}

function addedRights(before: Manifest, after: Manifest): readonly string[] {
  const gained = gainedGrants(manifestGrants(after.objects), manifestGrants(before.objects));
  return gained.length === 0 ? [] : [`these rights: ${rightsText(gained)}`];
}
