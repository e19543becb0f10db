import { compareText } from "../../document/order.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { changedRestrictions, templateRestrictions, type ModuleTerms } from "../../kubernetes/releaseMeta.ts";
import { holdOn } from "../plan/gate.ts";
import type { EntryItem, ModulePlan, Refusal, Refused } from "../plan/item.ts";
import { plan } from "../plan/plan.ts";
import { entryKey } from "../plan/records.ts";
import { isWithheld } from "../plan/slices.ts";
import type { Base, BaseEntry, PossibleState } from "./base.ts";
import { isDeclaredUnused, planInput, type RenderInput } from "./input.ts";

/** The module and the channel of a rendered entry. */
type RenderedPlace = Pick<EntryItem, "module" | "channel" | "mandatory">;

/** The decision on an entry. */
export type RenderedEntry = RenderedPlace &
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
  /** Refusals of the module as a whole, and of its objects. */
  readonly refused: readonly RenderRefusal[];
}

/** Whether a module is rendered: a release meta is written only with all of its entries. */
export function isRendered({ entries, refused }: RenderedModule): boolean {
  return refused.length === 0 && entries.every(({ kind }) => kind !== "refused");
}

/**
 * Decides what is rendered, module by module, by the plan of a sync to a control plane that holds what was rendered last,
 * and on which each of its entries is in use. Skips modules whose files contradict one another.
 */
export function decideRendering(input: RenderInput): readonly RenderedModule[] {
  const gone = [...input.base.entries.values()].filter((entry) => isUnsureAndGone(entry, input));
  const planned = new Map(plan(planInput(input, new Set(gone))).modules.map((one) => [one.module, one]));
  return [...new Set([...planned.keys(), ...gone.map(({ module }) => module)])]
    .filter((module) => !isWithheld(module, input.desired))
    .sort(compareText)
    .map((module) => {
      const { desired, base } = input;
      const { entries, items } = planned.get(module) ?? NO_PLAN;
      const decided = entries.map((entry) => unlessDoubtful(renderedEntry(entry, input), input));
      const others = gone.filter((entry) => entry.module === module).map((entry) => decideGone(entry, input));
      return {
        module,
        entries: [...decided, ...others].sort((one, other) => compareText(one.channel, other.channel)),
        terms: desired.terms.get(module) ?? base.terms.get(module),
        refused: [...items.filter((item) => item.kind === "refused").map(asRefusal), ...refusedDoubts(module, base)],
      };
    });
}

const NO_PLAN: Pick<ModulePlan, "entries" | "items"> = { entries: [], items: [] };
const UNKNOWN = "The previous rendering is unknown";
const NAME_BASE =
  "Render into the folder that contains it (--output DIR), name a revision that serves the version that was rendered (--base REV), or declare that it was never rendered (--first).";

/** An entry that the repository no longer has, and of which it is unknown whether it was rendered. */
function isUnsureAndGone(entry: BaseEntry, { desired }: RenderInput): boolean {
  return !entry.isKnown && !desired.entries.some((wanted) => entryKey(wanted) === entryKey(entry));
}

function decideGone(before: BaseEntry, input: RenderInput): RenderedEntry {
  const { module, channel, mandatory, version } = before;
  const place = { module, channel, mandatory };
  if (isDeclaredUnused(before, input)) return { ...place, kind: "left-out", version };
  const because = `no channel file has it any more, but it once served ${version}. ${UNKNOWN}`;
  return { ...place, kind: "refused", because, remedy: `${NAME_BASE} Or omit it: --prune.` };
}

