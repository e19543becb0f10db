import { versionKey } from "../../../catalogue/lookup.ts";
import { FAST } from "../../example.ts";
import { rawManifestDigest, descriptorRawManifests } from "../../../kubernetes/ocm/descriptor.ts";
import type { Context } from "../../context.ts";
import { gatheredFact } from "../../facts.ts";
import type { Rule } from "../../rule.ts";
import type { ManifestOutcomes } from "../manifest/place.ts";
import { eachDescriptor, inDescriptor, resourcesPath, withDescriptor, type JudgedDescriptor } from "./place.ts";

/** A component version contains one manifest. */
export const descriptorManifest: Rule = {
  id: "descriptor-manifest",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand: "A descriptor has exactly one resource called raw-manifest, and it is the manifest in the repository.",
  rationale:
    "lifecycle-manager installs the raw manifest. Without one, the module stays in Error; with two, their order decides which one is installed. One with another digest than the reviewed manifest is another program.",
  source: "https://github.com/open-component-model/ocm-spec",
  judge: (context) =>
    eachDescriptor(context, function* (judged) {
      yield* oneManifest(judged);
      yield* sameManifest(context, judged);
    }),
  bad: {
    change: withDescriptor("name: raw-manifest", "name: manifest"),
    at: { file: FAST, line: "resources:" },
  },
  good: { change: withDescriptor() },
};

function oneManifest(judged: JudgedDescriptor): ManifestOutcomes {
  const { descriptor } = judged;
  const [first, ...others] = descriptorRawManifests(descriptor);
  if (first === undefined) {
    const message = "No resource is called raw-manifest.";
    return [
      inDescriptor(judged, resourcesPath(descriptor), {
        message,
        remedy: "Add the manifest as a resource of that name.",
      }),
    ];
  }
  return others.map(({ path }) => {
    const message = "A second resource is called raw-manifest.";
    return inDescriptor(judged, path, { message, remedy: "Keep one of them, or make one manifest of both." });
  });
}

/** Compares digests. Of an archive, descriptor-published compares the file in it. */
function* sameManifest({ facts }: Context, judged: JudgedDescriptor): ManifestOutcomes {
  const [resource] = descriptorRawManifests(judged.descriptor);
  const digest = rawManifestDigest(resource);
  const fact = gatheredFact(facts.manifests, versionKey(judged.template));
  if (resource === undefined || digest === undefined) return;
  if (fact.kind === "unknown" || !fact.value.isLocal || digest === `sha256:${fact.value.hash}`) return;
  const message = `raw-manifest is ${digest}, but ${fact.value.source} is sha256:${fact.value.hash}.`;
  const remedy = "Build the template from this manifest, or replace this manifest by the one that it was built from.";
  yield inDescriptor(judged, resource.path, { message, remedy });
}
