import { shortCommit } from "../../document/printable.ts";
import type { DecisionContext } from "../../promote/context.ts";
import { decideAll, type Decision } from "../../promote/decisions.ts";
import { forgeIn, type Gathered } from "../../promote/gather.ts";
import { decideOnHotfix } from "../../promote/hotfix.ts";
import { closeForgotten, promote, type Promoted } from "../../promote/promote.ts";
import { chosenSubjects, oneSubject } from "../../promote/subjects.ts";
import { subjectStates } from "../../promote/verdict/subject.ts";
import type { Verdict } from "../../promote/verdict/verdict.ts";
import { Fault, type Run } from "../../ports.ts";
import { readModuleAtVersion, readVersion } from "../arguments.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { gatherDecision } from "./context.ts";
import { reportDashboard } from "./dashboard.ts";
import { explanationText, promotionText, type PromotionReport } from "./report.ts";
import { promotionJson } from "./reportJson.ts";
import { codeOfCatalogue } from "../loadCatalogue.ts";

/** The arguments of `promote`. */
export interface PromoteArguments {
  readonly modules: readonly string[];
  readonly channel?: string | undefined;
  /** Only these, each of which must exist; all when undefined. */
  readonly only?: readonly Pick<Verdict, "channel" | "module">[];
  readonly explain?: boolean;
  /** Decide as of this instant, in Unix milliseconds; now when undefined. */
  readonly atMs?: number | undefined;
  readonly apply: boolean;
  readonly direct?: boolean;
  /** Paths of files. */
  readonly evidence: readonly string[];
  readonly revision: string;
  readonly exitCode?: boolean;
  /** `MODULE@VERSION` of a hot-fix. The following fields belong to it. */
  readonly hotfix?: string | undefined;
  readonly incident?: string | undefined;
  readonly alsoFixedIn?: readonly string[] | undefined;
  /** A file; the template in the repository when undefined. */
  readonly template?: string | undefined;
  readonly by?: string | undefined;
}

/** `kyma-modules promote`: prints the verdicts, and carries them out with --apply. Returns the exit code. */
export async function promoteCommand(
  arguments_: PromoteArguments,
  ports: PromotionPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const question = { ...arguments_, isUrgent: arguments_.hotfix !== undefined };
  const context = await gatherDecision(question, ports.world, output, run);
  if (context === undefined) return EXIT.findings;
  const { gathered } = context;
  warnStale(arguments_, gathered, run);
  const decisions = await requestedDecisions(arguments_, gathered, ports, run);
  const promoted = arguments_.apply
    ? await apply(decisions, context, { isDirect: arguments_.direct ?? false, ports }, run)
    : undefined;
  const { revision: decidedOn, nowMs: decidedAt } = gathered;
  const report: PromotionReport = {
    revision: decidedOn,
    decidedAt,
    isAsOf: arguments_.atMs !== undefined,
    ...(promoted ?? { decisions, carried: undefined }),
    // The content that the followed channel served as a version. Evidence is bound to it.
    hashOf: ({ subject: { module, followed } }, version) =>
      subjectStates(gathered.histories.of(module), followed.name)
        .findLast((state) => state.version === version)
        ?.hash(),
  };
  print(report, arguments_.explain ?? false, output);
  // After the report, so that it shows what was carried out.
  if (promoted !== undefined) await finish(promoted, arguments_, gathered, { ports, output, run });
  return Math.max(exitCode(report, arguments_), codeOfCatalogue(gathered.catalogue));
}

/** Warns if the forge has a newer base branch. With --apply this is an error instead. */
function warnStale({ apply, atMs, revision }: PromoteArguments, { view, ...gathered }: Gathered, run: Run): void {
  if (apply || atMs !== undefined || revision !== "HEAD" || view === undefined || view.base === gathered.revision)
    return;
  const [there, here] = [shortCommit(view.base), shortCommit(gathered.revision)];
  run.log.warn(`the base branch on the forge is at ${there}, but this is decided on ${here}: git pull --rebase`);
}

