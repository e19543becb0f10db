import type { Catalogue } from "../../catalogue/catalogue.ts";
import { compile, compileTemplate, type CompileTarget } from "../../catalogue/compile.ts";
import { servedModules, versionKey } from "../../catalogue/lookup.ts";
import { MODULE_FILES } from "../../catalogue/history/moduleHistory.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { Fault, type Clock, type History, type Run } from "../../ports.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { lookUpAll, placed } from "../known.ts";
import { holdOn, type HeldByDecrease } from "../plan/gate.ts";
import { entryKey } from "../plan/records.ts";
import {
  completeBase,
  historicEntries,
  lackingEntries,
  NOTHING_RENDERED,
  renderedBase,
  type Base,
  type BaseEntry,
  type EntryPlace,
} from "./base.ts";
import { baseDoubts, isSettings } from "./doubts.ts";
import type { RenderInput } from "./input.ts";
import { type ReadHistories, readWholeHistories } from "../../reading/histories.ts";

/** The source of the previous rendering. */
export type BaseSource = RenderedFiles | OtherSource;

/** The rendered files. */
interface RenderedFiles {
  readonly kind: "files";
  readonly folder: string;
  /** Path below the folder of the landscape to content. */
  readonly files: ReadonlyMap<string, Uint8Array | undefined>;
  /** The keys of entries that were never rendered. */
  readonly waiting: readonly string[];
  /** The source of entries whose files are missing. */
  readonly otherwise: OtherSource;
}

/** A source without rendered files. */
export type OtherSource =
  /** There was none. */
  | { readonly kind: "first" }
  /** The rendered commit. */
  | { readonly kind: "commit"; readonly commit: string; readonly catalogue: Catalogue }
  /** Unknown; only the history of the repository is left. */
  | { readonly kind: "history" };

/** A request for a rendering. */
interface RenderRequest {
  readonly catalogue: Catalogue;
  readonly landscape: Landscape;
  readonly target: CompileTarget;
  readonly base: BaseSource;
  /** Whether entries that the repository no longer has are left out, and how many at most. */
  readonly prune: boolean;
  readonly maxPrune: number | undefined;
}

/** The ports of a rendering. It needs neither a control plane nor a registry. */
export interface RenderWorld {
  readonly history: History;
  readonly clock: Pick<Clock, "nowMs">;
  /** The versions of these modules from which a channel went down by hand, from the history. */
  decreases(modules: readonly string[], run: Run): Promise<readonly HeldByDecrease[]>;
}

/** The compile target of a landscape, without its control plane. Throws CONFIGURATION if the settings say `auto`. */
export function renderTarget({ name, namespace, lifecycleManager }: Landscape): CompileTarget {
  if (lifecycleManager !== "auto") return { landscape: name, namespace, generation: lifecycleManager };
  throw new Fault(
    "CONFIGURATION",
    `render does not contact control planes, so it cannot detect the generation of lifecycle-manager. Set lifecycleManager: version-templates (1.8 and later) or channel-templates (up to 1.7) for ${name} in kyma-modules.yaml.`,
  );
}

/**
 * Gathers the input of a rendering. Throws HISTORY_TOO_SHALLOW, and CONFIGURATION for files that render did not write.
 */
export async function gatherRendering(
  { base: source, target, ...request }: RenderRequest,
  world: RenderWorld,
  run: Run,
): Promise<RenderInput> {
  const { catalogue } = request;
  const desired = compile(catalogue, target);
  const [base, decreases] = await Promise.all([
    readBase(source, { catalogue, desired }, world, run),
    world.decreases(servedModules(catalogue), run),
  ]);
  const found = await withTemplates(base, { catalogue, desired }, world, run);
  return { ...request, desired, base: found, decreases, nowMs: world.clock.nowMs() };
}

/** Looks up the templates whose rendered files are lost, or whose text the history does not tell. */
async function withTemplates(
  base: Base,
  { catalogue, desired: { target } }: BaseContext,
  { history }: RenderWorld,
  run: Run,
): Promise<Base> {
  const lost = [...base.entries.values()].filter(({ template }) => template === undefined);
  const templates = await lookUpAll(catalogue, lost, history, run);
  const compiled = (entry: BaseEntry): KubernetesObject | undefined => {
    const template = templates.get(versionKey(entry));
    return template && compileTemplate(placed(template, entry.channel), target, entry.mandatory);
  };
  const entries = lost.map((entry) => [entryKey(entry), { ...entry, template: compiled(entry) }] as const);
  return { ...base, entries: new Map([...base.entries, ...entries]) };
}

type BaseContext = Pick<RenderInput, "catalogue" | "desired">;

async function readBase(source: BaseSource, context: BaseContext, world: RenderWorld, run: Run): Promise<Base> {
  if (source.kind !== "files") return readOther(source, context, world, run);
  const { folder, otherwise } = source;
  const base = renderedBase(source.files, context.desired);
  if (typeof base === "string") {
    const remedy = "Restore it, or name another folder: --output DIR.";
    throw new Fault("CONFIGURATION", `${folder}/${base} differs from what render wrote. ${remedy}`);
  }
  const lacking = lackingEntries(base, source.waiting, context.desired);
  if (lacking.entries.length > 0) return completeBase(base, await readOther(otherwise, context, world, run), lacking);
  if (otherwise.kind === "history") return base;
  throw new Fault("CONFIGURATION", `${folder} holds the last rendering. Omit --base and --first.`);
}

async function readOther(
  source: OtherSource,
  { catalogue, desired }: BaseContext,
  { history }: RenderWorld,
  run: Run,
): Promise<Base> {
  const { target } = desired;
  switch (source.kind) {
    case "first":
      return NOTHING_RENDERED;
    case "commit": {
      const { dated, histories } = await readRendered(source.commit, history, run);
      // By the time of the commit: a hold that ended since may have been in force at the rendering.
      const nowMs = Number(dated.revisions.at(-1)?.atMs);
      const held = { catalogue: source.catalogue, decreases: [], nowMs };
      // A held version stays where it was rendered before, and is rendered nowhere else.
      const isRendered = (entry: EntryPlace & Pick<BaseEntry, "version">): boolean => holdOn(entry, held) === undefined;
      const entries = historicEntries(histories, [catalogue, source.catalogue], { target, isRendered });
      return { entries, terms: compile(source.catalogue, target).terms, doubts: new Map() };
    }
    case "history": {
      const { dated, histories } = await readRendered(catalogue.revision ?? "HEAD", history, run);
      const entries = historicEntries(histories, [catalogue], { target, isRendered: () => false });
      return { entries, terms: new Map(), doubts: baseDoubts(dated.changes, histories, desired, catalogue.channels) };
    }
  }
}

function readRendered(revision: string, history: History, run: Run): Promise<ReadHistories> {
  const wants = (path: string): boolean => MODULE_FILES.wants(path) || isSettings(path);
  return readWholeHistories({ revision, scope: { ...MODULE_FILES, wants } }, history, run);
}
