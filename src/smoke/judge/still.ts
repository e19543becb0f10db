import { canonicalHash } from "../../document/canonical.ts";
import { objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { Trouble } from "../step.ts";

/** Several looks at the same objects, in order of time. */
type Looks = readonly (readonly (KubernetesObject | undefined)[])[];

/** A status that changes in at least this share of the looks is written endlessly. */
const RESTLESS_SHARE = 0.5;

/**
 * Why objects do not stay unchanged: their content changes, they disappear, or their status is written again and again.
 */
export function unrestIn(looks: Looks): Trouble | undefined {
  const [first = []] = looks;
  for (const [index, object] of first.entries()) {
    const trouble =
      object &&
      objectUnrest(
        object,
        looks.map((look) => look[index]),
      );
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

function objectUnrest(first: KubernetesObject, looks: readonly (KubernetesObject | undefined)[]): Trouble | undefined {
  const object = objectText(first);
  const remedy =
    "Write only differences: a controller that writes on every pass wakes itself, and every other watcher.";
  const content = contentHash(first);
  for (const now of looks) {
    if (now === undefined || now.metadata.uid !== first.metadata.uid)
      return { object, said: "it disappeared while nothing was changed", remedy: "Look at what removes it." };
    if (contentHash(now) !== content) return { object, said: "it changes while nothing is changed", remedy };
  }
  const versions = looks.map((look) => look?.metadata.resourceVersion);
  const moves = versions.filter((version, index) => index > 0 && version !== versions[index - 1]).length;
  if (looks.length < 4 || moves < (looks.length - 1) * RESTLESS_SHARE) return undefined;
  return { object, said: `its status was written ${moves} times or more while nothing was changed`, remedy };
}

/** The hash of the content of an object, without its status, and without the metadata that the server sets. */
export function contentHash({ metadata, status: _status, ...content }: KubernetesObject): string {
  const { labels, annotations } = metadata;
  return canonicalHash({ labels, annotations, ...content });
}
