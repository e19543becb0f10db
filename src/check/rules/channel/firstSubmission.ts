import { BUMP } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { eachArrival, isNew } from "../steps.ts";
import { NEW, newModule } from "./otherModule.ts";

/** The first submission of a module is marked for a human. */
export const channelFirstSubmission: Rule = {
  id: "channel-first-submission",
  group: "channel",
  severity: "note",
  waivable: false,
  demand: "The first submission of a module is looked at by a human.",
  rationale:
    "Rules compare a version with those before it. Of a first one it is unknown whether its name, its rights and its resources are meant so.",
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
