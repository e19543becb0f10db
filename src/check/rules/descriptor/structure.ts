import { FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { eachReading, inDescriptor, withDescriptor } from "./place.ts";

/** A descriptor is one that OCM can read. */
export const descriptorStructure: Rule = {
  id: "descriptor-structure",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand: "A component descriptor is one of OCM's schema v2 or v3; a template may leave it to the registry with {}.",
  rationale:
    "lifecycle-manager reads from the descriptor where the manifest of a version lies. One that it cannot read puts the module, and with it the whole Kyma, into the state Error on every cluster that wants the version.",
  source: "https://github.com/open-component-model/ocm/tree/main/resources",
  judge: (context) =>
    eachReading(context, (judged) =>
      judged.reading.problems.map(({ path, message, remedy }) => {
        const subject = path.length === 0 ? "The descriptor" : path.join(".");
        return inDescriptor(judged, path, { message: `${subject} ${message}.`, remedy });
      }),
    ),
  bad: {
    change: withDescriptor("relation: external", "relation: foreign"),
    at: { file: FAST, line: "relation: foreign" },
  },
  good: { change: withDescriptor() },
};
