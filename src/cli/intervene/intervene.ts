import { Option, type Command } from "@commander-js/extra-typings";
import { CREDENTIALS, DIRECT, reporting, type CliCommand, type Session, type SessionOptions } from "../command.ts";
import { parseInstant } from "../instant.ts";
import type { InterveneArguments } from "./request.ts";

/** `kyma-modules hold`. */
export const hold: CliCommand = {
  name: "hold",
  examples: [
    'kyma-modules hold certificates@1.5.0 --reason "renewal fails" --by octocat --dry-run',
    'kyma-modules hold certificates@1.5.0 --channel regular --reason "fair week" --until 2030-01-01T00:00:00Z --by octocat',
  ],
  define: (command, session) => {
    described(
      command,
      "Keeps a version out: it is not promoted, not carried to further landscapes, and not accepted in a change. Clusters are never changed.",
    )
      .option("--channel <channel>", "the channel that the version may not enter (default: all)")
      .addOption(
        new Option("--until <instant>", "when the hold ends by itself").argParser((text: string) =>
          new Date(parseInstant(text)).toISOString().replace(".000Z", "Z"),
        ),
      )
      .action((subject, options) => intervene({ ...options, kind: "hold", subject }, options, session));
  },
};

/** `kyma-modules unhold`. */
export const unhold: CliCommand = {
  name: "unhold",
  examples: ['kyma-modules unhold object-store@0.9.1 --reason "0.9.1 keeps the rules" --by octocat --dry-run'],
  define: (command, session) => {
    described(command, "Lifts what holds a version, a decrease by hand among it.")
      .option("--channel <channel>", "only the hold on this channel (default: all)")
      .action((subject, options) => intervene({ ...options, kind: "unhold", subject }, options, session));
  },
};

/** `kyma-modules withdraw`. */
export const withdraw: CliCommand = {
  name: "withdraw",
  examples: ['kyma-modules withdraw certificates@1.5.0 --channel fast --reason "renewal fails" --by octocat --dry-run'],
  define: (command, session) => {
    described(
      command,
      "Holds what a channel serves, puts the version before it back, and says which clusters that protects and which need a higher version.",
    )
      .requiredOption("--channel <channel>", "the channel")
      .action((subject, options) => intervene({ ...options, kind: "withdraw", subject }, options, session));
  },
};

function described(command: Command, description: string) {
  return reporting(command)
    .description(description)
    .argument("<module@version>", "the version")
    .requiredOption("--reason <text>", "why; it stays in the repository")
    .option("--by <login>", "who decides it (default: $GITHUB_ACTOR, or git config github.user)")
    .option("--direct", DIRECT, false)
    .option("--dry-run", "show what would be proposed, and propose nothing", false)
    .addHelpText("after", CREDENTIALS);
}

function intervene(
  request: InterveneArguments,
  options: SessionOptions & { readonly repo: string },
  session: Session,
): Promise<void> {
  return session.carryOut(options, async (...to) => {
    const [{ interveneCommand }, { openPromotion }, { planOf }] = await Promise.all([
      import("./command.ts"),
      import("../compose/promotion.ts"),
      import("../sync/landscapes.ts"),
    ]);
    const { dryRun = false, direct = false } = request;
    const ports = openPromotion(options.repo, { offline: false, writes: !dryRun, direct });
    return interveneCommand(request, { ...ports, plan: planOf(options.repo) }, ...to);
  });
}
