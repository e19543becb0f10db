import { versionKey } from "../../../catalogue/lookup.ts";
import type { Channel } from "../../../catalogue/catalogue.ts";
import type { Manifest } from "../../../kubernetes/manifest.ts";
import type { Template } from "../../../catalogue/template.ts";
import { objectIdentity, isModulesNamespace, namedObject } from "../../../kubernetes/workload.ts";
import type { Context } from "../../context.ts";
import { BUMP, CODEOWNERS, edit, manifestPath, manifestText, SAMPLE, templateText } from "../../example.ts";
import { gatheredFact } from "../../facts.ts";
import { unjudged, type Rule } from "../../rule.ts";
import { eachManifest, inManifest, type JudgedManifest, type ManifestOutcomes } from "./place.ts";
import { oncePer } from "../../../document/once.ts";

const OTHER = edit(
  edit(templateText("fast", "1.0.0").replaceAll("sample-fast", "other-fast"), "name: sample\n", "name: other\n"),
  "moduleName: sample",
  "moduleName: other",
).replace("module-name: sample", "module-name: other");
const OTHER_MANIFEST = manifestText("1.0.0").replaceAll("sample", "other").replaceAll("Sample", "Other");
const OWNERS = `/channels/*/other.yaml @sample/team @sample/release-managers
/modules/other/ @sample/team @sample/release-managers
`;
const ROLE = "kind: ClusterRole\nmetadata:\n  name: ";

function withOther(manifest: string): Readonly<Record<string, string>> {
  return {
    "channels/fast/other.yaml": OTHER,
    "modules/other/module.yaml": 'format: 1\nowners: ["@sample/team"]\nocmComponentName: example.com/module/other\n',
    "modules/other/1.0.0/manifest.yaml": manifest,
    [CODEOWNERS]: edit(String(SAMPLE[CODEOWNERS]), "/channels/*/sample", `${OWNERS}/channels/*/sample`),
  };
}

/** No object belongs to two modules. */
export const manifestClaimed: Rule = {
  id: "manifest-claimed",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand: "No two modules that one cluster can have install the same object.",
  rationale:
    "Both are applied under the same field manager, so each reconciliation undoes the other's. When one of the two modules is disabled, or drops the object, lifecycle-manager deletes it although the other module needs it.",
  source: "lifecycle-manager, internal/controller/manifest, pruneDiff",
  judge: (context) => eachManifest(context, (judged) => claims(context, judged)),
  bad: {
    base: withOther(edit(OTHER_MANIFEST, `${ROLE}other-manager`, `${ROLE}sample-manager`)),
    change: {
      [manifestPath("1.2.0")]: BUMP[manifestPath("1.2.0")],
      "channels/fast/sample.yaml": templateText("fast", "1.2.0"),
    },
    at: { file: manifestPath("1.2.0"), line: "kind: ClusterRole" },
  },
  good: { base: withOther(OTHER_MANIFEST), change: BUMP },
};

function* claims({ head, facts, templates }: Context, judged: JudgedManifest): ManifestOutcomes {
  const versions = new Set(templates.map(versionKey));
  const known: OtherModule[] = [];
  for (const template of claimingNeighbours([...head.channels.values()], judged.template)) {
    const key = versionKey(template);
    const fact = gatheredFact(facts.manifests, key);
    if (fact.kind === "known") known.push({ template, manifest: fact.value, isRead: versions.has(key) });
    else yield UNKNOWN;
  }
  for (const object of judged.manifest.objects) {
    if (isModulesNamespace(object)) continue;
    // Searches the text first: parsing two hundred manifests to judge one would take seconds.
    const named = known.filter(({ manifest, isRead }) => isRead || manifest.mentions(object.name));
    const owner = named.find(({ manifest }) => identitiesIn(manifest).has(objectIdentity(object)))?.template;
    if (owner === undefined) {
      if (named.some(({ manifest }) => manifest.findings.length > 0)) yield UNKNOWN;
      continue;
    }
    const message = `${namedObject(object)} is also installed by ${owner.module} ${owner.version}.`;
    const remedy = "Give it another name, or leave it to one of the two modules.";
    yield inManifest(judged, object, ["kind"], { message, remedy });
  }
}

const UNKNOWN = unjudged("it is unknown what some modules of the channel install");

/** Another module that one cluster can have beside the judged one. */
interface OtherModule {
  readonly template: Template;
  readonly manifest: Manifest;
  /** It is judged itself, so its objects are read anyway. */
  readonly isRead: boolean;
}

/** Other modules that one cluster can have beside this one: those of its channel, and mandatory ones. */
function claimingNeighbours(
  channels: readonly Channel[],
  { module, version, channel: name }: Template,
): readonly Template[] {
  const own = channels.filter((channel) => channel.name === name || channel.templates.get(module)?.version === version);
  const near = channels.filter((channel) =>
    own.some((candidate) => candidate === channel || [candidate.kind, channel.kind].includes("mandatory")),
  );
  const templates = near.flatMap((channel) => [...channel.templates.values()]);
  return templates.filter((template) => template.module !== module);
}

// Cached: when everything is judged, every object is compared with every other manifest.
const identitiesIn = oncePer(({ objects }: Manifest): ReadonlySet<string> => new Set(objects.map(objectIdentity)));
