import { manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { atImage, eachImage, withImage } from "./place.ts";

/** Images come from registries that the release managers allow. */
export const imageRegistry: Rule = {
  id: "image-registry",
  group: "image",
  severity: "error",
  waivable: true,
  demand: "Every image comes from a place that kyma-modules.yaml allows.",
  rationale:
    "Clusters pull from the allowed registries only, which are scanned, mirrored and reachable from every landscape. An image from elsewhere is a program of unknown origin, and in a closed network it cannot be pulled at all.",
  source: "kyma-modules.yaml, images.allow",
  judge: (context) => {
    // Read from the base, so that a change cannot allow itself a registry.
    const { allow } = (context.base ?? context.head).settings.images;
    if (allow === undefined) return [];
    const allowed = allow.map(globPattern);
    return eachImage(context, (use) => {
      if (use.image === undefined) return [];
      const place = `${use.image.registry}/${use.image.repository}`;
      if (allowed.some((pattern) => pattern.test(place))) return [];
      return [atImage(use, `images may not come from ${place}.`, `Publish it under one of: ${allow.join(", ")}.`)];
    });
  },
  bad: {
    change: withImage("docker.io/library/proxy:2.1.0"),
    at: { file: manifestPath("1.2.0"), line: "docker.io/library/proxy" },
  },
  good: { change: withImage("registry.example.com/prod/tools/proxy:2.1.0") },
};

/** A glob as a pattern: `**` stands for any text, `*` for one without "/". */
export function globPattern(glob: string): RegExp {
  const parts = glob.split(/(\*+)/).map((part) => {
    if (part.startsWith("*")) return part === "*" ? "[^/]*" : ".*";
    return part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}
