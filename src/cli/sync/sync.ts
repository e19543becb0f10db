import { InvalidArgumentError, Option, type Command } from "@commander-js/extra-typings";
import type { PlanOptions } from "../../sync/plan/input.ts";
import {
  parseCount,
  parseDuration,
  reporting,
  shared,
  type CliCommand,
  type Session,
  type SessionOptions,
} from "../command.ts";

/** `kyma-modules plan`. */
export const plan: CliCommand = {
  name: "plan",
  reader: "SRE",
  summary: "shows what a sync would change on control planes",
  examples: [
    "kyma-modules plan dev",
    "kyma-modules plan dev --worktree",
    "kyma-modules plan --format text,json=plan.json",
  ],
  define: (command, session) => {
    withSyncOptions(command)
      .description("Shows what a sync would change on the control planes of landscapes, in roll-out order.")
      .option("--exit-code", "exit 1 if there is something to do, or to wait for", false)
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
  reader: "SRE",
  summary: "syncs a commit to control planes; --watch follows a branch",
  examples: ["kyma-modules sync dev", 'kyma-modules sync prod --now --reason "INC-4711" --timeout 10m'],
  define: (command, session) => {
    // Together with the same setting of the program, options after `pause` belong to `pause`.
    command.enablePositionalOptions();
    definePause(command, "pause", PAUSE, session);
    definePause(command, "resume", RESUME, session);
    withSyncOptions(command)
      .description("Syncs a commit to the control planes of landscapes, in roll-out order.")
      .addOption(
        new Option("--wait <duration>", "how long to wait for another writer, such as 5m")
          .argParser(parseDuration)
          .default<number>(30_000, "30s"),
      )
      .option("--watch", "run as the controller: follow a branch, and keep the control planes in sync with it", false)
      .option("--git <repository>", "with --watch: the address or path of the repository (default: --repo)")
      .option("--branch <name>", "with --watch: the branch to follow", "main")
      .option("--path <folder>", "with --watch: the folder of the catalogue in the repository (default: the root)")
      .addOption(
        new Option("--interval <duration>", "with --watch: how often to fetch; GitHub's webhook triggers a fetch")
          .argParser(parseDuration)
          .default<number>(60_000, "1m"),
      )
      .addOption(
        new Option("--listen <host:port>", "with --watch: the address of /healthz, /readyz, /metrics and /hooks/github")
          .argParser(parseListen)
          .default<Listen>({ host: "127.0.0.1", port: 8080 }, "127.0.0.1:8080"),
      )
      .option("--cache <folder>", "with --watch: the folder for the clone (default: the user's cache folder)")
      .option("--require-signed-commits <file>", "with --watch: serve only commits signed by SSH keys in this file")
      .option("--gnupg-home <folder>", "with --watch: serve only commits signed by GPG keys in this folder")
      .option("--in-cluster", "with --watch: the program runs in the control plane of the one landscape", false)
      .option("--publish", "with --watch: publish evidence from clusters, as `observe --publish` does", false)
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
function definePause(command: Command, kind: "pause" | "resume", description: string, session: Session): void {
  shared(command.command(kind))
    .description(description)
    .argument("<landscape>", "a landscape of kyma-modules.yaml")
    .argument("[module]", "only this module (default: everything)")
    .requiredOption("--reason <text>", "the reason, which is recorded")
    .option("--by <login>", "who requested it (default: the user of this machine)")
    .action((landscape, module, options) =>
      session.carryOut(options, async (...to) =>
        (await import("./pauseCommand.ts")).pauseCommand({ ...options, kind, landscape, module }, ...to),
      ),
    );
}

const PAUSE = "Pauses a landscape or one module on it: nothing is written, not even withdrawals, until it is resumed.";
const RESUME = "Ends the pause of a landscape or a module, and continues its halted waves.";

function refuseMisplaced(
  landscapes: readonly string[],
  { inCluster, publish, watch: watches }: Pick<WatchOptions, "inCluster" | "publish"> & { readonly watch: boolean },
  command: Command,
): void {
  if (inCluster && landscapes.length !== 1) command.error("error: --in-cluster is for one landscape: name one");
  if (publish && !watches) command.error("error: --publish needs --watch; to publish once, use observe --publish");
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

/** The address of a server. */
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
    .option("--worktree", "use the working tree, with uncommitted changes", false)
    .option("--adopt", "take over objects that others made; the output shows which of their fields are removed", false)
    .option("--prune", "remove objects that no channel serves and no Kyma uses", false)
    .addOption(
      new Option("--max-prune <count>", "refuse to remove more objects (default: 5, or 10 % of the set)").argParser(
        parseCount,
      ),
    )
    .option("--now", "ignore holds and waves, and nothing else; needs --reason", false)
    .option("--reason <text>", "the reason for --now, which is recorded")
    .option("--without-registry", "do not check that artifacts exist in the registry", false)
    .option("--take-over-set", "take over the set of another repository or landscape", false)
    .option("--switch-generation", "change the set to the model of another generation of lifecycle-manager", false)
    .option("--rewind", "apply a commit that does not descend from the last applied one", false)
    .addOption(
      new Option("--timeout <duration>", "the timeout of the whole command, such as 10m").argParser(parseDuration),
    );
}

type SyncOptions = ReturnType<ReturnType<typeof withSyncOptions>["opts"]>;

function planOptions(options: SyncOptions, command: Command): PlanOptions {
  const { adopt, prune, maxPrune, now, reason = "", takeOverSet, switchGeneration, rewind } = options;
  if (now && reason.trim() === "") command.error("error: --now needs --reason TEXT: the reason is recorded");
  const wanted = { adopt, prune, maxPrune, takeOverSet, switchGeneration, rewind };
  return { ...wanted, changedContent: "refuse", now: now ? reason : undefined };
}
