import { Option } from "@commander-js/extra-typings";
import { CREDENTIALS, DIRECT, EVIDENCE, reporting, revisionOption, splitCommas, type CliCommand } from "../command.ts";
import { parseInstant } from "../instant.ts";
import type { PromoteArguments } from "./command.ts";

/** `kyma-modules promote`. */
export const promote: CliCommand = {
  name: "promote",
  examples: [
    "kyma-modules promote",
    "kyma-modules promote certificates --explain",
    "kyma-modules promote --at 2030-01-01T00:00:00Z --exit-code",
    "kyma-modules promote --apply",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "Shows whether each module can be promoted now, when it can be, or what blocks it. --apply carries exactly that out.",
      )
      .argument("[module...]", "only these modules")
      .option("--channel <channel>", "only this channel")
      .option("--explain", "every candidate and every reason, with its source", false)
      .addOption(
        new Option("--at <instant>", "decide as of then, on what was merged by then")
          .argParser(parseInstant)
          .conflicts("apply"),
      )
      .option("--apply", "open, update, merge and close pull requests; branches where no forge is", false)
      .option("--direct", `with --apply, ${DIRECT}`, false)
      .addOption(EVIDENCE)
      .addOption(revisionOption("decide on this Git revision"))
      .option("--offline", "ask no forge: times are those of the committers' clocks", false)
      .option("--exit-code", "exit 1 when there is something to promote, to wait for, or to decide", false)
      .option(
        "--hotfix <module@version>",
        "the hot-fix lane: a patch of what the channel serves, past soak, windows, freezes and needs",
      )
      .option("--incident <url>", "why; a hot-fix needs one")
      .addOption(
        new Option(
          "--also-fixed-in <versions>",
          "versions of newer lines with the same repair, with commas between",
        ).argParser(splitCommas),
      )
      .option(
        "--template <file>",
        "the template of the hot-fix, a file here (download it first); without it what the repository knows of the version",
      )
      .option("--by <login>", "who asks for the hot-fix (default: $GITHUB_ACTOR, or git config github.user)")
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
          const reach = { ...options, writes: options.apply, decides: true };
          return promoteCommand(request, openPromotion(options.repo, reach), ...to);
        });
      });
  },
};

/** What makes no sense together, for people; `undefined` where all does. */
function contradictionIn(request: PromoteArguments): string | undefined {
  const { modules, hotfix, apply, direct } = request;
  if (direct === true && !apply) return "option '--direct' says how --apply does it: give both, or none";
  if (hotfix !== undefined) {
    const [module] = modules;
    return module === undefined ? undefined : `'--hotfix ${hotfix}' names its module already: leave '${module}' out`;
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
