import type { BumpedFile, BumpOrigin, BumpTarget } from "../../catalogue/bump.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { unknownChannelText } from "../../catalogue/lookup.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { cataloguePlace } from "../../catalogue/paths.ts";
import { foreignText } from "../../catalogue/proposalBranch.ts";
import { canonicalHash } from "../../document/canonical.ts";
import { linkText, shortCommit } from "../../document/printable.ts";
import { shellCommand } from "../../document/shellWord.ts";
import { fileText, MAX_FILE_BYTES } from "../../document/snapshot.ts";
import {
  Fault,
  type BranchContent,
  type Forge,
  type ForgeView,
  type Links,
  type NamedFiles,
  type Proposal,
  type Run,
  type Source,
} from "../../ports.ts";
import { isSameTexts } from "../../document/texts.ts";
import { propose, type Proposed } from "../change.ts";
import { isPolicyBroken } from "../context.ts";
import { servedFile } from "../draft.ts";
import type { DecisionWorld, Unreadable } from "../gather.ts";
import { lookUpTemplate } from "../../reading/template.ts";
import { isReplaceable } from "../proposed.ts";
import { bumpBody, type GateSummary } from "./body.ts";
import { catalogueAt } from "../../reading/catalogue.ts";

/** A team's request: a version in a channel, on a branch of this clone or as a pull request. */
interface BumpRequest extends BumpTarget {
  /** A file or an https address; undefined: looked up in the repository. */
  readonly template?: string | undefined;
  /** The branch to commit to; undefined: named after the bump. */
  readonly branch?: string | undefined;
  /** The revision that a new branch starts from; undefined: HEAD. */
  readonly base?: string | undefined;
  /** Whether to open a pull request on the repository's forge instead of a local branch. */
  readonly pullRequest: boolean;
}

/** Ports that a bump needs. */
export interface BumpWorld extends Pick<DecisionWorld, "history" | "resolve" | "source" | "openForge"> {
  /** The sources of templates beside the repository. Links are opened only to fetch a template. */
  readonly namedFiles: NamedFiles;
  /** Downloads a template that is named by its address. */
  readonly links: () => Promise<Links>;
  /**
   * The branches of the clone, where the proposal on `branch` starts from the commit `base`. Throws CONFIGURATION for
   * an invalid branch name.
   */
  openBranches(branch: string, base: string, run: Run): Promise<Forge>;
}

/** A bump that is ready to be judged and proposed. */
export interface PreparedBump {
  readonly kind: "prepared";
  readonly target: BumpTarget;
  readonly file: BumpedFile;
  /** The source of its template, for people. */
  readonly origin: string;
  /** The channel file of the base; `undefined` if there is none. */
  readonly before: string | undefined;
  readonly branch: string;
  /** The current proposal on the branch. */
  readonly known: Proposal | undefined;
  /** The commit that it is judged against, and that a new branch starts from. */
  readonly base: string;
  readonly forge: Forge;
  readonly view: ForgeView;
}

/**
 * Makes the channel file of a version, without writing anything. Throws CONFIGURATION for an unknown channel or
 * template, and if another person's work is on the branch; REVISION_UNKNOWN.
 */
export async function prepareBump(
  request: BumpRequest,
  world: BumpWorld,
  run: Run,
): Promise<PreparedBump | Unreadable> {
  const { module, version, channel } = request;
  const target = { module, version, channel };
  const branch = request.branch ?? bumpTargetBranch(target);
  const place = request.pullRequest
    ? await openPulls(target, branch, world, run)
    : await openBranches(branch, request.base, world, run);
  const { base } = place.view;
  const source = world.source(base);
  const catalogue = await readModule(source, module, run);
  if (isPolicyBroken(catalogue, channel)) return { kind: "unreadable", revision: base, findings: catalogue.findings };
  if (!catalogue.channels.has(channel))
    throw new Fault("CONFIGURATION", unknownChannelText(channel, catalogue.channels.keys()));
  const origin = await readOrigin(request.template, target, { catalogue, base, world }, run);
  const file = servedFile(target, version, origin);
  const { files } = await source.snapshot((path) => path === file.path, run);
  const before = fileText(files.get(file.path));
  const known = place.view.proposals.find((proposal) => proposal.branch === branch);
  if (before !== file.text && known !== undefined) refuseOccupied(file, known, base);
  return { kind: "prepared", target, file, origin: origin.name, before, branch, known, base, ...place };
}