async function requestedDecisions(
  arguments_: PromoteArguments,
  gathered: Gathered,
  ports: PromotionPorts,
  run: Run,
): Promise<readonly Decision[]> {
  const { modules, channel, only, hotfix } = arguments_;
  if (hotfix !== undefined) return [await decideHotfix(hotfix, arguments_, gathered, ports, run)];
  const chosen =
    only?.map(({ channel: name, module }) => oneSubject(module, name, gathered)) ??
    chosenSubjects(modules, channel, gathered);
  // A group moves together, whichever module was named.
  return decideAll(gathered).filter(({ subject, group = [subject.module] }) =>
    chosen.some((one) => one.channel === subject.channel && group.includes(one.module)),
  );
}

async function decideHotfix(
  text: string,
  { channel, incident, alsoFixedIn = [], template, by }: PromoteArguments,
  gathered: Gathered,
  { world }: PromotionPorts,
  run: Run,
): Promise<Decision> {
  const named = readModuleAtVersion(text);
  if (incident === undefined || !/^https?:\/\/\S+$/.test(incident))
    throw new Fault("CONFIGURATION", "A hot-fix needs the URL of its incident: --incident https://…");
  const question = {
    ...{ ...named, channel, incident },
    alsoFixedIn: alsoFixedIn.map(readVersion),
    by: by ?? (await world.login(run)),
    template: template === undefined ? undefined : await world.namedFiles.readOne(template, run),
  };
  return decideOnHotfix(question, gathered);
}

function apply(
  decisions: readonly Decision[],
  { gathered, observed }: DecisionContext,
  { isDirect, ports }: { readonly isDirect: boolean; readonly ports: PromotionPorts },
  run: Run,
): Promise<Promoted> {
  return ports.withGate(gathered, (gate) => {
    const nowMs = (): number => ports.world.clock.nowMs();
    return promote(decisions, gathered, { ...forgeIn(gathered), gate, observed, isDirect, nowMs }, run);
  });
}

async function finish(
  { decisions, carried, stuck, stoppedBy }: Promoted,
  arguments_: PromoteArguments,
  gathered: Gathered,
  { ports, ...to }: { readonly ports: PromotionPorts; readonly output: Output; readonly run: Run },
): Promise<void> {
  if (stoppedBy !== undefined) throw stoppedBy;
  await tidyUp(decisions, arguments_, gathered, to);
  await reportDashboard({ ...gathered, stuck }, carried, ports, to.output, to.run);
}

async function tidyUp(
  decisions: readonly Decision[],
  { modules, channel, only, hotfix }: PromoteArguments,
  gathered: Gathered,
  { output, run }: { readonly output: Output; readonly run: Run },
): Promise<void> {
  const isAll = modules.length === 0 && channel === undefined && only === undefined && hotfix === undefined;
  const { forge, view, catalogue } = gathered;
  // What cannot be read is not gone.
  if (codeOfCatalogue(catalogue) !== EXIT.fine) return;
  if (!isAll || forge === undefined || view === undefined) return;
  for (const branch of await closeForgotten(decisions, gathered, { forge, view }, run))
    output.say(`closed ${branch}: no following channel has this module any more`);
}

function print(report: PromotionReport, explain: boolean, output: Output): void {
  output.report({
    text: (paper) => {
      const explained = explain ? report.decisions.map((decision) => explanationText(decision, report, paper)) : [];
      const table = explain && report.carried === undefined ? [] : [promotionText(report, paper)];
      return [...explained, ...table].join("\n");
    },
    json: () => promotionJson(report),
  });
}

function exitCode(
  { decisions, carried }: PromotionReport,
  { exitCode: asks = false, hotfix }: PromoteArguments,
): number {
  const faults = carried?.flatMap(({ outcome }) => (outcome.kind === "failed" ? [outcome.fault] : [])) ?? [];
  // A wrong configuration may show only when it is carried out.
  if (faults.some(({ code }) => code === "CONFIGURATION")) return EXIT.usage;
  const isRefused = hotfix !== undefined && decisions.some(({ verdict }) => verdict.kind !== "promote");
  const isFailed = carried?.some(({ outcome }) => outcome.kind === "refused" || outcome.kind === "failed") === true;
  const isAsked = asks && decisions.some(({ verdict }) => verdict.kind !== "nothing");
  return [isRefused, isFailed, isAsked].includes(true) ? EXIT.findings : EXIT.fine;
}
