import { imageProblems } from "../../../kubernetes/ocm/descriptor.ts";
import { FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { eachReading, inDescriptor, withDescriptor } from "./place.ts";

/** OCM can read the descriptor. */
export const descriptorStructure: Rule = {
  id: "descriptor-structure",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand: "A component descriptor is one of OCM's schema v2 or v3; a template may leave it to the registry with {}.",
  rationale:
    "lifecycle-manager finds the manifest of a version through the descriptor. If it cannot read the descriptor, the module and the whole Kyma are in the state Error on every cluster that wants the version.",
  source: "https://github.com/open-component-model/ocm/tree/main/resources",
  judge: (context) =>
    eachReading(context, (judged) => {
      const { reading } = judged;
      const images = reading.kind === "read" ? imageProblems(reading.descriptor) : [];
      return [...reading.problems, ...images].map(({ path, message, remedy }) => {
        const subject = path.length === 0 ? "The descriptor" : path.join(".");
        return inDescriptor(judged, path, { message: `${subject} ${message}.`, remedy });
      });
    }),
  bad: {
    change: withDescriptor("relation: external", "relation: foreign"),
    at: { file: FAST, line: "relation: foreign" },
  },
  good: { change: withDescriptor() },
};
