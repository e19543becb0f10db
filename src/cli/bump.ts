import { bumpFile, type BumpedFile, type BumpOrigin, type BumpTarget } from "../catalogue/bump.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { historicPaths, lookUpAtHead, lookUpInHistory } from "../catalogue/lookup.ts";
import { parseModuleName, parseChannelName, type ModuleName } from "../catalogue/names.ts";
import { parse } from "../catalogue/parse.ts";
import { placeOf } from "../catalogue/paths.ts";
import { MAX_FILE_BYTES } from "../catalogue/snapshot.ts";
import type { Template } from "../catalogue/template.ts";
import { parseVersion, VERSION_RULE } from "../catalogue/version.ts";
import { check } from "../check/check.ts";
import { overlay } from "../check/overlay.ts";
import { Fault, type Links, type Run, type Source } from "../ports.ts";
import type { BranchChange, BranchPlan, BumpPorts } from "./compose.ts";
import { EXIT, type Output } from "./output.ts";
import { printBump, type Bump } from "./reportBump.ts";
import { reportFacts } from "./reportFacts.ts";
import type { CheckReport } from "./reportCheck.ts";

/** The arguments of `bump`. */
export interface BumpArguments {
  /** `MODULE@VERSION`. */
  readonly subject: string;
  readonly channel: string;
  /** A file or an https address; what the repository knows of the version when undefined. */
  readonly template: string | undefined;
  /** The branch to commit to; named after the bump when undefined. */
  readonly branch: string | undefined;
  /** The revision that a new branch starts from. */
  readonly base: string | undefined;
  readonly offline: boolean;
  readonly dryRun: boolean;
  /** The version of this program. */
  readonly version: string;
}

/** `kyma-modules bump`: a channel file with another version, judged, on a branch. Gives the exit code. */
export async function bumpCommand(
  arguments_: BumpArguments,
  ports: BumpPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const startedMs = ports.check.clock.nowMs();
  const base = await ports.resolve(arguments_.base ?? "HEAD", run);
  const source = ports.check.openRevision(base);
  const target = readTarget(arguments_);
  const catalogue = await readModule(source, target.module, run);
  refuseUnknownChannel(target, catalogue);
  const origin = await readOrigin(arguments_.template, target, { catalogue, base, ports }, run);
  const file = bumpFile(target, origin);
  if (file.kind === "refused") throw new Fault("CONFIGURATION", `${origin.name} cannot be served: ${file.why}`);
  const before = await textAt(source, file.path, run);
  const change = changeOf(arguments_.branch, base, target, file);
  const bump = { target, file, origin: origin.name, change };
  const decidedAt = ports.check.clock.nowMs();
  if (before === file.text) return printBump({ ...bump, outcome: { kind: "served" } }, { decidedAt }, output);
  const plan = await ports.planBranch(change, run);
  const feasible = refuseOccupied(plan, change);
  const report = await judge({ ...bump, version: arguments_.version, startedMs, base: source }, ports, arguments_, run);
  const outcome = await act(feasible, report, { ...arguments_, before, bump, ports }, run);
  printBump({ ...bump, outcome }, { decidedAt: report.facts.decidedAt, report }, output);
  return outcome.kind === "refused" ? EXIT.findings : EXIT.fine;
}

function readTarget({ subject, channel }: BumpArguments): BumpTarget {
  const [name = "", text = "", ...rest] = subject.split("@");
  const [module, version, channelName] = [parseModuleName(name), parseVersion(text), parseChannelName(channel)];
  if (module === undefined || version === undefined || rest.length > 0) {
    throw new Fault("CONFIGURATION", `${subject} is no MODULE@VERSION. A version is ${VERSION_RULE}.`);
  }
  if (channelName === undefined) throw new Fault("CONFIGURATION", `${channel} is no name of a channel.`);
  return { module, version, channel: channelName };
}

/** What a commit says of one module, and all channels. */
async function readModule(source: Source, module: ModuleName, run: Run): Promise<Catalogue> {
  const { revision, files } = await source.snapshot((path) => {
    const place = placeOf(path);
    return place !== undefined && (!("module" in place) || place.module === module);
  }, run);
  const parsing = parse(revision, files);
  return parsing.kind === "refused" ? parsing.readable : parsing.catalogue;
}

function refuseUnknownChannel({ channel }: BumpTarget, { channels }: Catalogue): void {
  if (channels.has(channel)) return;
  throw new Fault(
    "CONFIGURATION",
    `There is no channel ${channel} whose policy can be read; there is ${[...channels.keys()].join(", ")}. Correct --channel or channels/${channel}.yaml.`,
  );
}

