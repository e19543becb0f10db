import type { Channel } from "../../catalogue/catalogue.ts";
import { accountOf, type SimulationAccount } from "../../promote/simulate/account.ts";
import { inputOf } from "../../promote/simulate/prepare.ts";
import { simulateAtOnce } from "../../promote/simulate/simulate.ts";
import { channelsToTry, type TriedPolicy } from "../../promote/simulate/trial.ts";
import type { DashboardState } from "../state.ts";

/** What `simulate` says of a policy that is tried in place of a channel's own. */
export function replayPolicy(
  tried: TriedPolicy,
  { name }: Pick<Channel, "name">,
  { gathered }: Pick<DashboardState, "gathered">,
): SimulationAccount {
  const { catalogue, histories, revision, nowMs } = gathered;
  const input = inputOf(revision, new Map(histories.modules.map((module) => [module, histories.of(module)])));
  const { channels, assumptions } = channelsToTry(tried, name, catalogue.channels);
  const { modules, settings } = catalogue;
  const question = { input, channels, modules, landscapes: settings.landscapes, assumptions };
  const simulation = simulateAtOnce({ ...question, evidence: undefined, sinceMs: undefined, untilMs: nowMs });
  const policies = channels.map(({ channel, followed }) => ({
    file: channel.file.path,
    channel: channel.name,
    follows: followed.name,
  }));
  return accountOf({ simulation, input, policies, revision, decidedAt: nowMs });
}
