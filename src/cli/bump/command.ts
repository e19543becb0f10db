import { bumpFile, type BumpedFile, type BumpTarget } from "../../catalogue/bump.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { counted } from "../../document/counted.ts";
import { inputsFolder } from "../../catalogue/inputs.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { parse } from "../../catalogue/parse.ts";
import { placeOf } from "../../catalogue/paths.ts";
import { check } from "../../check/check.ts";
import { overlay } from "../../check/overlay.ts";
import { Fault, type Run, type Source } from "../../ports.ts";
import { readOrigin } from "./origin.ts";
import { branchOf, openBranch, type BumpPlace, type CarryOut, type PlannedBump } from "./place.ts";
import { openPullRequest } from "./pullRequest.ts";
import type { BumpPorts } from "../compose/bump.ts";
import { isPolicyBroken } from "../../promote/context.ts";
import { readChannel, readModuleAtVersion } from "../arguments.ts";
import { refuseNoCatalogue } from "../loadCatalogue.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { printBump, type BumpOutcome } from "./report.ts";
import { sayFindings } from "../terminal/findings.ts";
import { reportFacts } from "../check/facts.ts";
import type { CheckReport } from "../check/report.ts";

/** The arguments of `bump`. */
export interface BumpArguments {
  /** `MODULE@VERSION`. */
  readonly subject: string;
  readonly channel: string;
  /** A file or an https address; what the repository knows of the version when undefined. */
  readonly template?: string | undefined;
  /** The branch to commit to; named after the bump when undefined. */
  readonly branch?: string | undefined;
  /** The revision that a new branch starts from. */
  readonly base?: string | undefined;
  /** On the forge, in place of a local branch. */
  readonly pullRequest: boolean;
  readonly offline: boolean;
  readonly dryRun: boolean;
  /** The version of this program. */
  readonly version: string;
}

/**
 * `kyma-modules bump`: a channel file with another version, judged, on a branch or as a pull request. Gives the exit
 * code.
 */
export async function bumpCommand(
  arguments_: BumpArguments,
  ports: BumpPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const startedMs = ports.check.clock.nowMs();
  const target = { ...readModuleAtVersion(arguments_.subject), channel: readChannel(arguments_.channel) };
  const { base, branch, plan } = await openPlace(arguments_, target, ports, run);
  const source = ports.check.openRevision(base);
  const catalogue = await readModule(source, target.module, run);
  if (isPolicyBroken(catalogue, target.channel)) {
    sayFindings(catalogue.findings, output);
    return EXIT.findings;
  }
  refuseUnknownChannel(target, catalogue);
  const origin = await readOrigin(arguments_.template, target, { catalogue, base, ports }, run);
  const file = bumpFile(target, origin);
  if (file.kind === "refused") throw new Fault("CONFIGURATION", `${origin.name} cannot be served: ${file.why}`);
  const before = await textAt(source, file.path, run);
  const subject = `Bump ${target.module} to ${target.version} in ${target.channel}`;
  const change = { branch, base, path: file.path, text: file.text, subject };
  const bump = { target, file, origin: origin.name, change };
  const decidedAt = ports.check.clock.nowMs();
  if (before === file.text) return printBump({ ...bump, outcome: { kind: "served" } }, { decidedAt }, output);
  const carryOut = await plan({ ...bump, before }, run);
  const report = await judge({ file, version: arguments_.version, startedMs, base: source }, ports, arguments_, run);
  const outcome = await outcomeOf(report, { ...arguments_, bump: { ...bump, before }, ports, carryOut }, run);
  printBump({ ...bump, outcome }, { decidedAt: report.facts.decidedAt, report }, output);
  await sayLeftOut(target, ports, output, run);
  return outcome.kind === "refused" ? EXIT.findings : EXIT.fine;
}

/** What lies in the folder of the version and is not committed was not judged, and is not part of the change. */
async function sayLeftOut(target: BumpTarget, ports: BumpPorts, output: Output, run: Run): Promise<void> {
  const folder = inputsFolder(target.module, target.version);
  const left = (await ports.check.uncommitted(run)).filter((path) => path.startsWith(folder));
  if (left.length === 0) return;
  const [are, them] = left.length === 1 ? ["is", "it"] : ["are", "them"];
  output.say(
    `not part of it, nor judged: ${counted(left.length, "file")} in ${folder} that ${are} not committed. Commit ${them}, then run the command again.`,
  );
}

async function openPlace(
  { pullRequest, branch, base = "HEAD" }: BumpArguments,
  target: BumpTarget,
  ports: BumpPorts,
  run: Run,
): Promise<BumpPlace> {
  if (!pullRequest) return openBranch({ branch: branch ?? branchOf(target), base }, ports, run);
  const head = ports.check.openRevision(await ports.resolve("HEAD", run));
  const { settings } = await readModule(head, target.module, run);
  return openPullRequest(target, settings.forge, ports, run);
}

/** What a commit says of one module, and all channels. Throws CONFIGURATION where there is no catalogue. */
async function readModule(source: Source, module: ModuleName, run: Run): Promise<Catalogue> {
  const { revision, files } = await source.snapshot((path) => {
    const place = placeOf(path);
    return place !== undefined && (!("module" in place) || place.module === module);
  }, run);
  const parsing = parse(revision, files);
  if (parsing.kind === "catalogue") return parsing.catalogue;
  refuseNoCatalogue(parsing.findings);
  return parsing.readable;
}

function refuseUnknownChannel({ channel }: BumpTarget, { channels }: Catalogue): void {
  if (channels.has(channel)) return;
  throw new Fault(
    "CONFIGURATION",
    `There is no channel ${channel}; there is ${[...channels.keys()].join(", ") || "none"}.`,
  );
}

async function textAt(source: Source, path: string, run: Run): Promise<string | undefined> {
  const { files } = await source.snapshot((candidate) => candidate === path, run);
  const file = files.get(path);
  return file?.kind === "bytes" ? Buffer.from(file.bytes).toString() : undefined;
}

interface JudgedBump {
  readonly file: BumpedFile;
  readonly version: string;
  readonly startedMs: number;
  readonly base: Source;
}

/** The gate: what `check` would say, had the file been written. */
async function judge(
  { file, version, startedMs, base }: JudgedBump,
  ports: BumpPorts,
  { offline }: BumpArguments,
  run: Run,
): Promise<CheckReport> {
  const head = overlay(base, new Map([[file.path, file.text]]));
  const people = { author: undefined, approvedBy: [], teams: new Map<string, readonly string[]>() };
  const world = await ports.check.openWorld({ offline, server: undefined }, run);
  try {
    const { result } = await check({ head, base, paths: [file.path], people }, world, run);
    const circumstances = { version, startedMs, loose: false };
    return { result, facts: await reportFacts(result, head, circumstances, ports.check, run) };
  } finally {
    await world.close();
  }
}

interface Acting extends Pick<BumpArguments, "dryRun"> {
  readonly bump: PlannedBump;
  readonly ports: BumpPorts;
  readonly carryOut: CarryOut;
}

async function outcomeOf(
  report: CheckReport,
  { dryRun, bump: { file, before }, ports, carryOut }: Acting,
  run: Run,
): Promise<BumpOutcome> {
  if (report.result.findings.some(({ severity }) => severity === "error")) return { kind: "refused" };
  if (dryRun) return { kind: "planned", diff: await ports.diff(file.path, before, file.text, run) };
  return carryOut(report, run);
}
