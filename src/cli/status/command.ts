import { statusOf, type Status } from "../../promote/status.ts";
import { Fault, type Run } from "../../ports.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { gatherGround } from "../promote/ground.ts";
import { statusText } from "./report.ts";
import { statusJson } from "./reportJson.ts";

/** The arguments of `status`. */
export interface StatusArguments {
  readonly modules: readonly string[];
  readonly channel?: string | undefined;
  /** Paths of files. */
  readonly evidence: readonly string[];
  readonly revision: string;
}

/** `kyma-modules status`: how every module stands in every channel. Gives the exit code. */
export async function statusCommand(
  arguments_: StatusArguments,
  ports: PromotionPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const ground = await gatherGround(arguments_, ports, output, run);
  if (ground === undefined) return EXIT.findings;
  const { gathered } = ground;
  const { revision, nowMs, view } = gathered;
  const statuses = chosen(statusOf(gathered), arguments_, [...gathered.catalogue.channels.keys()]);
  const report = { revision, decidedAt: nowMs, statuses, isForgeAsked: view !== undefined };
  output.report({ text: (paper) => statusText(report, paper), json: () => statusJson(report) });
  return EXIT.fine;
}

/** What is asked about. Throws CONFIGURATION for names that nothing has. */
function chosen(
  all: readonly Status[],
  { modules, channel }: StatusArguments,
  channels: readonly string[],
): readonly Status[] {
  const known = [...new Set(all.map(({ module }) => module))].sort();
  const unknown = modules.find((name) => !all.some(({ module }) => module === name));
  if (unknown !== undefined)
    throw new Fault("CONFIGURATION", `No channel serves a module ${unknown}; there is ${known.join(", ") || "none"}.`);
  if (channel !== undefined && !channels.includes(channel))
    throw new Fault("CONFIGURATION", `There is no channel ${channel}; there is ${channels.join(", ") || "none"}.`);
  return all.filter(
    (status) =>
      (modules.length === 0 || modules.includes(status.module)) &&
      (channel === undefined || channel === status.channel),
  );
}