function renderedEntry(entry: EntryItem, { base, desired }: RenderInput): RenderedEntry {
  const { module, channel, mandatory } = entry;
  const place = { module, channel, mandatory };
  const [wanted] = desired.entries.filter((one) => entryKey(one) === entryKey(entry));
  if (entry.kind === "refused" && !LOWERED.has(entry.refusal))
    return { ...place, kind: "refused", ...asRefusal(entry) };
  if (entry.kind === "remove" && entry.carriedOut) return { ...place, kind: "left-out", version: String(entry.from) };
  if (entry.kind === "waiting" && entry.from === undefined) return { ...place, kind: "waiting", because: entry.reason };
  const before = base.entries.get(entryKey(entry));
  const because = whyKept(entry, before);
  // Only an entry that is kept may be unwanted.
  if (because !== undefined || wanted === undefined)
    return keep({ ...place, version: String(entry.from) }, String(because), before?.template);
  return { ...place, kind: "current", version: wanted.version, template: wanted.template };
}

/** The refusals of a lower version. Withdrawals are common, so they are no failure. */
const LOWERED: ReadonlySet<Refusal> = new Set<Refusal>(["user-endangered", "mandatory-downgrade"]);

/** Why an entry stays as it was rendered; `undefined`: it does not. A release manager may have accepted a lower version. */
function whyKept(entry: EntryItem, before: BaseEntry | undefined): string | undefined {
  if (entry.kind === "waiting") return entry.reason;
  if (entry.kind === "remove") return "no channel file has it any more; --prune omits it";
  const isLower = entry.kind === "refused" || (entry.kind === "lower" && entry.accepted.length === 0);
  const how = before?.isKnown === true ? "was rendered" : "the channel has served";
  return isLower ? `${String(entry.to)} is lower than ${String(entry.from)}, which ${how}` : undefined;
}

function keep(
  entry: RenderedPlace & { readonly version: string },
  because: string,
  template: KubernetesObject | undefined,
): RenderedEntry {
  if (template !== undefined) return { ...entry, kind: "kept", because, template };
  const { version, ...place } = entry;
  const lost = `${because}, but the repository has no template of ${version} [template-missing]`;
  return { ...place, kind: "refused", because: lost, remedy: `Add modules/${entry.module}/${version}/template.yaml.` };
}

function asRefusal({ refusal, reason, remedy }: Refused): RenderRefusal {
  return { because: `${reason} [${refusal}]`, remedy };
}

function refusedDoubts(module: string, { doubts }: Base): readonly RenderRefusal[] {
  const doubt = doubts.get(module);
  return doubt === undefined ? [] : [{ because: `${doubt}. ${UNKNOWN}`, remedy: NAME_BASE }];
}

/** Refuses an entry whose previous version is unknown, if that decides whether clusters lose or change what they have. */
function unlessDoubtful(rendered: RenderedEntry, input: RenderInput): RenderedEntry {
  const before = input.base.entries.get(entryKey(rendered));
  if (before === undefined || !("template" in rendered)) return rendered;
  const { module, channel, mandatory, version, template } = rendered;
  const refuse = (reason: string): RenderedEntry => {
    return { module, channel, mandatory, kind: "refused", because: `${reason}. ${UNKNOWN}`, remedy: NAME_BASE };
  };
  // It is held because it was withdrawn: it may have been rendered, or not.
  const hold = before.isKnown || version !== before.version ? undefined : holdOn(before, input);
  if (hold !== undefined) return refuse("because" in rendered ? rendered.because : hold.reason);
  const other = before.possible.find((state) => isOther(state, before.possible, { version, template }));
  return other === undefined
    ? rendered
    : refuse(`${channel} once served ${String(other.version)} with other labels or content`);
}

/** Whether a state that may have been rendered last has other restrictions than a template, or is its version with other content. */
function isOther(
  { version, template, hash }: PossibleState,
  states: readonly PossibleState[],
  rendered: { readonly version: string; readonly template: KubernetesObject },
): boolean {
  const object = template()?.object;
  if (object === undefined) return false;
  const newest = states.findLast((state) => state.version === version);
  const isChanged = version === rendered.version && hash() !== newest?.hash();
  return (
    isChanged || changedRestrictions(templateRestrictions(object), templateRestrictions(rendered.template)).length > 0
  );
}
