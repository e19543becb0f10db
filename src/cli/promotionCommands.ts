import type { Run } from "../ports.ts";
import type { CommonOptions } from "./commonOptions.ts";
import type { PromotionReach, HistoryPorts } from "./compose/promotion.ts";
import type { Output } from "./terminal/output.ts";
import type { PromotionCommands } from "./programPromotion.ts";

/** Runs a command with what it reports to, and takes its exit code. */
export type CarryOut = (
  options: CommonOptions,
  command: (output: Output, run: Run) => Promise<number>,
) => Promise<void>;

/** The commands about promotion, and how far each may reach. Each is loaded when it is called. */
export function promotionCommands(carryOut: CarryOut): PromotionCommands {
  const reading = ({ offline }: { readonly offline: boolean }): PromotionReach => {
    return { offline, writes: false, direct: false };
  };
  const open = async ({ repo }: CommonOptions, reach: PromotionReach): Promise<HistoryPorts> =>
    (await import("./compose/promotion.ts")).openPromotion(repo, reach);
  return {
    promote: (arguments_, options) =>
      carryOut(options, async (...to) => {
        const { offline, apply: writes, direct } = arguments_;
        const ports = await open(options, { offline, writes, direct });
        return (await import("./promote/command.ts")).promoteCommand(arguments_, ports, ...to);
      }),
    intervene: (arguments_, options) =>
      carryOut(options, async (...to) => {
        const { dryRun, direct } = arguments_;
        const ports = await open(options, { offline: false, writes: !dryRun, direct });
        const plan = (await import("./sync/landscapes.ts")).planOf(options.repo);
        return (await import("./intervene/command.ts")).interveneCommand(arguments_, { ...ports, plan }, ...to);
      }),
    ticked: (arguments_, options) =>
      carryOut(options, async (...to) => {
        const ports = await open(options, { offline: false, writes: true, direct: false });
        const plan = (await import("./sync/landscapes.ts")).planOf(options.repo);
        return (await import("./ticked/command.ts")).tickedCommand(arguments_, { ...ports, plan }, ...to);
      }),
    simulate: (arguments_, options) =>
      carryOut(options, async (...to) => {
        const ports = await open(options, reading(arguments_));
        return (await import("./simulate/command.ts")).simulateCommand(arguments_, ports, ...to);
      }),
    status: (arguments_, options) =>
      carryOut(options, async (...to) => {
        const ports = await open(options, reading(arguments_));
        return (await import("./status/command.ts")).statusCommand(arguments_, ports, ...to);
      }),
    history: (arguments_, options) =>
      carryOut(options, async (...to) => {
        const ports = await open(options, reading(arguments_));
        return (await import("./history/command.ts")).historyCommand(arguments_, ports, ...to);
      }),
  };
}
