import type { Command } from "commander";
import { common, shared, type CommonOptions } from "./commonOptions.ts";
import type { HistoryArguments } from "./history/command.ts";
import { describeHistory, historyArguments, type HistoryOptions } from "./history/options.ts";
import {
  describeHold,
  describeUnhold,
  describeWithdraw,
  interveneArguments,
  type InterveneOptions,
} from "./intervene/options.ts";
import type { InterveneArguments } from "./intervene/request.ts";
import type { PromoteArguments } from "./promote/command.ts";
import { describePromote, problemOf, promoteArguments, type PromoteOptions } from "./promote/options.ts";
import type { SimulateArguments } from "./simulate/command.ts";
import { describeSimulate, simulateArguments, type SimulateOptions } from "./simulate/options.ts";
import type { StatusArguments } from "./status/command.ts";
import { describeStatus, statusArguments, type StatusOptions } from "./status/options.ts";
import { describeTicked, type TickedArguments } from "./ticked/options.ts";

/** The commands that move versions from one channel to the next, or keep them. */
export interface PromotionCommands {
  /** Says what may move, and moves it. */
  promote(arguments_: PromoteArguments, common: CommonOptions): Promise<void>;
  /** Replays history against a policy. */
  simulate(arguments_: SimulateArguments, common: Omit<CommonOptions, "format">): Promise<void>;
  /** Holds, lifts a hold, withdraws. */
  intervene(arguments_: InterveneArguments, common: CommonOptions): Promise<void>;
  /** What a person asks for on the dashboard. */
  ticked(arguments_: TickedArguments, common: Omit<CommonOptions, "format">): Promise<void>;
  /** How modules stand. */
  status(arguments_: StatusArguments, common: CommonOptions): Promise<void>;
  /** The life of one. */
  history(arguments_: HistoryArguments, common: CommonOptions): Promise<void>;
}

const INTERVENTIONS = [
  ["hold", describeHold],
  ["unhold", describeUnhold],
  ["withdraw", describeWithdraw],
] as const;

/** Gives the program the commands that move versions. */
export function addPromotion(program: Command, commands: PromotionCommands): void {
  describePromote(common(program.command("promote"))).action(
    (modules: string[], options: CommonOptions & PromoteOptions, command: Command) => {
      const problem = problemOf(modules, options);
      if (problem !== undefined) command.error(`error: ${problem}`);
      return commands.promote(promoteArguments(modules, options), options);
    },
  );
  describeSimulate(shared(program.command("simulate"))).action(
    (options: Omit<CommonOptions, "format"> & SimulateOptions) =>
      commands.simulate(simulateArguments(options), options),
  );
  for (const [kind, describe] of INTERVENTIONS) {
    describe(common(program.command(kind))).action((subject: string, options: CommonOptions & InterveneOptions) =>
      commands.intervene(interveneArguments(kind, subject, options), options),
    );
  }
  describeTicked(shared(program.command("ticked"))).action(
    (event: string, options: Omit<CommonOptions, "format"> & Pick<TickedArguments, "evidence">) =>
      commands.ticked({ event, evidence: options.evidence }, options),
  );
  addReading(program, commands);
}

/** The commands that only tell. */
function addReading(program: Command, commands: PromotionCommands): void {
  describeStatus(common(program.command("status"))).action(
    (modules: string[], options: CommonOptions & StatusOptions) =>
      commands.status(statusArguments(modules, options), options),
  );
  describeHistory(common(program.command("history"))).action(
    (module: string, options: CommonOptions & HistoryOptions) =>
      commands.history(historyArguments(module, options), options),
  );
}
