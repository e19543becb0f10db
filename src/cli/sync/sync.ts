import { InvalidArgumentError, Option, type Command } from "@commander-js/extra-typings";
import { durationMs } from "../../catalogue/policy.ts";
import type { PlanOptions } from "../../sync/plan/input.ts";
import { reporting, type CliCommand } from "../command.ts";

/** `kyma-modules plan`. */
export const plan: CliCommand = {
  name: "plan",
  examples: [
    "kyma-modules plan dev",
    "kyma-modules plan dev --worktree",
    "kyma-modules plan --format text,json=plan.json",
  ],
  define: (command, session) => {
    withSyncOptions(command)
      .description(
        "What would change on the control plane of a landscape; of all, in roll-out order, when none is named.",
      )
      .option("--exit-code", "exit 1 when there is something to do, or to wait for", false)
      .action((landscape, options) => {
        const request = { ...options, landscape, options: planOptions(options, command) };
        return session.carryOut(options, async (...to) =>
          (await import("./planCommand.ts")).planCommand(request, ...to),
        );
      });
  },
};

/** `kyma-modules sync`. */
export const sync: CliCommand = {
  name: "sync",
  examples: ["kyma-modules sync dev", 'kyma-modules sync prod --now --reason "INC-4711" --timeout 10m'],
  define: (command, session) => {
    withSyncOptions(command)
      .description(
        "Makes the control plane of a landscape serve what a commit says; all, in roll-out order, when none is named.",
      )
      .addOption(
        new Option("--wait <duration>", "how long to wait for another writer, such as 5m")
          .argParser(parseDuration)
          .default<number>(30_000, "30s"),
      )
      .action((landscape, options) => {
        const request = { ...options, landscape, options: planOptions(options, command), waitMs: options.wait };
        return session.carryOut({ ...options, finishesUnheard: true }, async (...to) =>
          (await import("./command.ts")).syncCommand(request, ...to),
        );
      });
  },
};

function withSyncOptions(command: Command) {
  return reporting(command)
    .argument("[landscape]", "a landscape of kyma-modules.yaml")
    .addOption(new Option("--revision <rev>", "the commit to act on (default: HEAD)").conflicts("worktree"))
    .option("--worktree", "act on the files as they lie there, committed or not", false)
    .option("--adopt", "take over objects that others made; shows what is removed from them", false)
    .option("--prune", "remove what no channel serves and no Kyma uses", false)
    .addOption(
      new Option("--max-prune <count>", "refuse to remove more (default: 5, or 10 % of the set)").argParser(parseCount),
    )
    .option("--now", "pass over holds and waves, and nothing else; recorded with --reason", false)
    .option("--reason <text>", "why --now is right")
    .option("--without-registry", "do not look up whether artifacts are there", false)
    .option("--take-over-set", "the set was another repository's or landscape's, and is this one's from now on", false)
    .option("--switch-generation", "the set changes to the model of another generation of lifecycle-manager", false)
    .option("--rewind", "apply a commit that does not descend from the one that was applied last", false)
    .addOption(
      new Option("--timeout <duration>", "end the whole command after so long, such as 10m").argParser(parseDuration),
    );
}

type SyncOptions = ReturnType<ReturnType<typeof withSyncOptions>["opts"]>;

function planOptions(options: SyncOptions, command: Command): PlanOptions {
  const { adopt, prune, maxPrune, now, reason = "", takeOverSet, switchGeneration, rewind } = options;
  if (now && reason.trim() === "")
    command.error("error: --now needs --reason TEXT: it is recorded why holds and waves were passed over");
  const wanted = { adopt, prune, maxPrune, takeOverSet, switchGeneration, rewind };
  return { ...wanted, changedContent: "refuse", now: now ? reason : undefined };
}

function parseDuration(text: string): number {
  if (!/^\d{1,6}[smhd]$/.test(text)) throw new InvalidArgumentError("It must be a duration such as 30s, 5m or 1h.");
  return durationMs(text);
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
