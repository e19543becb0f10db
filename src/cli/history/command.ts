import { parseModuleName, type ModuleName } from "../../catalogue/names.ts";
import type { Gathered } from "../../promote/gather.ts";
import { readBranchTips, tellTimeline } from "../../promote/readTimeline.ts";
import type { TimelineEvent } from "../../promote/timeline/timeline.ts";
import { examineClaim } from "../../promote/verdict/obstacle.ts";
import { atHandOf, verifyTimeline, type Verification, type VerifyContext } from "../../promote/verify.ts";
import { Fault, type Run } from "../../ports.ts";
import type { HistoryPorts } from "../compose/promotion.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import type { ReadEvidence } from "../../promote/keptEvidence.ts";
import { contextOf } from "../promote/context.ts";
import { type Claimed, historyJson, type HistoryReport, historyText } from "./report.ts";

/** The arguments of `history`. */
export interface HistoryArguments {
  readonly module: string;
  readonly channel?: string | undefined;
  /** Whether to decide each promotion again. */
  readonly verify: boolean;
  /** Paths of files. */
  readonly evidence: readonly string[];
  readonly revision: string;
}

/** `kyma-modules history`: prints the timeline of a module. Returns the exit code. */
export async function historyCommand(
  arguments_: HistoryArguments,
  ports: HistoryPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const context = await contextOf({ ...arguments_, isAboutPast: true }, ports.world, output, run);
  if (context === undefined) return EXIT.findings;
  const { gathered, observed } = context;
  const module = knownModule(arguments_.module, gathered);
  const timeline = await tell(module, arguments_.channel, gathered, { observed, ports }, run);
  const told = { module, gathered, evidence: observed.byDigest, world: ports.world };
  const { verify } = arguments_;
  const claims = verify ? await verifyTimeline(timeline, told, run) : examineTimeline(timeline, told);
  const report = reportOf(timeline, claims, told, { verify, ...ports });
  output.report({ text: (paper) => historyText(report, paper), json: () => historyJson(report) });
  const isWrong = verify && [...claims.values()].some(({ kind }) => kind === "differs");
  return isWrong ? EXIT.findings : EXIT.fine;
}

function knownModule(name: string, { histories }: Gathered): ModuleName {
  const module = parseModuleName(name);
  if (module !== undefined && histories.modules.includes(module)) return module;
  const known = histories.modules.join(", ") || "none";
  throw new Fault("CONFIGURATION", `The history has no module ${name}. Modules: ${known}.`);
}

async function tell(
  module: ModuleName,
  channel: string | undefined,
  gathered: Gathered,
  { observed, ports }: { readonly observed: ReadEvidence; readonly ports: HistoryPorts },
  run: Run,
): Promise<readonly TimelineEvent[]> {
  const { histories, catalogue } = gathered;
  const branchTips = await readBranchTips(gathered, [module], ports.world.history, run);
  const timeline = tellTimeline(module, gathered, branchTips, observed.evidence);
  const channels = [...new Set([...catalogue.channels.keys(), ...histories.of(module).served.keys()])];
  if (channel !== undefined && !channels.some((name) => name === channel))
    throw new Fault("CONFIGURATION", `There is no channel ${channel}. Channels: ${channels.join(", ") || "none"}.`);
  // An event without a channel, such as a hold everywhere, concerns this channel, too.
  return timeline.filter((event) => channel === undefined || (event.channel ?? channel) === channel);
}

/** Examines claims without deciding again. */
function examineTimeline(
  timeline: readonly TimelineEvent[],
  context: VerifyContext,
): ReadonlyMap<TimelineEvent, Claimed> {
  const atHand = atHandOf(context);
  return new Map(
    timeline.flatMap((step): [TimelineEvent, Claimed][] =>
      step.kind === "step" && step.claim !== undefined ? [[step, examineClaim(step, step.claim, atHand)]] : [],
    ),
  );
}

function reportOf(
  timeline: readonly TimelineEvent[],
  claims: ReadonlyMap<TimelineEvent, Claimed | Verification>,
  { module, gathered }: VerifyContext,
  { verify, forgeSite }: { readonly verify: boolean } & Pick<HistoryPorts, "forgeSite">,
): HistoryReport {
  const { revision, nowMs, catalogue } = gathered;
  const { forge } = catalogue.settings;
  const repositoryUrl = forge.kind === "github" ? `${forgeSite}/${forge.repository}` : undefined;
  return {
    module,
    timeline,
    claims,
    revision,
    decidedAt: nowMs,
    repositoryUrl,
    isForgeAsked: gathered.forge !== undefined,
    isVerified: verify,
  };
}
