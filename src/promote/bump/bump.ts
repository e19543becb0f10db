import type { BumpedFile, BumpTarget } from "../../catalogue/bump.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { parse } from "../../catalogue/parse.ts";
import { placeOf } from "../../catalogue/paths.ts";
import { hashOf } from "../../document/canonical.ts";
import { fileText } from "../../document/snapshot.ts";
import { Fault, type Forge, type ForgeView, type Proposal, type Run, type Source } from "../../ports.ts";
import { propose, type Proposed } from "../change.ts";
import { isPolicyBroken } from "../context.ts";
import { servedFile } from "../draft.ts";
import type { DecisionWorld, Unreadable } from "../gather.ts";
import { bumpBody, type GateSummary } from "./body.ts";
import { readOrigin, type OriginWorld } from "./origin.ts";

/** What a team asks for: a version in a channel, on a branch of this clone or as a pull request. */
export interface BumpRequest extends BumpTarget {
  /** A file or an https address; what the repository knows of the version when undefined. */
  readonly template?: string | undefined;
  /** The branch to commit to; named after the bump when undefined. */
  readonly branch?: string | undefined;
  /** The revision that a new branch starts from; HEAD when undefined. */
  readonly base?: string | undefined;
  /** On the forge that the repository names, in place of a local branch. */
  readonly pullRequest: boolean;
}

/** What a bump asks of the world. */
export interface BumpWorld extends OriginWorld, Pick<DecisionWorld, "resolve" | "source" | "openForge"> {
  /**
   * The branches of the clone, where the proposal on `branch` starts from the commit `base`. Throws CONFIGURATION for what
   * is not a branch name.
   */
  openBranches(branch: string, base: string, run: Run): Promise<Forge>;
}

/** A bump that can be judged, and proposed. */
export interface PreparedBump {
  readonly kind: "prepared";
  readonly target: BumpTarget;
  readonly file: BumpedFile;
  /** What it was made from, for people. */
  readonly origin: string;
  /** The channel file of the base; `undefined` when there is none. */
  readonly before: string | undefined;
  readonly branch: string;
  /** What the branch proposes by now. */
  readonly known: Proposal | undefined;
  /** The commit that it is judged against, and that a new branch starts from. */
  readonly base: string;
  readonly forge: Forge;
  readonly view: ForgeView;
}

/**
 * Makes the channel file of a version. Nothing is written yet. Throws CONFIGURATION for a channel or a template that is
 * not there, and where another person's work stands on the branch; REVISION_UNKNOWN.
 */
export async function prepareBump(
  request: BumpRequest,
  world: BumpWorld,
  run: Run,
): Promise<PreparedBump | Unreadable> {
  const { module, version, channel } = request;
  const target = { module, version, channel };
  const branch = request.branch ?? branchOf(target);
  const place = request.pullRequest
    ? await openPulls(target, branch, world, run)
    : await openBranches(branch, request.base, world, run);
  const { base } = place.view;
  const source = world.source(base);
  const catalogue = await readModule(source, module, run);
  if (isPolicyBroken(catalogue, channel)) return { kind: "unreadable", revision: base, findings: catalogue.findings };
  refuseUnknownChannel(target, catalogue);
  const origin = await readOrigin(request.template, target, { catalogue, base, world }, run);
  const file = servedFile(target, version, origin);
  const before = await textAt(source, file.path, run);
  const known = place.view.proposals.find((proposal) => proposal.branch === branch);
  if (before !== file.text && known !== undefined) refuseOccupied(target, known, base);
  return { kind: "prepared", target, file, origin: origin.name, before, branch, known, base, ...place };
}

function branchOf({ module, version, channel }: BumpTarget): string {
  return `bump/${channel}/${module}-${version}`;
}

/** What the digest of every bump of the module in the channel begins with. */
function digestStart({ module, channel }: BumpTarget): string {
  return `bump:${channel}/${module}@`;
}

interface BumpPlace {
  readonly forge: Forge;
  readonly view: ForgeView;
}

async function openBranches(branch: string, base = "HEAD", world: BumpWorld, run: Run): Promise<BumpPlace> {
  const forge = await world.openBranches(branch, await world.resolve(base, run), run);
  return { forge, view: await forge.look([branch], run) };
}

