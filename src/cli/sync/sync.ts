import { InvalidArgumentError, Option, type Command } from "@commander-js/extra-typings";
import type { PlanOptions } from "../../sync/plan/input.ts";
import { parseDuration, reporting, shared, type CliCommand, type Session, type SessionOptions } from "../command.ts";

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
      .description("What would change on the control planes of landscapes, in roll-out order.")
      .option("--exit-code", "exit 1 when there is something to do, or to wait for", false)
      .action((landscapes, options) => {
        const request = { ...options, landscapes, options: planOptions(options, command) };
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
    // With that of the program, an option behind `pause` is that of `pause`.
    command.enablePositionalOptions();
    defineTold(command, "pause", PAUSE, session);
    defineTold(command, "resume", RESUME, session);
    withSyncOptions(command)
      .description("Makes the control planes of landscapes serve what a commit says, in roll-out order.")
      .addOption(
        new Option("--wait <duration>", "how long to wait for another writer, such as 5m")
          .argParser(parseDuration)
          .default<number>(30_000, "30s"),
      )
      .option("--watch", "go on: follow a branch, and keep the control planes as it says (see --git to --cache)", false)
      .option("--git <repository>", "with --watch: the address or the path of the repository (default: --repo)")
      .option("--branch <name>", "with --watch: the branch to follow", "main")
      .option("--path <folder>", "with --watch: the folder of the catalogue in the repository (default: its top)")
      .addOption(
        new Option("--interval <duration>", "with --watch: how often to fetch; GitHub's webhook makes it at once")
          .argParser(parseDuration)
          .default<number>(60_000, "1m"),
      )
      .addOption(
        new Option("--listen <host:port>", "with --watch: where /healthz, /readyz, /metrics and /hooks/github are")
          .argParser(parseListen)
          .default<Listen>({ host: "127.0.0.1", port: 8080 }, "127.0.0.1:8080"),
      )
      .option("--cache <folder>", "with --watch: where the clone lies (default: the user's cache folder)")
      .option("--require-signed-commits <file>", "with --watch: serve only commits that these SSH keys signed")
      .option("--gnupg-home <folder>", "with --watch: serve only commits that the GPG keys in it signed")
      .option(
        "--in-cluster",
        "with --watch: the control plane of the one landscape is the cluster that this program runs in",
        false,
      )
      .option(
        "--publish",
        "with --watch: add what clusters run to the branch `evidence`, as `observe --publish` does",
        false,
      )
      .addHelpText("after", TOLD)
      .action((landscapes, options) => {
        refuseMisplaced(landscapes, options, command);
        if (options.watch) return watch(landscapes, options, session);
        const request = { ...options, landscapes, options: planOptions(options, command), waitMs: options.wait };
        return session.carryOut({ ...options, finishesUnheard: true }, async (...to) =>
          (await import("./command.ts")).syncCommand(request, ...to),
        );
      });
  },
};

/** `kyma-modules sync pause` and `kyma-modules sync resume`. */
function defineTold(command: Command, kind: "pause" | "resume", description: string, session: Session): void {
  shared(command.command(kind))
    .description(description)
    .argument("<landscape>", "a landscape of kyma-modules.yaml")
    .argument("[module]", "one module (default: everything)")
    .requiredOption("--reason <text>", "why")
    .option("--by <login>", "who tells it (default: the user of this machine)")
    .action((landscape, module, options) =>
      session.carryOut(options, async (...to) =>
        (await import("./tellCommand.ts")).tellCommand({ ...options, kind, landscape, module }, ...to),
      ),
    );
}

const PAUSE = "Stops every write to a landscape, or to a module there, withdrawals too, until it is resumed.";
const RESUME = "Ends a pause of a landscape or a module, and lets its halted waves go on.";
const TOLD = `
Commands:
  pause <landscape> [module] --reason <text>   ${PAUSE}
  resume <landscape> [module] --reason <text>  ${RESUME}`;

function refuseMisplaced(
  landscapes: readonly string[],
  { inCluster, publish, watch: watches }: Pick<WatchOptions, "inCluster" | "publish"> & { readonly watch: boolean },
  command: Command,
): void {
  if (inCluster && landscapes.length !== 1) command.error("error: --in-cluster is for one landscape: name it");
  if (publish && !watches) command.error("error: --publish is for --watch; once, observe --publish does it");
}

interface WatchOptions extends SessionOptions {
  readonly repo: string;
  readonly git?: string | undefined;
  readonly branch: string;
  readonly path?: string | undefined;
  readonly interval: number;
  readonly listen: Listen;
  readonly cache?: string | undefined;
  readonly requireSignedCommits?: string | undefined;
  readonly gnupgHome?: string | undefined;
  readonly withoutRegistry: boolean;
  readonly inCluster: boolean;
  readonly publish: boolean;
}

function watch(landscapes: readonly string[], options: WatchOptions, session: Session): Promise<void> {
  const { git = options.repo, requireSignedCommits: allowedSigners } = options;
  const request = { ...options, landscapes, git, allowedSigners };
  return session.carryOut({ ...options, finishesUnheard: true }, async (...to) =>
    (await import("./watchCommand.ts")).watchCommand(request, ...to),
  );
}

/** Where a server listens. */
interface Listen {
  readonly host: string;
  readonly port: number;
}

function parseListen(text: string): Listen {
  const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === "" || Number(port) > 65_535)
    throw new InvalidArgumentError("It must be host:port, such as 127.0.0.1:8080.");
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

function withSyncOptions(command: Command) {
  return reporting(command)
    .argument("[landscape...]", "landscapes of kyma-modules.yaml (default: all)")
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

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
