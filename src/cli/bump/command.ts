import { inputsFolder } from "../../catalogue/inputs.ts";
import type { People } from "../../check/facts.ts";
import { check } from "../../check/check.ts";
import { overlay } from "../../reading/overlay.ts";
import { countResult } from "../../check/report/summary.ts";
import { PLAIN, textReport } from "../../check/report/text.ts";
import { counted } from "../../document/counted.ts";
import { shellCommand } from "../../document/shellWord.ts";
import { prepareBump, proposeBump, type PreparedBump } from "../../promote/bump/bump.ts";
import type { Run } from "../../ports.ts";
import { readChannel, readModuleAtVersion } from "../arguments.ts";
import type { CheckPorts } from "../compose/compose.ts";
import type { BumpPorts } from "../compose/promotion.ts";
import { reportFacts } from "../check/facts.ts";
import { type CheckReport, checkReports } from "../check/report.ts";
import { sayUnreadable } from "../loadCatalogue.ts";
import { EXIT, type Output, jsonDocument } from "../terminal/output.ts";
import { checkItems } from "../../check/report/json.ts";
import { printable, printableJson, printableLines, shortCommit } from "../../document/printable.ts";
import type { Proposed } from "../../promote/change.ts";

interface BumpArguments {
  /** `MODULE@VERSION`. */
  readonly subject: string;
  readonly channel: string;
  readonly template?: string | undefined;
  readonly branch?: string | undefined;
  readonly base?: string | undefined;
  readonly pullRequest: boolean;
  readonly offline: boolean;
  readonly dryRun: boolean;
  /** The version of this program. */
  readonly version: string;
}

/**
 * `kyma-modules bump`: writes and checks a channel file, and commits it to a branch or pull request. Returns the exit
 * code.
 */
export async function bumpCommand(
  arguments_: BumpArguments,
  ports: BumpPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const startedMs = ports.check.clock.nowMs();
  const { subject, channel, ...options } = arguments_;
  const request = { ...options, ...readModuleAtVersion(subject), channel: readChannel(channel) };
  const bump = await prepareBump(request, ports.bump, run);
  if (bump.kind === "unreadable") {
    sayUnreadable(bump.findings, output);
    return EXIT.findings;
  }
  const decidedAt = ports.check.clock.nowMs();
  if (bump.before === bump.file.text) return printBump({ bump, outcome: { kind: "served" } }, { decidedAt }, output);
  const report = await judge(bump, { ...arguments_, startedMs }, ports.check, run);
  const outcome = await bumpOutcome(bump, report, { isDry: arguments_.dryRun, diff: ports.diff }, run);
  printBump({ bump, outcome }, { decidedAt: report.facts.decidedAt, gate: report }, output);
  await sayLeftOut(bump, ports, output, run);
  return outcome.kind === "refused" ? EXIT.findings : EXIT.fine;
}

/** Names uncommitted files in the folder of the version: they were not checked, and are not part of the change. */
async function sayLeftOut(
  { target: { module, version } }: PreparedBump,
  ports: BumpPorts,
  output: Output,
  run: Run,
): Promise<void> {
  const folder = inputsFolder(module, version);
  const left = (await ports.check.uncommitted(run)).filter((path) => path.startsWith(folder));
  if (left.length === 0) return;
  const [are, them] = left.length === 1 ? ["is", "it"] : ["are", "them"];
  output.say(
    `not included and not checked: ${counted(left.length, "file")} in ${folder} that ${are} not committed. Commit ${them}, then run the command again.`,
  );
}

const UNKNOWN: People = { author: undefined, approvedBy: [], teams: new Map() };

/** The gate: the result of `check` as if the file were written. */
async function judge(
  { file, base }: PreparedBump,
  { offline, version, startedMs }: Pick<BumpArguments, "offline" | "version"> & { readonly startedMs: number },
  ports: CheckPorts,
  run: Run,
): Promise<CheckReport> {
  const source = ports.openRevision(base);
  const head = overlay(source, new Map([[file.path, file.text]]));
  const world = await ports.openWorld({ offline }, run);
  try {
    const { result } = await check({ head, base: source, paths: [file.path], people: UNKNOWN }, world, run);
    return { result, facts: await reportFacts(result, head, { version, startedMs, loose: false }, ports, run) };
  } finally {
    await world.close();
  }
}

