import { Option } from "@commander-js/extra-typings";
import { CREDENTIALS, DIRECT, EVIDENCE, reporting, revisionOption, splitCommas, type CliCommand } from "../command.ts";
import { parseInstant } from "../instant.ts";
import type { PromoteArguments } from "./command.ts";

/** `kyma-modules promote`. */
export const promote: CliCommand = {
  name: "promote",
  reader: "release manager",
  summary: "shows what may move to the next channel; --apply moves it",
  examples: [
    "kyma-modules promote",
    "kyma-modules promote certificates --explain",
    "kyma-modules promote --at 2030-01-01T00:00:00Z --exit-code",
    "kyma-modules promote --apply",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "Shows whether each module can be promoted now, when it can be, or what blocks it. With --apply, it carries out exactly what it shows.",
      )
      .argument("[module...]", "only these modules")
      .option("--channel <channel>", "only this channel")
      .option("--explain", "show every candidate and every reason, with its source", false)
      .addOption(
        new Option("--at <instant>", "decide as of this instant, on what was merged by then")
          .argParser(parseInstant)
          .conflicts("apply"),
      )
      .option("--apply", "open, update, merge and close pull requests; without a forge, branches", false)
      .option("--direct", `with --apply, ${DIRECT}`, false)
      .addOption(EVIDENCE)
      .addOption(revisionOption("decide on this Git revision"))
      .option("--offline", "do not contact the forge; times come from the committers' clocks", false)
      .option("--exit-code", "exit 1 if there is something to promote, to wait for, or to decide", false)
      .option(
        "--hotfix <module@version>",
        "promote a patch of the served version as a hot-fix, past soak, windows, freezes and needs",
      )
      .option("--incident <url>", "the incident that the hot-fix is for; required with --hotfix")
      .addOption(
        new Option(
          "--also-fixed-in <versions>",
          "versions of newer lines with the same fix, comma-separated",
        ).argParser(splitCommas),
      )
      .option(
        "--template <file>",
        "a local file with the template of the hot-fix (default: the template in the repository)",
      )
      .option("--by <login>", "who requested the hot-fix (default: $GITHUB_ACTOR, or git config github.user)")
      .addHelpText("after", CREDENTIALS)
      .action((modules, options) => {
        const request = { ...options, modules, atMs: options.at };
        const problem = contradictionIn(request);
        if (problem !== undefined) command.error(`error: ${problem}`);
        return session.carryOut(options, async (...to) => {
          const [{ promoteCommand }, { openPromotion }] = await Promise.all([
            import("./command.ts"),
            import("../compose/promotion.ts"),
          ]);
          const promotionOptions = { ...options, writes: options.apply, decides: true };
          return promoteCommand(request, openPromotion(options.repo, promotionOptions), ...to);
        });
      });
  },
};

/** Why the options contradict each other; `undefined` if they do not. */
function contradictionIn(request: PromoteArguments): string | undefined {
  const { modules, hotfix, apply, direct } = request;
  if (direct === true && !apply) return "option '--direct' needs '--apply': give both, or neither";
  if (hotfix !== undefined) {
    const [module] = modules;
    return module === undefined ? undefined : `'--hotfix ${hotfix}' already names its module: omit '${module}'`;
  }
  const [stray] = HOTFIX_OPTIONS.filter(([key]) => request[key] !== undefined);
  return stray && `option '${stray[1]}' belongs to a hot-fix: --hotfix MODULE@VERSION --incident URL`;
}

const HOTFIX_OPTIONS = [
  ["incident", "--incident"],
  ["alsoFixedIn", "--also-fixed-in"],
  ["template", "--template"],
  ["by", "--by"],
] as const satisfies readonly (readonly [keyof PromoteArguments, string])[];