/**
 * The pull requests of the forge that the repository names. A bump is judged against the forge's base branch, not against
 * what a clone of it happens to have.
 */
async function openPulls({ module }: BumpTarget, branch: string, world: BumpWorld, run: Run): Promise<BumpPlace> {
  const head = world.source(await world.resolve("HEAD", run));
  const settings = (await readModule(head, module, run)).settings.forge;
  const forge = settings.kind === "none" ? undefined : await world.openForge(settings, run);
  if (forge === undefined) {
    const remedy = "Leave --pull-request out for a commit on a local branch, or name one: forge: { kind: github, … }.";
    throw new Fault("CONFIGURATION", `kyma-modules.yaml names no forge that could have a pull request. ${remedy}`);
  }
  const view = await forge.look([branch], run);
  await requireCommit(view.base, world, run);
  return { forge, view };
}

async function requireCommit(base: string, world: BumpWorld, run: Run): Promise<void> {
  try {
    await world.resolve(base, run);
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== "REVISION_UNKNOWN") throw cause;
    const message = `The forge's base branch is at ${base.slice(0, 10)}, which this clone lacks: git fetch, then run it again.`;
    throw new Fault("REVISION_UNKNOWN", message, { cause, retry: true });
  }
}

/** What a commit says of one module, and all channels. */
async function readModule(source: Source, module: ModuleName, run: Run): Promise<Catalogue> {
  const { revision, files } = await source.snapshot((path) => {
    const place = placeOf(path);
    return place !== undefined && (!("module" in place) || place.module === module);
  }, run);
  const parsing = parse(revision, files);
  return parsing.kind === "catalogue" ? parsing.catalogue : parsing.readable;
}

function refuseUnknownChannel({ channel }: BumpTarget, { channels }: Catalogue): void {
  if (channels.has(channel)) return;
  const known = [...channels.keys()].join(", ") || "none";
  throw new Fault("CONFIGURATION", `There is no channel ${channel}; there is ${known}.`);
}

async function textAt(source: Source, path: string, run: Run): Promise<string | undefined> {
  return fileText((await source.snapshot((candidate) => candidate === path, run)).files.get(path));
}

function refuseOccupied(target: BumpTarget, known: Proposal, base: string): void {
  const { branch } = known;
  if (known.digest === undefined)
    throw new Fault("CONFIGURATION", `Someone else committed to the branch ${foreignText(known, base)}`);
  // An update takes the place of what the branch proposes.
  if (branch !== branchOf(target) && !known.digest.startsWith(digestStart(target)))
    throw new Fault("CONFIGURATION", `The branch ${branch} proposes something else. Name another: --branch NAME.`);
  if (known.checkout !== undefined)
    throw new Fault(
      "CONFIGURATION",
      `${known.checkout} stands on the branch ${branch}, whose files would look changed. Switch away (git switch -) or name another: --branch NAME.`,
    );
}

function foreignText({ branch, pull }: Proposal, base: string): string {
  if (pull !== undefined)
    return `${branch} (${pull.url}), which is left as it is. Merge the pull request, or close it and delete the branch; then run it again.`;
  const look = `git log ${base.slice(0, 10)}..${branch}`;
  return `${branch}, which is left as it is. Look at it (${look}), then remove it (git branch -D ${branch}) or name another: --branch NAME.`;
}

/** Proposes a bump that the gate let pass. Throws what the forge throws. */
export function proposeBump(bump: PreparedBump, gate: GateSummary, run: Run): Promise<Proposed> {
  const { target, file, before, branch, known, base, forge, view } = bump;
  const files = new Map([[file.path, file.text]]);
  const title = bumpTitle(target);
  const draft = {
    ...{ branch, base, files, title },
    message: `${title}\n`,
    body: bumpBody(bump, gate),
    // Not what the gate says: the checks of the pull request say it again. What the base serves counts: where that
    // changed, the branch has to be built on it, or cannot be merged.
    digest: `${digestStart(target)}${target.version}:${hashOf({ files: [...files], title, before: before ?? null })}`,
    // CODEOWNERS asks them.
    reviewers: [],
    isUrgent: false,
    isAsked: true,
  };
  return propose(draft, known, { forge, view }, run);
}

function bumpTitle({ module, version, channel }: BumpTarget): string {
  return `Bump ${module} to ${version} in ${channel}`;
}
