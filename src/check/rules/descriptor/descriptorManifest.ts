import { FAST } from "../../example.ts";
import { rawManifestsOf } from "../../../kubernetes/ocm/descriptor.ts";
import type { Rule } from "../../rule.ts";
import type { Outcomes } from "../manifest/place.ts";
import { eachDescriptor, inDescriptor, resourcesPath, withDescriptor, type JudgedDescriptor } from "./place.ts";

/** A component version holds one manifest. */
export const descriptorManifest: Rule = {
  id: "descriptor-manifest",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand: "A descriptor has exactly one resource called raw-manifest.",
  rationale:
    "The raw manifest is what lifecycle-manager installs. Without one the module stays in Error; of two, which one is installed is an accident of their order.",
  source: "lifecycle-manager.md, OCM component version in an OCI registry",
  judge: (context) => eachDescriptor(context, oneManifest),
  bad: {
    change: withDescriptor("name: raw-manifest", "name: manifest"),
    at: { file: FAST, line: "resources:" },
  },
  good: { change: withDescriptor() },
};

function oneManifest(judged: JudgedDescriptor): Outcomes {
  const { descriptor } = judged;
  const [first, ...others] = rawManifestsOf(descriptor);
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
