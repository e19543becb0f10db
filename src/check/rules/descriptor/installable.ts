import { installProblems } from "../../../kubernetes/ocm/installable.ts";
import { FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { eachReading, inDescriptor, withDescriptor } from "./place.ts";

/** lifecycle-manager can install what the descriptor describes. */
export const descriptorInstallable: Rule = {
  id: "descriptor-installable",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand:
    "A descriptor names a repository, and gives its resources and its raw-manifest in a form that lifecycle-manager knows.",
  rationale:
    "OCM knows more than lifecycle-manager, which refuses the whole version for one resource with another access, and finds no manifest without a repository context. The module is then in Error on every cluster that wants the version.",
  source: "lifecycle-manager 1.20.4, internal/manifest/img/parse.go",
  judge: (context) =>
    eachReading(context, (judged) => {
      const { reading } = judged;
      // Another rule reports a descriptor that OCM refuses.
      if (reading.kind !== "read" || reading.problems.length > 0) return [];
      return installProblems(reading.descriptor).map(({ path, message, remedy }) =>
        inDescriptor(judged, path, { message: `${path.join(".")} ${message}.`, remedy }),
      );
    }),
  bad: {
    change: withDescriptor("{ type: ociArtifact, image", "{ type: ociImage, image"),
    at: { file: FAST, line: "type: ociImage" },
  },
  good: { change: withDescriptor() },
};
