import { Option, type Command } from "@commander-js/extra-typings";
import { instantText } from "../../document/times.ts";
import { CREDENTIALS, DIRECT, reporting, type CliCommand, type Session, type SessionOptions } from "../command.ts";
import { parseInstant } from "../instant.ts";
import type { InterveneArguments } from "./request.ts";

/** `kyma-modules hold`. */
export const hold: CliCommand = {
  name: "hold",
  reader: "release manager",
  summary: "keeps a version out of a channel, or of all",
  examples: [
    'kyma-modules hold certificates@1.5.0 --reason "renewal fails" --by octocat --dry-run',
    'kyma-modules hold certificates@1.5.0 --channel regular --reason "fair week" --until 2030-01-01T00:00:00Z --by octocat',
  ],
  define: (command, session) => {
    described(
      command,
      "Holds a version: it is not promoted, not rolled out to more landscapes, and not accepted in a change. Clusters that run it are not changed.",
    )
      .option("--channel <channel>", "hold it only in this channel (default: all)")
      .addOption(
        new Option(
          "--until <instant>",
          "when the hold ends, such as 2030-01-01T00:00:00Z (default: when it is lifted)",
        ).argParser((text: string) => instantText(parseInstant(text))),
      )
      .action((subject, options) => intervene({ ...options, kind: "hold", subject }, options, session));
  },
};

/** `kyma-modules unhold`. */
export const unhold: CliCommand = {
  name: "unhold",
  reader: "release manager",
  summary: "lifts all holds on a version",
  examples: ['kyma-modules unhold object-store@0.9.1 --reason "0.9.1 keeps the rules" --by octocat --dry-run'],
  define: (command, session) => {
    described(command, "Lifts all holds on a version, including that of a manual decrease.")
      .option("--channel <channel>", "lift only the holds in this channel (default: all)")
      .action((subject, options) => intervene({ ...options, kind: "unhold", subject }, options, session));
  },
};

/** `kyma-modules withdraw`. */
export const withdraw: CliCommand = {
  name: "withdraw",
  reader: "release manager",
  summary: "puts the previous version back, and holds the withdrawn one",
  examples: ['kyma-modules withdraw certificates@1.5.0 --channel fast --reason "renewal fails" --by octocat --dry-run'],
  define: (command, session) => {
    described(
      command,
      "Holds the version that a channel serves, and puts the previous version back. Shows which clusters this protects, and which ones need a higher version.",
    )
      .requiredOption("--channel <channel>", "the channel that serves it")
      .action((subject, options) => intervene({ ...options, kind: "withdraw", subject }, options, session));
  },
};

function described(command: Command, description: string) {
  return reporting(command)
    .description(description)
    .argument("<module@version>", "the version")
    .requiredOption("--reason <text>", "the reason, which is recorded in the repository")
    .option("--by <login>", "who decided it (default: $GITHUB_ACTOR, or git config github.user)")
    .option("--direct", DIRECT, false)
    .option("--dry-run", "show the change without proposing it", false)
    .addHelpText("after", CREDENTIALS);
}

function intervene(
  request: InterveneArguments,
  options: SessionOptions & { readonly repo: string },
  session: Session,
): Promise<void> {
  return session.carryOut(options, async (...to) => {
    const [{ interveneCommand }, { openPromotion }, { landscapePlanner: planOf }] = await Promise.all([
      import("./command.ts"),
      import("../compose/promotion.ts"),
      import("../compose/sync.ts"),
    ]);
    const { dryRun = false, direct = false } = request;
    const ports = openPromotion(options.repo, { offline: false, writes: !dryRun, direct });
    return interveneCommand(request, { ...ports, plan: planOf(options.repo) }, ...to);
  });
}
