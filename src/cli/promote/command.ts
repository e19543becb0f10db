import { hotfixesPath } from "../../catalogue/paths.ts";
import { changeHotfixes } from "../../catalogue/entries.ts";
import type { Gathered } from "../../promote/gather.ts";
import { servedFile } from "../../promote/draft.ts";
import { closeForgotten, originOf, promote, type Decision, type Promoted } from "../../promote/promote.ts";
import { decideAll } from "../../promote/decisions.ts";
import { decideHotfix } from "../../promote/intervention/hotfix.ts";
import { entryRefusal } from "../../promote/intervention/intervention.ts";
import { statesOf } from "../../promote/verdict/subject.ts";
import type { Verdict } from "../../promote/verdict/verdict.ts";
import { Fault, type Run } from "../../ports.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { reportDashboard } from "./dashboard.ts";
import { gateOf } from "./gate.ts";
import { gatherGround, type DecisionContext } from "./ground.ts";
import { refuseUsage } from "../intervene/request.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { chosenSubjects, oneSubject, readSubject, readVersion } from "./subjects.ts";
import { explanationText, promotionText, type PromotionReport } from "./report.ts";
import { promotionJson } from "./reportJson.ts";
import { readNamedFile } from "../namedFile.ts";

/** The arguments of `promote`. */
export interface PromoteArguments {
  readonly modules: readonly string[];
  readonly channel?: string | undefined;
  /** Only these, of which every one has to be there; all when undefined. */
  readonly only?: readonly Pick<Verdict, "channel" | "module">[];
  readonly explain?: boolean;
  /** Unix milliseconds; now when undefined. */
  readonly atMs?: number | undefined;
  readonly apply: boolean;
  readonly direct?: boolean;
  /** Paths of files. */
  readonly evidence: readonly string[];
  readonly revision: string;
  readonly exitCode?: boolean;
  /** `MODULE@VERSION` of a hot-fix, which the following are about. */
  readonly hotfix?: string | undefined;
  readonly incident?: string | undefined;
  readonly alsoFixedIn?: readonly string[] | undefined;
  /** A file; what the repository knows of the version when undefined. */
  readonly template?: string | undefined;
  readonly by?: string | undefined;
}

/** `kyma-modules promote`: the verdicts, and with --apply what they amount to. Gives the exit code. */
export async function promoteCommand(
  arguments_: PromoteArguments,
  ports: PromotionPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const ground = await gatherGround({ ...arguments_, isUrgent: arguments_.hotfix !== undefined }, ports, output, run);
  if (ground === undefined) return EXIT.findings;
  const { gathered } = ground;
  warnStale(arguments_, gathered, run);
  const decisions = await decisionsOf(arguments_, gathered, ports, run);
  const promoted = arguments_.apply ? await apply(decisions, { ...ground, arguments_, ports }, run) : undefined;
  const carried = promoted?.carried;
  const { revision: decidedOn, nowMs: decidedAt } = gathered;
  const report = {
    revision: decidedOn,
    decidedAt,
    isAsOf: arguments_.atMs !== undefined,
    decisions,
    carried,
    hashOf: hashIn(gathered),
  };
  print(report, arguments_.explain ?? false, output);
  // Last: whatever becomes of it, people know by now what was done before.
  if (promoted?.stoppedBy !== undefined) throw promoted.stoppedBy;
  if (carried !== undefined) {
    await tidyUp(decisions, arguments_, gathered, { output, run });
    await reportDashboard(gathered, carried, ports, output, run);
  }
  return exitCode(report, arguments_);
}

/** Whoever only looks shall know that the forge has more; whoever acts is refused. */
function warnStale({ apply, atMs, revision }: PromoteArguments, { view, ...gathered }: Gathered, run: Run): void {
  if (apply || atMs !== undefined || revision !== "HEAD" || view === undefined || view.base === gathered.revision)
    return;
  const [there, here] = [view.base.slice(0, 10), gathered.revision.slice(0, 10)];
  run.log.warn(`the base branch is at ${there} at the forge, and this is decided on ${here}: git pull`);
}

async function decisionsOf(
  arguments_: PromoteArguments,
  gathered: Gathered,
  ports: PromotionPorts,
  run: Run,
): Promise<readonly Decision[]> {
  const { modules, channel, only, hotfix } = arguments_;
  if (hotfix !== undefined) return [await decideOnHotfix(hotfix, arguments_, gathered, ports, run)];
  const chosen =
    only?.map(({ channel: name, module }) => oneSubject(module, name, gathered)) ??
    chosenSubjects(modules, channel, gathered);
  // What moves together moves together, whichever of it was named.
  const isMeant = ({ subject, group = [subject.module] }: Decision): boolean =>
    chosen.some((one) => one.channel === subject.channel && group.includes(one.module));
  return decideAll(gathered).filter(isMeant);
}

