import { BUMP } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { eachArrival, isNew } from "../steps.ts";
import { NEW, newModule } from "./otherModule.ts";

/** Marks the first submission of a module for review. */
export const channelFirstSubmission: Rule = {
  id: "channel-first-submission",
  group: "channel",
  severity: "note",
  waivable: false,
  demand: "A human reviews the first submission of a module.",
  rationale:
    "Rules compare a version with earlier ones. For a first version, they cannot tell whether its name, its rights and its resources are intended.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#who-may-approve-what",
  judge: (context) =>
    eachArrival(context, (arrival) => {
      if (!isNew(arrival)) return [];
      const message = `${arrival.module} is new: no channel ever served it.`;
      const remedy = "A release manager reviews name, owners, rights and resources.";
      return [inTemplate(arrival.to, ["spec", "moduleName"], { message, remedy })];
    }),
  bad: { change: newModule("@sample/team"), at: { file: NEW, line: "moduleName: other" } },
  good: { change: BUMP },
};
