import { isAbsolute } from "node:path";
import { counted } from "../../document/counted.ts";
import type { Finding } from "../../document/finding.ts";
import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { check, type Checked, type CheckRequest } from "../../check/check.ts";
import type { People } from "../../check/facts.ts";
import type { CheckedChange } from "../../check/load.ts";
import { findingFixes, isMechanical } from "../../check/fix.ts";
import { readTeams } from "../../check/people.ts";
import type { FactName } from "../../check/required.ts";
import { explainRule, listRules } from "../../check/report/explain.ts";
import { summaryText } from "../../check/report/summary.ts";
import type { Rule } from "../../check/rule.ts";
import { RULES } from "../../check/rules.ts";
import { Fault, type Run, type Source } from "../../ports.ts";
import type { ChangeSince, CheckPorts } from "../compose/compose.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { checkReports } from "./report.ts";
import { openChange, sayUncommitted } from "../change.ts";
import { reportFacts } from "./facts.ts";
import { isNoCatalogue, refuseNoCatalogue } from "../loadCatalogue.ts";

/** The arguments of `check`. */
export interface CheckArguments {
  readonly paths: readonly string[];
  /** The revision to compare with; without one, everything is checked. */
  readonly base?: string | undefined;
  /** Whether the paths are raw templates outside of a catalogue. */
  readonly loose: boolean;
  /** Whether a change since `base` includes what is not committed. */
  readonly worktree: boolean;
  readonly offline: boolean;
  /** An additional API server to ask: `embedded`, or `context:NAME`. */
  readonly server?: string | undefined;
  readonly fix: boolean;
  /** Whether warnings count as errors. */
  readonly strict: boolean;
  /** Whether to print less, or more, than usual. */
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** The facts that must be known. */
  readonly require?: readonly FactName[] | undefined;
  /** The place of a finding to reproduce on an API server, `FILE:LINE`. */
  readonly prove?: string | undefined;
  /** A rule to explain, or `true` to list all rules. Nothing is checked then. */
  readonly explain?: string | true | undefined;
  /** The rules to check; all when undefined. */
  readonly rule?: readonly string[] | undefined;
  readonly author?: string | undefined;
  readonly approvedBy?: readonly string[] | undefined;
  /** The name of the branch whose change is judged. */
  readonly headBranch?: string | undefined;
  readonly teams?: string | undefined;
  /** The version of this program. */
  readonly version: string;
}

/** `kyma-modules check`: reports the problems of a change, or of the whole repository. Returns the exit code. */
export async function checkCommand(
  arguments_: CheckArguments,
  ports: CheckPorts,
  output: Output,
  run: Run,
): Promise<number> {
  if (arguments_.explain !== undefined) return explain(arguments_.explain, output);
  const startedMs = ports.clock.nowMs();
  const request = await requestFor(arguments_, ports, run);
  await sayUncommitted(arguments_, ports, output, run);
  const world = await ports.openWorld(arguments_, run);
  try {
    const first = await check(request, world, run);
    if (!arguments_.loose) refuseNothing(first);
    if (arguments_.prove !== undefined) {
      const { prove } = await import("./prove.ts");
      return await prove(arguments_.prove, first.context, ports, output, run);
    }
    const isFixed = arguments_.fix && (await fixFiles(first, request.head, ports, output, run));
    // Fixed files belong to the change now, even if the change did not touch them before.
    const judged = isFixed ? await requestFor(arguments_, ports, run) : request;
    const found = isFixed ? (await check(judged, world, run)).result : first.result;
    const result = arguments_.strict ? { ...found, findings: found.findings.map(strictly) } : found;
    const facts = await reportFacts(result, judged.head, { ...arguments_, startedMs }, ports, run);
    output.report(checkReports({ result, facts: { ...facts, detail: reportDetail(arguments_) } }));
    if (output.formats.every(({ file }) => file !== undefined)) output.say(summaryText(result, facts.tookMs));
    return result.findings.some(({ severity }) => severity === "error") ? EXIT.findings : EXIT.fine;
  } finally {
    await world.close();
  }
}

function reportDetail({ quiet, verbose }: CheckArguments): "quiet" | "usual" | "verbose" {
  if (quiet) return "quiet";
  return verbose ? "verbose" : "usual";
}

/** Throws CONFIGURATION if there never was a catalogue. A change that removes the catalogue is a finding instead. */
function refuseNothing({ context: { head, base } }: Checked): void {
  if (base?.findings.some(isNoCatalogue) !== false) refuseNoCatalogue(head.findings);
}

function strictly(finding: Finding): Finding {
  return finding.severity === "warning" ? { ...finding, severity: "error" } : finding;
}