async function decideOnHotfix(
  text: string,
  { channel, incident, alsoFixedIn = [], template, by }: PromoteArguments,
  gathered: Gathered,
  ports: PromotionPorts,
  run: Run,
): Promise<Decision> {
  const { module, version } = readSubject(text);
  const subject = oneSubject(module, channel, gathered);
  if (incident === undefined || !/^https?:\/\/\S+$/.test(incident))
    throw new Fault("CONFIGURATION", "A hot-fix needs the address of its incident: --incident https://…");
  const request = {
    version,
    incident,
    alsoFixedIn: alsoFixedIn.map((one) => readVersion(one)),
    by: by ?? (await ports.login(run)),
  };
  const verdict = decideHotfix(subject, request, gathered.factsOf(subject));
  refuseUsage(entryRefusal("hotfixes", verdict.declaration));
  const isOld = (entry: { readonly version: string; readonly channel: string }): boolean =>
    entry.version === version && entry.channel === subject.channel.name;
  const hotfixes = changeHotfixes(subject.said, {
    become: (entry) => (isOld(entry) ? undefined : entry),
    added: [verdict.declaration],
  });
  const files = new Map([[hotfixesPath(module), hotfixes]]);
  const named =
    template === undefined ? undefined : await readNamedFile(template, "Name the template itself.", ports.check, run);
  // Whoever is told "promote now" shall not learn later that nobody has a template that can be served.
  const origin = verdict.kind === "promote" ? (named ?? originOf(gathered, subject, version)) : undefined;
  if (origin !== undefined) servedFile(verdict, version, origin);
  const { declaration, passedOver } = verdict;
  return { subject, verdict, hotfix: { declaration, passedOver, files, origin } };
}

/** The content that the followed channel served under a version: what evidence is about. */
function hashIn({ histories }: Gathered): PromotionReport["hashOf"] {
  return ({ subject: { module, followed } }, version) =>
    statesOf(histories.of(module), followed.name)
      .findLast((state) => state.version === version)
      ?.hash();
}

interface ApplyContext {
  readonly arguments_: PromoteArguments;
  readonly ports: PromotionPorts;
}

async function apply(
  decisions: readonly Decision[],
  { gathered, observed, arguments_, ports }: DecisionContext & ApplyContext,
  run: Run,
): Promise<Promoted> {
  const { forge, view } = gathered;
  if (forge === undefined || view === undefined)
    throw new Fault("CONFIGURATION", "--apply asks the forge, and --offline asks none: leave one of them out.");
  const gate = gateOf(gathered.revision, gathered.catalogue.settings.releaseManagers, ports.check);
  try {
    const means = {
      forge,
      view,
      gate: gate.judge,
      evidenceDigests: observed.digests,
      isDirect: arguments_.direct ?? false,
      nowMs: () => ports.world.clock.nowMs(),
    };
    return await promote(decisions, gathered, means, run);
  } finally {
    await gate.close();
  }
}

async function tidyUp(
  decisions: readonly Decision[],
  { modules, channel, only, hotfix }: PromoteArguments,
  { forge, view }: Gathered,
  { output, run }: { readonly output: Output; readonly run: Run },
): Promise<void> {
  const isAll = modules.length === 0 && channel === undefined && only === undefined && hotfix === undefined;
  if (!isAll || forge === undefined || view === undefined) return;
  for (const branch of await closeForgotten(decisions, { forge, view }, run))
    output.say(`closed ${branch}: no channel that follows another has this module any more`);
}

function print(report: PromotionReport, explain: boolean, output: Output): void {
  const explained = (paper: Output): readonly string[] =>
    explain ? report.decisions.map((decision) => explanationText(decision, report, paper)) : [];
  const table = (paper: Output): readonly string[] =>
    explain && report.carried === undefined ? [] : [promotionText(report, paper)];
  output.report({
    text: (paper) => [...explained(paper), ...table(paper)].join("\n"),
    json: () => promotionJson(report),
  });
}

function exitCode(
  { decisions, carried }: PromotionReport,
  { exitCode: asks = false, hotfix }: PromoteArguments,
): number {
  const faults = carried?.flatMap(({ outcome }) => (outcome.kind === "failed" ? [outcome.fault] : [])) ?? [];
  // What does not fit is the caller's to put right, also where it shows only in the act.
  if (faults.some(({ code }) => code === "CONFIGURATION")) return EXIT.usage;
  const isRefused = hotfix !== undefined && decisions.some(({ verdict }) => verdict.kind !== "promote");
  const isFailed = carried?.some(({ outcome }) => outcome.kind === "refused" || outcome.kind === "failed") === true;
  const isAsked = asks && decisions.some(({ verdict }) => verdict.kind !== "nothing");
  return [isRefused, isFailed, isAsked].includes(true) ? EXIT.findings : EXIT.fine;
}
