import { versionKey } from "../../catalogue/lookup.ts";
import { compileTemplate, type ChannelEntry, type Compilation } from "../../catalogue/compile.ts";
import type { Template } from "../../catalogue/template.ts";
import { compareVersions } from "../../catalogue/version.ts";
import { compareText } from "../../document/order.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { changedTerms, type ModuleTerms } from "../../kubernetes/releaseMeta.ts";
import { placed } from "../known.ts";
import { acceptedKey, gateOf, holdOn, type GateInput } from "../plan/gate.ts";
import { entryKey } from "../plan/records.ts";
import type { Base, BaseEntry, EntryPlace } from "./base.ts";

/** The input of a rendering. */
export interface RenderInput extends Omit<GateInput, "earlier" | "moves"> {
  readonly desired: Compilation;
  readonly base: Base;
  /** The templates of the previous rendering, by `versionKey`, as far as the repository has them. */
  readonly templates: ReadonlyMap<string, Template>;
  /** Whether entries that the repository no longer has are left out. */
  readonly prune: boolean;
}

/** The decision on an entry. */
export type RenderedEntry = EntryPlace &
  (
    | { readonly kind: "current"; readonly version: string; readonly template: KubernetesObject }
    /** It keeps the previously rendered version. */
    | {
        readonly kind: "kept";
        readonly version: string;
        readonly template: KubernetesObject;
        readonly because: string;
      }
    /** It was never rendered, and may not be yet. */
    | { readonly kind: "waiting"; readonly because: string }
    | { readonly kind: "left-out"; readonly version: string }
    | ({ readonly kind: "refused" } & RenderRefusal)
  );

/** Why something is not rendered, and the remedy. */
export interface RenderRefusal {
  readonly because: string;
  readonly remedy: string;
}

/** The decision on a module: either all of its entries are rendered, or none. */
export interface RenderedModule {
  readonly module: string;
  readonly entries: readonly RenderedEntry[];
  readonly terms: ModuleTerms | undefined;
  /** Refusals of the module as a whole. */
  readonly refused: readonly RenderRefusal[];
}

/** Decides what is rendered, module by module. Skips modules whose files contradict one another. */
export function decideRendering(input: RenderInput): readonly RenderedModule[] {
  const { desired, base } = input;
  const wanted = new Set(desired.entries.map(entryKey));
  const entries = [
    ...desired.entries.map((entry) => decideWanted(entry, base.entries.get(entryKey(entry)), input)),
    ...[...base.entries].filter(([key]) => !wanted.has(key)).map(([, before]) => decideGone(before, input)),
  ].filter(({ module }) => !desired.withheld.has(module));
  return [...Map.groupBy(entries, ({ module }) => module)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([module, own]) => {
      const terms = desired.terms.get(module) ?? base.terms.get(module);
      const refused = [...refusedTerms(module, terms, input), ...refusedFlip(own)];
      return { module, entries: own.sort((a, b) => compareText(a.channel, b.channel)), terms, refused };
    });
}

function placeOf({ module, channel, mandatory }: EntryPlace): EntryPlace {
  return { module, channel, mandatory };
}

function decideWanted(wanted: ChannelEntry, before: BaseEntry | undefined, input: RenderInput): RenderedEntry {
  const place = placeOf(wanted);
  const blocker = blockerTo(wanted, before, input);
  if (blocker === undefined) return { ...place, kind: "current", version: wanted.version, template: wanted.template };
  if (before === undefined) return { ...place, kind: "waiting", because: blocker };
  if (before.isKnown || holdOn(before, input) === undefined) return keep(before, blocker, input);
  return { ...place, kind: "refused", because: `${blocker}. ${UNKNOWN}`, remedy: NAME_BASE };
}

const UNKNOWN = "The previous rendering is unknown";
const NAME_BASE =
  "Render into the folder that contains it (--output DIR), name a revision that serves the version that was rendered (--base REV), or declare that it was never rendered (--first).";

/** Why an entry may not move to the wanted version. A version that is already rendered may stay even if it is held. */
function blockerTo(wanted: ChannelEntry, before: BaseEntry | undefined, input: RenderInput): string | undefined {
  if (before !== undefined && compareVersions(wanted.version, before.version) < 0)
    return `${wanted.version} is lower than ${before.version}, which ${before.isKnown ? "was rendered" : "the channel has served"}`;
  if (before?.isKnown === true && before.version === wanted.version) return undefined;
  return holdOn(wanted, input)?.reason;
}

/** Decides on an entry that the repository no longer has. */
function decideGone(before: BaseEntry, input: RenderInput): RenderedEntry {
  const { version, isKnown } = before;
  if (input.prune) return { ...placeOf(before), kind: "left-out", version };
  if (isKnown) return keep(before, "no channel file has it any more; --prune omits it", input);
  const because = `no channel file has it any more, but it once served ${version}. ${UNKNOWN}`;
  return { ...placeOf(before), kind: "refused", because, remedy: `${NAME_BASE} Or omit it: --prune.` };
}

function keep(before: BaseEntry, because: string, { templates, desired }: RenderInput): RenderedEntry {
  const { version, channel, mandatory } = before;
  const place = placeOf(before);
  const found = templates.get(versionKey(before));
  if (found === undefined) {
    const remedy = `Add modules/${before.module}/${version}/template.yaml.`;
    return {
      ...place,
      kind: "refused",
      because: `${because}, but the repository has no template of ${version}`,
      remedy,
    };
  }
  const template = compileTemplate(placed(found, channel), desired.target, mandatory);
  return { ...place, kind: "kept", version, because, template };
}

/** A change of these fields makes lifecycle-manager install or uninstall a module, or install it twice. */
function refusedTerms(module: string, terms: ModuleTerms | undefined, input: RenderInput): readonly RenderRefusal[] {
  const before = input.base.terms.get(module);
  if (before === undefined || terms === undefined) return [];
  const { accepted } = gateOf([], { ...input, moves: [], earlier: new Map() });
  return changedTerms(before, terms)
    .map(
      (field) =>
        ({ field, refusal: field === "ocmComponentName" ? "component-changed" : "restriction-changed" }) as const,
    )
    .filter(
      ({ field, refusal }) =>
        !accepted.has(acceptedKey({ refusal, module, field, from: before[field], to: terms[field] })),
    )
    .map(({ field, refusal }) => ({
      because: `${field} would change, which installs or uninstalls the module on clusters [${refusal}]`,
      remedy: `Leave it unchanged, or accept the change: accepts in modules/${module}/module.yaml.`,
    }));
}

/** A release meta has either channels or a mandatory version. */
function refusedFlip(entries: readonly RenderedEntry[]): readonly RenderRefusal[] {
  const served = entries.filter(({ kind }) => kind === "current" || kind === "kept");
  if (new Set(served.map(({ mandatory }) => mandatory)).size < 2) return [];
  const because = "the module would become mandatory, or stop being mandatory: every cluster gets it or loses it";
  return [{ because, remedy: "Keep its kind, or omit the entries that are gone: --prune." }];
}

/** Whether a module is rendered: a release meta is written only with all of its entries. */
export function isRendered({ entries, refused }: RenderedModule): boolean {
  return refused.length === 0 && entries.every(({ kind }) => kind !== "refused");
}
