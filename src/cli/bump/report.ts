import { checkItems } from "../../check/report/json.ts";
import { printable, printableJson, printableLines } from "../../document/printable.ts";
import type { Proposal } from "../../ports.ts";
import type { PreparedBump } from "../../promote/bump/bump.ts";
import type { Proposed } from "../../promote/change.ts";
import { EXIT, jsonDocument, type Output } from "../terminal/output.ts";
import { checkReports, type CheckReport } from "../check/report.ts";

/** A bump and its outcome. */
export interface BumpReport {
  readonly bump: PreparedBump;
  readonly outcome: BumpOutcome;
}

/** The outcome of a bump. */
export type BumpOutcome =
  /** The base already has this file. */
  | { readonly kind: "served" }
  /** The gate found errors. */
  | { readonly kind: "refused" }
  /** The diff of what would be committed, with --dry-run. */
  | { readonly kind: "planned"; readonly diff: string }
  | Proposed;

/** Prints a bump. Returns the exit code for success. */
export function printBump(
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
    pullRequest: pullItem(proposal?.pull),
  };
}

/** Without a pull request, the outcome names what happened to the branch. */
function outcomeName(outcome: BumpOutcome): string {
  if (!("proposal" in outcome) || outcome.proposal.pull !== undefined) return outcome.kind;
  return { opened: "created", unchanged: "unchanged", updated: "extended" }[outcome.kind];
}

function pullItem(pull: Proposal["pull"]): object | null {
  return pull === undefined ? null : { number: pull.number, url: pull.url };
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
      return [`${output.paint("good", "nothing to do")}: ${target.channel} of ${short(base)} already has this file`];
    case "refused":
      return [`${output.paint("bad", "refused")}: nothing was committed`];
    case "planned":
      return [...printableLines(outcome.diff.trimEnd()), `nothing was committed (--dry-run); it would go to ${branch}`];
    case "opened":
    case "unchanged":
    case "updated":
      return [proposedLine(outcome, output), nextLine(outcome.proposal)];
  }
}

function proposedLine({ kind, proposal: { branch, tip, pull } }: Proposed, output: Output): string {
  if (kind === "unchanged") return `${output.paint("good", kind)}: ${branch} has it already (${short(tip)})`;
  if (pull !== undefined) return `${output.paint("good", kind)}: ${branch} (${short(tip)})`;
  const which = kind === "opened" ? "new branch" : "branch";
  return `${output.paint("good", "committed")} ${short(tip)} on the ${which} ${branch}`;
}

function nextLine({ branch, pull }: Proposal): string {
  return pull === undefined
    ? `next: git push origin ${branch}`
    : `pull request #${String(pull.number)}: ${printable(pull.url)}`;
}

function short(commit: string): string {
  return commit.slice(0, 10);
}
