import { modulePath } from "../../../catalogue/paths.ts";
import { isBroken } from "../../../document/finding.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { eachArrival, isNew } from "../steps.ts";
import { NEW, newModule } from "./otherModule.ts";

/** A new module has owners. */
export const channelNewModule: Rule = {
  id: "channel-new-module",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A module that no channel ever served has owners in its module.yaml.",
  rationale:
    "The owners decide who may change a module, and are the people to call when it breaks. Without owners, there are no such people.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#check-a-change",
  judge: (context) =>
    eachArrival(context, (arrival) => {
      const { module, to } = arrival;
      const isOwned = [...context.head.modules.values()].some(
        ({ name, owners }) => name === module && owners.length > 0,
      );
      if (isOwned || !isNew(arrival)) return [];
      const path = modulePath(module);
      const complaint = isBroken(context.head, path)
        ? {
            message: `${module} is new, and ${path} cannot be read, so its owners are unknown.`,
            remedy: "Fix it first: kyma-modules check shows what is wrong.",
          }
        : {
            message: `${module} is new, and has no owners.`,
            remedy: `Commit ${path} with owners: logins, or teams as @org/team.`,
          };
      return [inTemplate(to, ["spec", "moduleName"], complaint)];
    }),
  bad: { change: newModule(), at: { file: NEW, line: "moduleName: other" } },
  good: { change: newModule("@sample/team") },
};
