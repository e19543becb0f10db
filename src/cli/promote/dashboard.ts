import { printable } from "../../document/printable.ts";
import type { Gathered } from "../../promote/gather.ts";
import { keepDashboard, type DashboardContext, type DashboardOutcome } from "../../promote/keepDashboard.ts";
import type { Carried } from "../../promote/promote.ts";
import type { Run } from "../../ports.ts";
import type { Output } from "../terminal/output.ts";

/** The issues among which the dashboard is, and its settings; `undefined` if no dashboard is configured. */
export function boardIn({ catalogue, forge }: Gathered): Pick<DashboardContext, "board" | "settings"> | undefined {
  const settings = catalogue.settings.forge;
  if (settings.kind === "none" || settings.dashboard === undefined || forge?.board === undefined) return undefined;
  return { board: forge.board, settings: { ...settings.dashboard, repository: settings.repository } };
}

/**
 * Updates the dashboard, if one is configured, and prints the outcome. Throws a fault that stopped the update, at the
 * end.
 */
export async function reportDashboard(
  gathered: Gathered,
  carried: readonly Carried[],
  { openWebhook }: Pick<DashboardContext, "openWebhook">,
  output: Output,
  run: Run,
): Promise<void> {
  const found = boardIn(gathered);
  if (found === undefined) return;
  const kept = await keepDashboard(gathered, carried, { ...found, openWebhook }, run);
  say(kept, output, run);
  if (kept.stoppedBy !== undefined) throw kept.stoppedBy;
}

function say({ kind, issue: { url, author }, told }: DashboardOutcome, output: Output, run: Run): void {
  const dashboard = { dashboard: url };
  switch (kind) {
    case "opened":
    case "written":
      output.say(`dashboard ${kind}: ${url}`);
      break;
    case "closed":
      run.log.warn("the dashboard is closed, so it is not updated: reopen it, or remove forge.dashboard", dashboard);
      break;
    case "foreign":
      run.log.warn(
        `${printable(author)} opened the dashboard, but this program runs as another account, so it was not updated: remove its label to get a new one`,
        dashboard,
      );
      break;
    case "unchanged":
      break;
  }
  for (const { message } of told) output.say(`notified: ${printable(message)}`);
}
