import { approvalNeeded } from "../../authority.ts";
import type { Context } from "../../context.ts";
import { REGULAR, templateText } from "../../example.ts";
import { inTemplate, unjudged, type Rule, type Unjudged, type Violation } from "../../rule.ts";
import { eachArrival, type Arrival } from "../steps.ts";
import { questionAbout } from "./wayInto.ts";

const CHANGE = { [REGULAR]: templateText("regular", "1.1.0") };

/** A manual change brings a version into a following channel only if promotion would bring it. */
export const channelEarned: Rule = {
  id: "channel-earned",
  group: "channel",
  severity: "error",
  waivable: false,
  demand:
    "A version enters a following channel only after it has earned it: it has soaked, no hold or manual decrease stops it, and it undoes no hot-fix. A version that goes back, or comes as a hot-fix, must not be one that a person took back by hand.",
  rationale:
    "A manual pull request is a promotion like any other. If it could come early, users of the slower channel would try out a version that others should have tried before them. A release manager can still approve it.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/promotion.md#write-a-policy",
  judge: (context) => eachArrival(context, (arrival) => unearned(context, arrival)),
  bad: {
    baseMergedAt: "2026-11-20T12:00:00Z",
    change: CHANGE,
    at: { file: REGULAR, line: "version: 1.1.0" },
  },
  good: { baseMergedAt: "2026-11-14T12:00:00Z", change: CHANGE },
};

function unearned(context: Context, arrival: Arrival): readonly (Violation | Unjudged)[] {
  const { channel, module, to } = arrival;
  const fact = context.facts.unearned;
  const question = questionAbout(context, arrival);
  if (question === undefined) return [];
  if (fact.kind === "unknown") return [unjudged(fact.why, to)];
  const steps = fact.value.filter(
    (step) => step.channel === channel.name && step.module === module && step.version === to.version,
  );
  return steps.map(({ why, remedy }) => {
    const verdict = question === "verdict" ? `has not earned ${channel.name} yet` : `is kept out of ${channel.name}`;
    const message = `${module} ${to.version} ${verdict}. ${why}`;
    // The remedy may end with a command: on a line of its own, it can be copied.
    return inTemplate(to, ["spec", "version"], { message, remedy: `${remedy}\n${approvalNeeded(context)}` });
  });
}