function explain(id: string | true, output: Output): number {
  output.report({ text: (paper) => (id === true ? listRules(RULES, paper) : explainRule(ruleNamed(id), paper)) });
  return EXIT.fine;
}

function ruleNamed(id: string): Rule {
  const rule = RULES.find((candidate) => candidate.id === id);
  if (rule !== undefined) return rule;
  const near = RULES.filter((candidate) => candidate.id.split("-").some((word) => id.split("-").includes(word)));
  const hint = near.length === 0 ? "" : ` Did you mean ${near.map((candidate) => candidate.id).join(", ")}?`;
  throw new Fault("CONFIGURATION", `There is no rule ${id}.${hint} All rules: kyma-modules check --explain`);
}

async function readPeople(
  { author: login, approvedBy = [], teams, headBranch: branch }: CheckArguments,
  since: ChangeSince | undefined,
  ports: CheckPorts,
  run: Run,
): Promise<People> {
  const author = login?.replace(/^@/, "");
  const isKnown = branch !== undefined && since !== undefined;
  const head = isKnown ? { branch, files: await ports.filesOfHead(since, run) } : undefined;
  if (teams === undefined) return { author, approvedBy, head, teams: new Map() };
  const file = await ports.namedFiles.readOne(teams, run);
  const reading = readYaml(teams, { kind: "bytes", bytes: file.content });
  const members = reading.kind === "read" ? readTeams(reading.file) : undefined;
  if (members !== undefined) return { author, approvedBy, head, teams: members };
  throw new Fault("CONFIGURATION", `${teams} names no teams. It must map @org/team to a list of logins.`);
}

async function requestFor(arguments_: CheckArguments, ports: CheckPorts, run: Run): Promise<CheckRequest> {
  const { loose, rule: rules = [], require: required = [] } = arguments_;
  const { since, ...change } = await checkedChange(arguments_, ports, run);
  const people = await readPeople(arguments_, since, ports, run);
  const folder = loose ? "" : await ports.gitPrefix(run);
  return { ...change, loose, people, folder, required, ...(rules.length > 0 && { rules: rules.map(ruleNamed) }) };
}

async function checkedChange(
  { base, loose, worktree, paths }: CheckArguments,
  ports: CheckPorts,
  run: Run,
): Promise<CheckedChange & { readonly since?: ChangeSince }> {
  if (loose) return { head: await ports.namedSource(paths, run), base: undefined, paths: undefined };
  if (base === undefined) {
    const head = ports.openHead();
    const inRepository = paths.map((path) => ports.inRepository(path));
    const converted = { head: await ports.converted(undefined, run), base: [] };
    return { head, base, paths: await namedPaths(inRepository, head, run), converted };
  }
  const change = await openChange(base, worktree, ports, run);
  const head = await ports.converted(change.commit, run);
  return {
    ...change,
    converted: { head, base: head.length === 0 ? [] : await ports.converted(change.since.base, run) },
  };
}

/**
 * The paths to check; `undefined` for the whole repository. Throws CONFIGURATION for a missing path, which would pass.
 */
async function namedPaths(paths: readonly string[], head: Source, run: Run): Promise<readonly string[] | undefined> {
  const outside = paths.find((path) => path === ".." || path.startsWith("../") || isAbsolute(path));
  if (outside !== undefined)
    throw new Fault("CONFIGURATION", `${outside} is outside of the repository. Name another repository: --repo DIR.`);
  if (paths.length === 0 || paths.includes("")) return undefined;
  const known: string[] = [];
  await head.snapshot((path) => known.push(path) < 0, run);
  const missing = paths.find(
    (path) => !known.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`)),
  );
  if (missing === undefined) return paths;
  throw new Fault(
    "CONFIGURATION",
    `There is no ${missing} in ${SETTINGS_PATH}, channels/ or modules/. Name a file or folder that exists.`,
  );
}

/** Fixes problems that have only one solution. Returns whether it fixed any. */
async function fixFiles(
  { result, context }: Checked,
  head: Source,
  ports: CheckPorts,
  output: Output,
  run: Run,
): Promise<boolean> {
  const paths = new Set(result.findings.filter(isMechanical).map(({ file }) => file));
  if (paths.size === 0) return false;
  const { files } = await head.snapshot((path) => paths.has(path), run);
  const fixes = findingFixes(context, result.findings, files);
  await ports.writeRepository(new Map(fixes.map(({ path, text }) => [path, text])), run);
  for (const { path } of fixes) output.say(`fixed ${path}`);
  if (fixes.length > 0) output.say(`${counted(fixes.length, "file")} fixed; remaining problems:`);
  return fixes.length > 0;
}
