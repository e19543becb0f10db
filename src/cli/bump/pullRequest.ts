import type { BumpTarget } from "../../catalogue/bump.ts";
import type { EditReport } from "../../catalogue/import/result.ts";
import type { ForgeSettings } from "../../catalogue/settings.ts";
import { countResult } from "../../check/report/summary.ts";
import { PLAIN, textReport } from "../../check/report/text.ts";
import { hashOf } from "../../document/canonical.ts";
import { counted } from "../../document/counted.ts";
import { printable } from "../../document/printable.ts";
import { Fault, type Forge, type ForgeView, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import type { CheckReport } from "../check/report.ts";
import type { BumpPorts } from "../compose/bump.ts";
import { branchOf, type BumpPlace, type PlannedBump } from "./place.ts";
import type { BumpOutcome } from "./report.ts";

/**
 * The pull request of a bump, on the forge that the repository names. It is judged against the forge's base branch, not
 * against what a clone of it happens to have. Throws CONFIGURATION without a forge, REVISION_UNKNOWN for a clone that
 * lacks that commit.
 */
export async function openPullRequest(
  target: BumpTarget,
  settings: ForgeSettings,
  ports: BumpPorts,
  run: Run,
): Promise<BumpPlace> {
  const forge = settings.kind === "none" ? undefined : await ports.openForge(settings, run);
  if (forge === undefined) {
    const remedy = "Leave --pull-request out for a commit on a local branch, or name one: forge: { kind: github, … }.";
    throw new Fault("CONFIGURATION", `kyma-modules.yaml names no forge that could have a pull request. ${remedy}`);
  }
  const branch = branchOf(target);
  const { base, proposals }: ForgeView = await forge.look([branch], run);
  await requireCommit(base, ports, run);
  const known = proposals.find((proposal) => proposal.branch === branch);
  return {
    base,
    branch,
    plan: (bump) => {
      refuseEdited(known, branch);
      return Promise.resolve((report, carryRun) => propose(draftOf(bump, report), known, forge, carryRun));
    },
  };
}

async function requireCommit(base: string, ports: BumpPorts, run: Run): Promise<void> {
  try {
    await ports.resolve(base, run);
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== "REVISION_UNKNOWN") throw cause;
    const message = `The forge's base branch is at ${base.slice(0, 10)}, which this clone lacks: git fetch, then run it again.`;
    throw new Fault("REVISION_UNKNOWN", message, { cause, retry: true });
  }
}

function refuseEdited(known: Proposal | undefined, branch: string): void {
  if (known === undefined || known.digest !== undefined) return;
  const [what, remedy] =
    known.pull === undefined
      ? [branch, "Delete the branch"]
      : [`${branch} (${known.pull.url})`, "Merge the pull request, or close it and delete the branch"];
  throw new Fault(
    "CONFIGURATION",
    `Somebody else committed to the branch ${what}, which is left as it is. ${remedy}; then run it again.`,
  );
}

function draftOf(bump: PlannedBump, report: CheckReport): ProposalDraft {
  const { target, file, before, change } = bump;
  const files = new Map([[file.path, file.text]]);
  const title = change.subject;
  return {
    branch: change.branch,
    base: change.base,
    files,
    title,
    message: `${title}\n`,
    body: bumpBody(bump, report),
    // Not what the gate says: the checks of the pull request say it again. What the base serves counts: where that
    // changed, the branch has to be built on it, or cannot be merged.
    digest: `bump:${target.version}:${hashOf({ files: [...files], title, before: before ?? null })}`,
    // CODEOWNERS asks them.
    reviewers: [],
    isUrgent: false,
    isAsked: true,
  };
}

async function propose(
  draft: ProposalDraft,
  known: Proposal | undefined,
  forge: Forge,
  run: Run,
): Promise<BumpOutcome> {
  const isOpen = known?.pull?.isOpen === true;
  if (isOpen && known.digest === draft.digest) return { kind: "unchanged", commit: known.tip, pull: known.pull };
  const { tip, pull } = await forge.propose(draft, known, run);
  return { kind: isOpen ? "updated" : "opened", commit: tip, pull };
}

/** GitHub refuses more than 65,536 characters; the checks of the pull request show everything. */
const SHOWN_LINES = 50;
const SHOWN_CHARACTERS = 200;

/** The text of a bump's pull request: what, made from what, and what the gate says. Markdown. */
function bumpBody({ target, file, origin, before, change }: PlannedBump, report: CheckReport): string {
  const { module, version, channel } = target;
  const verb = before === undefined ? "is new" : "is changed";
  const made = file.edits.length === 0 ? "as it stands there." : "with these edits:";
  return [
    `**${module} ${version}** in \`${channel}\`: \`${file.path}\` ${verb}.`,
    `Made from ${code(origin)}, ${made}`,
    ...(file.edits.length === 0 ? [] : [shorten(file.edits.map(editLine), "- ")]),
    "### What check says",
    // Indented, it is shown as it stands: nothing in it calls people, links or draws.
    shorten(findingsText(report).split("\n").map(cut), "    "),
    ...notRunText(report),
    `Judged against ${change.base}. The branch belongs to \`kyma-modules bump\`: the same bump from another template updates it. Commit to it, and it is left alone.`,
    "",
  ].join("\n\n");
}

/** What was not run is only counted: the checks of the pull request have more to ask than a team's pipeline. */
function findingsText({ result, facts }: CheckReport): string {
  return textReport({ ...result, notRun: [] }, facts, PLAIN);
}

function notRunText({ result }: CheckReport): readonly string[] {
  const { rulesNotRun } = countResult(result);
  const rules = counted(rulesNotRun, "rule");
  return rulesNotRun === 0
    ? []
    : [`${rules} could not be run where this was made; see the checks of the pull request.`];
}

function editLine({ kind, field, was, value, because }: EditReport): string {
  const from = was === undefined || kind === "removed" ? "" : ` from ${code(was)}`;
  const to = value === undefined ? "" : ` to ${code(value)}`;
  return `${kind} ${code(field)}${from}${to} (${code(because)})`;
}

/** Teams write templates, names and values: as code they are nothing but text. */
function code(text: string): string {
  return `\`${text === "" ? '""' : cut(printable(text).replaceAll("`", "'"))}\``;
}

function shorten(lines: readonly string[], before: string): string {
  const more = lines.length - SHOWN_LINES;
  const shown = more > 0 ? [...lines.slice(0, SHOWN_LINES), `and ${String(more)} more`] : lines;
  return shown.map((line) => `${before}${line}`.trimEnd()).join("\n");
}

function cut(line: string): string {
  const characters = Array.from(line);
  return characters.length > SHOWN_CHARACTERS ? `${characters.slice(0, SHOWN_CHARACTERS).join("")}…` : line;
}