async function bumpOutcome(
  bump: PreparedBump,
  { result, facts }: CheckReport,
  { isDry, diff }: { readonly isDry: boolean; readonly diff: BumpPorts["diff"] },
  run: Run,
): Promise<BumpOutcome> {
  if (result.findings.some(({ severity }) => severity === "error")) return { kind: "refused" };
  const { file, before } = bump;
  if (isDry) return { kind: "planned", diff: await diff(file.path, before, file.text, run) };
  // The proposal only counts the rules that were not run.
  const text = textReport({ ...result, notRun: [] }, facts, PLAIN);
  return proposeBump(bump, { text, rulesNotRun: countResult(result).rulesNotRun }, run);
}

/** A bump and its outcome. */
interface BumpReport {
  readonly bump: PreparedBump;
  readonly outcome: BumpOutcome;
}

/** The outcome of a bump. */
type BumpOutcome =
  /** The base already has this file. */
  | { readonly kind: "served" }
  /** The gate found errors. */
  | { readonly kind: "refused" }
  /** The diff of what would be committed, with --dry-run. */
  | { readonly kind: "planned"; readonly diff: string }
  | Proposed;

/** Prints a bump. Returns the exit code for success. */
function printBump(
  report: BumpReport,
  { decidedAt, gate }: { readonly decidedAt: number; readonly gate?: CheckReport },
  output: Output,
): number {
  const gateLines = (paper: Output): readonly string[] => (gate === undefined ? [] : [checkReports(gate).text(paper)]);
  const items = [bumpItem(report), ...(gate === undefined ? [] : checkItems(gate.result))];
  output.report({
    text: (paper) => [...headLines(report.bump), ...gateLines(paper), ...outcomeLines(report, paper)].join("\n"),
    json: () => printableJson(jsonDocument("Bump", { revision: report.bump.base, decidedAt }, items)),
  });
  return EXIT.fine;
}

/** schemas/output/bump.schema.json. */
function bumpItem({ bump, outcome }: BumpReport): object {
  const { target, file, origin, branch } = bump;
  const proposal = "proposal" in outcome ? outcome.proposal : undefined;
  return {
    kind: "bump",
    outcome: outcomeName(outcome),
    ...target,
    path: file.path,
    from: origin,
    edits: file.edits,
    branch,
    commit: proposal?.tip ?? null,
    diff: "diff" in outcome ? outcome.diff : null,
    pullRequest: proposal?.pull === undefined ? null : { number: proposal.pull.number, url: proposal.pull.url },
  };
}

/** Without a pull request, the outcome names what happened to the branch. */
function outcomeName(outcome: BumpOutcome): string {
  if (!("proposal" in outcome) || outcome.proposal.pull !== undefined) return outcome.kind;
  return { opened: "created", unchanged: "unchanged", updated: "extended" }[outcome.kind];
}

function headLines({ target: { module, version }, file: { path, edits }, origin }: PreparedBump): readonly string[] {
  return [
    `${path}: ${module} ${version}`,
    `    from ${printable(origin)}`,
    ...edits.map(({ kind, field, was, value = "" }) => {
      const from = kind === "changed" && was !== undefined ? `${was} → ` : "";
      return `    ${kind} ${printable(kind === "removed" ? field : `${field}: ${from}${value}`)}`;
    }),
  ];
}

function outcomeLines({ bump: { target, branch, base }, outcome }: BumpReport, output: Output): readonly string[] {
  switch (outcome.kind) {
    case "served":
      return [
        `${output.paint("good", "nothing to do")}: ${target.channel} of ${shortCommit(base)} already has this file`,
      ];
    case "refused":
      return [`${output.paint("bad", "refused")}: nothing was committed`];
    case "planned":
      return [...printableLines(outcome.diff.trimEnd()), `nothing was committed (--dry-run); it would go to ${branch}`];
    case "opened":
    case "unchanged":
    case "updated": {
      const { branch: proposed, pull } = outcome.proposal;
      const next =
        pull === undefined
          ? shellCommand`next: git push origin ${proposed}`
          : `pull request #${String(pull.number)}: ${printable(pull.url)}`;
      return [proposedLine(outcome, output), next];
    }
  }
}

function proposedLine({ kind, proposal: { branch, tip, pull } }: Proposed, output: Output): string {
  if (kind === "unchanged") return `${output.paint("good", kind)}: ${branch} has it already (${shortCommit(tip)})`;
  if (pull !== undefined) return `${output.paint("good", kind)}: ${branch} (${shortCommit(tip)})`;
  const which = kind === "opened" ? "new branch" : "branch";
  return `${output.paint("good", "committed")} ${shortCommit(tip)} on the ${which} ${branch}`;
}
