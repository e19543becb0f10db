import { FAST_POLICY, REGULAR_POLICY, SETTINGS, SETTINGS_TEXT } from "../../example.ts";
import type { Context } from "../../context.ts";
import { violation, type Complaint, type Rule, type Violation } from "../../rule.ts";

const TWO = {
  [SETTINGS]: SETTINGS_TEXT.replace(
    "landscapes:\n",
    "landscapes:\n  - { name: prod, controlPlane: { context: prod } }\n",
  ),
  [FAST_POLICY]: "format: 1\nlandscapes: [dev, prod]\n",
};

/** A channel that is served to fewer landscapes loses all of its entries there. */
export const landscapeRemoval: Rule = {
  id: "channel-landscape-removal",
  group: "channel",
  severity: "warning",
  waivable: false,
  demand: "A channel continues to be served to each of its landscapes.",
  rationale:
    "Removing a landscape from a channel removes all of its modules there, as channel-removal says of one: a sync refuses only those in use.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#what-a-sync-refuses",
  judge: lostLandscapes,
  bad: {
    base: TWO,
    change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev]\n" },
    at: { file: FAST_POLICY, line: "landscapes: [dev]" },
  },
  good: { base: TWO, change: { [REGULAR_POLICY]: "format: 1\nfollows: fast\nlandscapes: [dev, prod]\n" } },
};

function lostLandscapes({ base, head }: Context): readonly Violation[] {
  return [...(base?.channels.values() ?? [])].flatMap(({ name, landscapes }) => {
    const now = head.channels.get(name);
    if (now === undefined) return [];
    return landscapes
      .filter((landscape) => !now.landscapes.includes(landscape))
      .map((landscape) => {
        const isLandscape = head.settings.landscapes.some((one) => one.name === landscape);
        return violation(now.file, ["landscapes"], complaintOn(landscape, name, isLandscape));
      });
  });
}

/** A landscape that the settings do not name is left as it is. */
function complaintOn(landscape: string, channel: string, isLandscape: boolean): Complaint {
  if (isLandscape) {
    const message = `${landscape} would no longer be served ${channel}: its modules would be removed there.`;
    return { message, remedy: "Keep the landscape until no Kyma there uses a module from this channel." };
  }
  const message = `kyma-modules.yaml would no longer name ${landscape}: what it serves stays there, without updates and repairs.`;
  const remedy = "If it was renamed, take its set over after the merge: kyma-modules sync NAME --take-over-set.";
  return { message, remedy };
}
