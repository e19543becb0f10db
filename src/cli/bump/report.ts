import type { BumpedFile, BumpTarget } from "../../catalogue/bump.ts";
import { checkItems } from "../../check/report/json.ts";
import { printable, printableJson, printableLines } from "../../document/printable.ts";
import type { Proposal } from "../../ports.ts";
import type { BranchChange } from "../compose/bump.ts";
import { EXIT, jsonDocument, type Output } from "../terminal/output.ts";
import { checkReports, type CheckReport } from "../check/report.ts";

/** A bump, and what became of it. */
export interface Bump {
  readonly target: BumpTarget;
  readonly file: BumpedFile;
  /** What it was made from, for people. */
  readonly origin: string;
  readonly change: BranchChange;
  readonly outcome: BumpOutcome;
}

/** What became of a bump. */
export type BumpOutcome =
  /** The base has this very file. */
  | { readonly kind: "served" }
  /** The gate found errors. */
  | { readonly kind: "refused" }
  /** It is what would be committed. */
  | { readonly kind: "planned"; readonly diff: string }
  /** The branch has this very file; so has its pull request, where there is one. */
  | { readonly kind: "unchanged"; readonly commit: string; readonly pull: Proposal["pull"] }
  /** A commit on a new branch, or on one that was there. */
  | { readonly kind: "created" | "extended"; readonly commit: string }
  /** A pull request that was not open, or one that was. */
  | { readonly kind: "opened" | "updated"; readonly commit: string; readonly pull: Proposal["pull"] };

/** Prints a bump. Gives the exit code of one that needs nothing. */
export function printBump(
  bump: Bump,
  { decidedAt, report }: { readonly decidedAt: number; readonly report?: CheckReport },
  output: Output,
): number {
  const gate = (paper: Output): readonly string[] => (report === undefined ? [] : [checkReports(report).text(paper)]);
  const items = [bumpItem(bump), ...(report === undefined ? [] : checkItems(report.result))];
  output.report({
    text: (paper) => [...headLines(bump), ...gate(paper), ...outcomeLines(bump, paper)].join("\n"),
    json: () => printableJson(jsonDocument("Bump", { revision: bump.change.base, decidedAt }, items)),
  });
  return EXIT.fine;
}

/** schemas/output/bump.schema.json. */
function bumpItem({ target, file, origin, change, outcome }: Bump): object {
  return {
    kind: "bump",
    outcome: outcome.kind,
    ...target,
    path: file.path,
    from: origin,
    edits: file.edits,
    branch: change.branch,
    commit: "commit" in outcome ? outcome.commit : null,
    diff: "diff" in outcome ? outcome.diff : null,
    pullRequest: pullItem("pull" in outcome ? outcome.pull : undefined),
  };
}

function pullItem(pull: Proposal["pull"]): object | null {
  return pull === undefined ? null : { number: pull.number, url: pull.url };
}

function headLines({ target: { module, version }, file: { path, edits }, origin }: Bump): readonly string[] {
  return [
    `${path}: ${module} ${version}`,
    `    from ${printable(origin)}`,
    ...edits.map(({ kind, field, was, value = "" }) => {
      const from = kind === "changed" && was !== undefined ? `${was} → ` : "";
      return `    ${kind} ${printable(kind === "removed" ? field : `${field}: ${from}${value}`)}`;
    }),
  ];
}

function outcomeLines({ target, change: { branch, base }, outcome }: Bump, output: Output): readonly string[] {
  const push = nextLine(branch, undefined);
  switch (outcome.kind) {
    case "served":
      return [`${output.paint("good", "nothing to do")}: ${target.channel} of ${short(base)} has this very file`];
    case "refused":
      return [`${output.paint("bad", "refused")}: nothing was committed`];
    case "planned":
      return [...printableLines(outcome.diff.trimEnd()), `nothing was committed (--dry-run); it would go to ${branch}`];
    case "unchanged":
      return [
        `${output.paint("good", "unchanged")}: ${branch} has it already (${short(outcome.commit)})`,
        nextLine(branch, outcome.pull),
      ];
    case "created":
      return [`${output.paint("good", "committed")} ${short(outcome.commit)} on the new branch ${branch}`, push];
    case "extended":
      return [`${output.paint("good", "committed")} ${short(outcome.commit)} on the branch ${branch}`, push];
    case "opened":
    case "updated":
      return [
        `${output.paint("good", outcome.kind)}: ${branch} (${short(outcome.commit)})`,
        nextLine(branch, outcome.pull),
      ];
  }
}

function nextLine(branch: string, pull: Proposal["pull"]): string {
  return pull === undefined
    ? `next: git push origin ${branch}`
    : `pull request #${String(pull.number)}: ${printable(pull.url)}`;
}

function short(commit: string): string {
  return commit.slice(0, 10);
}
