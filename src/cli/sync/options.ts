import { InvalidArgumentError, Option, type Command } from "commander";
import { durationMs } from "../../catalogue/policy.ts";
import { common, type CommonOptions } from "../commonOptions.ts";
import type { SyncArguments } from "./landscapes.ts";
import type { SyncCommandArguments } from "./command.ts";

/** What carries out `plan` and `sync`. */
export interface SyncCommands {
  /** What a sync would do. */
  plan(arguments_: SyncArguments & { readonly exitCode: boolean }, common: SyncOptions): Promise<void>;
  /** Does it. */
  sync(arguments_: SyncCommandArguments, common: SyncOptions): Promise<void>;
}

/** The options of `plan` and `sync`. */
export interface SyncOptions extends CommonOptions {
  readonly revision?: string;
  readonly worktree?: true;
  readonly adopt?: true;
  readonly prune?: true;
  readonly maxPrune?: number;
  readonly now?: true;
  readonly reason?: string;
  readonly withoutRegistry?: true;
  readonly takeOverSet?: true;
  readonly switchGeneration?: true;
  readonly rewind?: true;
  readonly exitCode?: true;
  /** Milliseconds. */
  readonly wait?: number;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Adds `plan` and `sync`. */
export function addSync(program: Command, commands: SyncCommands): void {
  withSyncOptions(common(program.command("plan")))
    .description(
      "What would change on the control plane of a landscape; of all, in roll-out order, when none is named.",
    )
    .option("--exit-code", "exit 1 when there is something to do, or to wait for")
    .action((landscape: string | undefined, options: SyncOptions, command: Command) =>
      commands.plan({ ...syncArguments(landscape, options, command), exitCode: options.exitCode ?? false }, options),
    );
  withSyncOptions(common(program.command("sync")))
    .description(
      "Makes the control plane of a landscape serve what a commit says; all, in roll-out order, when none is named.",
    )
    .addOption(WAIT)
    .action((landscape: string | undefined, options: SyncOptions, command: Command) =>
      commands.sync({ ...syncArguments(landscape, options, command), waitMs: options.wait ?? WAIT_MS }, options),
    );
}

function withSyncOptions(command: Command): Command {
  command.argument("[landscape]", "a landscape of kyma-modules.yaml");
  for (const option of SYNC_OPTIONS) command.addOption(option);
  return command;
}

const WAIT_MS = 30_000;
const WAIT = new Option(
  "--wait <duration>",
  "how long to wait for another writer, such as 5m (default: 30s)",
).argParser(parseDuration);

const SYNC_OPTIONS: readonly Option[] = [
  new Option("--revision <rev>", "the commit to act on (default: HEAD)").conflicts("worktree"),
  new Option("--worktree", "act on the files as they lie there, committed or not"),
  new Option("--adopt", "take over objects that others made; shows what is removed from them"),
  new Option("--prune", "remove what no channel serves and nobody uses"),
  new Option("--max-prune <count>", "refuse to remove more (default: 5, or 10 % of the set)").argParser(parseCount),
  new Option("--now", "pass over holds and waves, and nothing else; recorded with --reason"),
  new Option("--reason <text>", "why --now is right"),
  new Option("--without-registry", "do not look up whether artifacts are there"),
  new Option("--take-over-set", "the set was another repository's or landscape's, and is this one's from now on"),
  new Option("--switch-generation", "the set changes to the model of another generation of lifecycle-manager"),
  new Option("--rewind", "apply a commit that does not descend from the one that was applied last"),
  new Option("--timeout <duration>", "end the whole command after so long, such as 10m").argParser(parseDuration),
];

function syncArguments(landscape: string | undefined, options: SyncOptions, command: Command): SyncArguments {
  if (options.now === true && (options.reason ?? "").trim() === "")
    command.error("error: --now needs --reason TEXT: it is recorded why holds and waves were passed over", {
      exitCode: 2,
    });
  const isSet = (flag: Flag): boolean => options[flag] === true;
  return {
    repository: options.repo,
    revision: options.revision,
    worktree: isSet("worktree"),
    withoutRegistry: isSet("withoutRegistry"),
    landscape,
    options: {
      adopt: isSet("adopt"),
      prune: isSet("prune"),
      maxPrune: options.maxPrune,
      changedContent: "refuse",
      now: isSet("now") ? options.reason : undefined,
      takeOverSet: isSet("takeOverSet"),
      switchGeneration: isSet("switchGeneration"),
      rewind: isSet("rewind"),
    },
  };
}

type Flag = "worktree" | "withoutRegistry" | "adopt" | "prune" | "now" | "takeOverSet" | "switchGeneration" | "rewind";

function parseDuration(text: string): number {
  if (!/^\d{1,6}[smhd]$/.test(text)) throw new InvalidArgumentError("It must be a duration such as 30s, 5m or 1h.");
  return durationMs(text);
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
