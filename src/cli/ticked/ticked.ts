import { CREDENTIALS, EVIDENCE, shared, type CliCommand } from "../command.ts";

/** `kyma-modules ticked`. */
export const ticked: CliCommand = {
  name: "ticked",
  reader: "release manager",
  summary: "carries out what a person ticked on the dashboard issue",
  examples: ['kyma-modules ticked "$GITHUB_EVENT_PATH"'],
  define: (command, session) => {
    shared(command)
      .description(
        "Carries out what a person ticked on the dashboard, if that person may write to the repository. The workflow `dashboard` calls it.",
      )
      .argument("<event>", "the file with GitHub's event issues: edited ($GITHUB_EVENT_PATH in a workflow)")
      .addOption(EVIDENCE)
      .addHelpText("after", CREDENTIALS)
      .action((event, options) =>
        session.carryOut(options, async (...to) => {
          const [{ tickedCommand }, { openPromotion }, { landscapePlanner: planOf }] = await Promise.all([
            import("./command.ts"),
            import("../compose/promotion.ts"),
            import("../compose/sync.ts"),
          ]);
          const ports = openPromotion(options.repo, { offline: false, writes: true, direct: false });
          return tickedCommand({ ...options, event }, { ...ports, plan: planOf(options.repo) }, ...to);
        }),
      );
  },
};