interface Known {
  readonly catalogue: Catalogue;
  readonly base: string;
  readonly ports: BumpPorts;
}

async function readOrigin(name: string | undefined, target: BumpTarget, known: Known, run: Run): Promise<BumpOrigin> {
  if (name === undefined) return lookUp(target, known, run);
  if (name.includes("://")) return { name, content: await download(name, known.ports.links, run) };
  const files = await known.ports.check.readNamedFiles([name], run);
  const [file, ...others] = files;
  if (file === undefined || others.length > 0)
    throw new Fault("CONFIGURATION", `${name} is a folder with ${files.length} files. Name the template itself.`);
  return file;
}

async function download(url: string, links: Links, run: Run): Promise<Uint8Array> {
  const content = await links.download(url, MAX_FILE_BYTES, run);
  if (content !== undefined) return content;
  throw new Fault("CONFIGURATION", `There is nothing at ${url}. Correct --template.`);
}

async function lookUp(target: BumpTarget, { catalogue, base, ports }: Known, run: Run): Promise<BumpOrigin> {
  const { module, version } = target;
  const atHead = lookUpAtHead(catalogue, module, version);
  if (atHead !== undefined) return originOf(atHead, "");
  const find = (files: Parameters<typeof lookUpInHistory>[0]): Template | undefined =>
    lookUpInHistory(files, module, version);
  const history = ports.history(base);
  const files = await history.contentsOf(historicPaths(catalogue, module), (known) => find(known) !== undefined, run);
  const found = find(files);
  if (found !== undefined) return originOf(found, " in history");
  throw new Fault(
    "CONFIGURATION",
    `No channel ever served ${module} ${version}, and ${base.slice(0, 10)} has no modules/${module}/${version}/template.yaml. Name a template: --template FILE|URL.`,
  );
}

function originOf({ file }: Template, where: string): BumpOrigin {
  return { name: `${file.path}${where}`, content: Buffer.from(file.text) };
}

async function textAt(source: Source, path: string, run: Run): Promise<string | undefined> {
  const { files } = await source.snapshot((candidate) => candidate === path, run);
  const file = files.get(path);
  return file?.kind === "bytes" ? Buffer.from(file.bytes).toString() : undefined;
}

function changeOf(
  branch: string | undefined,
  base: string,
  { module, version, channel }: BumpTarget,
  { path, text }: BumpedFile,
): BranchChange {
  const subject = `Bump ${module} to ${version} in ${channel}`;
  return { branch: branch ?? `bump/${channel}/${module}-${version}`, base, path, text, subject };
}

type FeasiblePlan = Extract<BranchPlan, { kind: "create" | "extend" | "unchanged" }>;

function refuseOccupied(plan: BranchPlan, { branch, base }: BranchChange): FeasiblePlan {
  switch (plan.kind) {
    case "foreign":
      throw new Fault(
        "CONFIGURATION",
        `The branch ${branch} has commits of somebody else ("${plan.subject}") and is left as it is. ` +
          `Look at them (git log ${base.slice(0, 10)}..${branch}), then name another branch (--branch NAME) or remove this one (git branch -D ${branch}).`,
      );
    case "checked-out":
      throw new Fault(
        "CONFIGURATION",
        `${plan.folder} stands on the branch ${branch}, whose files would look changed. Switch away (git switch -) or name another: --branch NAME.`,
      );
    case "create":
    case "extend":
    case "unchanged":
      return plan;
  }
}

interface Judged {
  readonly file: BumpedFile;
  readonly version: string;
  readonly startedMs: number;
  readonly base: Source;
}

/** The gate: what `check` would say, had the file been written. */
async function judge(
  { file, version, startedMs, base }: Judged,
  ports: BumpPorts,
  { offline }: BumpArguments,
  run: Run,
): Promise<CheckReport> {
  const head = overlay(base, file.path, file.text);
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

interface Acting {
  readonly dryRun: boolean;
  readonly before: string | undefined;
  readonly bump: Omit<Bump, "outcome">;
  readonly ports: BumpPorts;
}

async function act(
  plan: FeasiblePlan,
  { result }: CheckReport,
  { dryRun, before, bump, ports }: Acting,
  run: Run,
): Promise<Bump["outcome"]> {
  if (result.findings.some(({ severity }) => severity === "error")) return { kind: "refused" };
  if (dryRun) return { kind: "planned", diff: await ports.diff(bump.file.path, before, bump.file.text, run) };
  if (plan.kind === "unchanged") return { kind: "unchanged", commit: plan.tip };
  const commit = await ports.commit(bump.change, plan, run);
  return { kind: plan.kind === "create" ? "created" : "extended", commit };
}