function bumpTargetBranch({ module, version, channel }: BumpTarget): string {
  return `bump/${channel}/${module}-${version}`;
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
 * The pull requests of the repository's forge. A bump is judged against the forge's base branch, not against the state
 * of a clone.
 */
async function openPulls({ module }: BumpTarget, branch: string, world: BumpWorld, run: Run): Promise<BumpPlace> {
  const head = world.source(await world.resolve("HEAD", run));
  const settings = (await readModule(head, module, run)).settings.forge;
  const forge = settings.kind === "none" ? undefined : await world.openForge(settings, run);
  if (forge === undefined) {
    const remedy = "Remove --pull-request to commit to a local branch, or name a forge: forge: { kind: github, … }.";
    throw new Fault("CONFIGURATION", `kyma-modules.yaml names no forge for pull requests. ${remedy}`);
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
    const message = `The forge's base branch is at ${shortCommit(base)}, which this clone lacks: git fetch, then run the command again.`;
    throw new Fault("REVISION_UNKNOWN", message, { cause, retry: true });
  }
}

/** The catalogue of a commit with one module and all channels. */
async function readModule(source: Source, module: ModuleName, run: Run): Promise<Catalogue> {
  const { readable } = await catalogueAt(source, run, (path) => {
    const place = cataloguePlace(path);
    return place !== undefined && (!("module" in place) || place.module === module);
  });
  return readable;
}

/** The known facts before the search for a template. */
interface OriginContext {
  readonly catalogue: Catalogue;
  /** The commit of the catalogue. */
  readonly base: string;
  readonly world: BumpWorld;
}

/**
 * The template of a version: from the file or the address `name`, else from the repository. Throws CONFIGURATION if
 * there is none.
 */
async function readOrigin(
  name: string | undefined,
  target: BumpTarget,
  known: OriginContext,
  run: Run,
): Promise<BumpOrigin> {
  if (name === undefined) return lookUp(target, known, run);
  if (name.includes("://"))
    return { name: linkText(name), content: await download(name, await known.world.links(), run) };
  return known.world.namedFiles.readOne(name, run);
}

async function download(url: string, links: Links, run: Run): Promise<Uint8Array> {
  const content = await links.download(url, MAX_FILE_BYTES, run);
  if (content !== undefined) return content;
  throw new Fault("CONFIGURATION", `There is nothing at ${linkText(url)}. Correct --template.`);
}

async function lookUp(target: BumpTarget, { catalogue, base, world }: OriginContext, run: Run): Promise<BumpOrigin> {
  const { module, version } = target;
  const found = await lookUpTemplate(target, { catalogue, revision: base, history: world.history }, run);
  if (found !== undefined) {
    const { file } = found.template;
    return { name: `${file.path}${found.isHistoric ? " in history" : ""}`, content: Buffer.from(file.text) };
  }
  throw new Fault(
    "CONFIGURATION",
    `No channel ever served ${module} ${version}, and ${shortCommit(base)} has no modules/${module}/${version}/template.yaml. Name a template: --template FILE|URL.`,
  );
}

function refuseOccupied(
  { path, text }: BumpedFile,
  { branch, tip, pull, content, checkout }: Proposal,
  base: string,
): void {
  const isDone = content.others.length === 0 && isSameTexts(content.files, new Map([[path, text]]));
  if (!isDone && !isReplaceable(content, new Set([path]))) {
    // An update replaces the current proposal of the branch.
    if (content.isMarked && content.others.length === 0)
      throw new Fault("CONFIGURATION", `The branch ${branch} proposes something else. Name another: --branch NAME.`);
    const place = pull === undefined ? branch : `${branch} (${pull.url})`;
    const remedy =
      pull === undefined
        ? shellCommand`Look at it (git log ${shortCommit(base)}..${branch}), then remove it (git branch -D ${branch}) or name another: --branch NAME.`
        : "Merge the pull request, or close it and delete the branch; then run the command again.";
    const message = `Someone else committed to the branch ${place}: ${foreignText(tip, content)}. It is left as it is. ${remedy}`;
    throw new Fault("CONFIGURATION", message);
  }
  if (checkout !== undefined)
    throw new Fault(
      "CONFIGURATION",
      `${checkout} has the branch ${branch} checked out, and its files would look changed. Switch away (git switch -) or name another: --branch NAME.`,
    );
}

/** Proposes a bump that passed the gate. Throws what the forge throws. */
export function proposeBump(bump: PreparedBump, gate: GateSummary, run: Run): Promise<Proposed> {
  const { target, file, before, branch, known, base, forge, view } = bump;
  const files = new Map([[file.path, file.text]]);
  const { module, version, channel } = target;
  const title = `Bump ${module} to ${version} in ${channel}`;
  const draft = {
    ...{ branch, base, files, title },
    message: `${title}\n`,
    body: bumpBody(bump, gate),
    // The result of the gate is not part of it: the checks of the pull request repeat it. What the base serves is: when
    // that changes, the branch must be rebuilt on it, or cannot be merged.
    digest: `bump:${channel}/${module}@${version}:${canonicalHash({ files: [...files], title, before: before ?? null })}`,
    mayReplace: (content: BranchContent) => isReplaceable(content, new Set([file.path])),
    // CODEOWNERS requests the reviews.
    reviewers: [],
    isUrgent: false,
    isAsked: true,
  };
  return propose(draft, known, { forge, view }, run);
}
