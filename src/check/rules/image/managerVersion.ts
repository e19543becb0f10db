import { objectImages, type UsedImage } from "../../../kubernetes/imagesInManifest.ts";
import { podContainers, workloadPodTemplate } from "../../../kubernetes/workload.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import { unjudged, type Rule } from "../../rule.ts";
import { findManager, templateManager } from "../manifest/templateManager.ts";
import { eachManifest, type JudgedManifest, type ManifestOutcomes } from "../manifest/place.ts";
import { atImage } from "./place.ts";

/** The image of the manager has the version of its template. */
export const imageManagerVersion: Rule = {
  id: "image-manager-version",
  group: "image",
  severity: "error",
  waivable: true,
  demand: "The tag of the manager's image is the version of the module.",
  rationale:
    "A bump that forgets the manifest installs the old program under the new name: all checks pass, soak time counts, and the fix that was announced is on no cluster. The tag is the only thing that shows it.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#check-a-change",
  judge: (context) => eachManifest(context, managerImage),
  bad: {
    change: bumpManifest("sample-manager:1.2.0", "sample-manager:1.1.0"),
    at: { file: manifestPath("1.2.0"), line: "sample-manager:1.1.0" },
  },
  good: { change: BUMP },
};

function managerImage(judged: JudgedManifest): ManifestOutcomes {
  const { template, manifest } = judged;
  const reference = templateManager(template);
  const manager = reference && findManager(manifest, reference);
  const used = manager && imageOfManager(manager);
  // An image without a tag or a digest is refused by another rule.
  if (manager === undefined || used?.image === undefined) return [];
  const { tag, digest } = used.image;
  if (tag === undefined)
    return digest === undefined ? [] : [unjudged("the manager's image has a digest and no tag", template)];
  if (tag === template.version) return [];
  const message = `the manager's image has the tag ${tag}, but the module is ${template.version}.`;
  return [atImage({ ...used, object: manager, judged }, message, `Use the image of ${template.version}.`)];
}

/** The image of the container called manager, else of the first container: there may be others. */
function imageOfManager(object: ManifestObject): UsedImage | undefined {
  const pods = workloadPodTemplate(object);
  const containers = pods === undefined ? [] : podContainers(pods).filter(({ list }) => list === "containers");
  const container = containers.find(({ name }) => name === "manager") ?? containers[0];
  if (container === undefined) return undefined;
  return objectImages(object).find(({ path }) => path.join() === [...container.path, "image"].join());
}
