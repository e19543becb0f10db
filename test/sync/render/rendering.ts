import { compile, compileTemplate, type CompileTarget } from "../../../src/catalogue/compile.ts";
import { allTemplates, versionKey } from "../../../src/catalogue/lookup.ts";
import type { Generation } from "../../../src/catalogue/settings.ts";
import { specHash, type Template } from "../../../src/catalogue/template.ts";
import type { ModuleTerms } from "../../../src/kubernetes/releaseMeta.ts";
import { placed } from "../../../src/sync/known.ts";
import type { HeldByDecrease } from "../../../src/sync/plan/gate.ts";
import type { Base, BaseEntry } from "../../../src/sync/render/base.ts";
import { decideRendering, type RenderedModule } from "../../../src/sync/render/decide.ts";
import { catalogueOf, type Sample } from "../catalogueFiles.ts";
import { NOW } from "../planning.ts";

/** A short form of the previous rendering: `fast/istio` to version; the channel `must` is mandatory. */
export interface Before {
  readonly entries: Readonly<Record<string, string>>;
  /** Whether exactly these versions were rendered. */
  readonly isKnown?: boolean;
  readonly terms?: Readonly<Record<string, ModuleTerms>>;
  readonly doubts?: Readonly<Record<string, string>>;
  /** The template of a version as it was rendered, if it is not that of the repository. */
  readonly rendered?: (version: string) => Template | undefined;
  /** The versions, or templates, that the channel ever served. */
  readonly served?: readonly (string | Template)[];
}

/** The input of a test, apart from the catalogue. */
export interface Given {
  readonly before?: Before;
  readonly prune?: boolean;
  readonly maxPrune?: number;
  readonly decreases?: readonly HeldByDecrease[];
  readonly generation?: Generation;
}

/** The compile target of the tests. */
export function targetFor(generation: Generation = "version-templates"): CompileTarget {
  return { landscape: "dev", namespace: "kcp-system", generation };
}

/** Renders a catalogue; the repository has the templates of all its versions. */
export function rendering(sample: Sample, given: Given = {}): readonly RenderedModule[] {
  const { before = { entries: {} }, prune = false, decreases = [], generation } = given;
  const catalogue = catalogueOf(sample);
  const [landscape] = catalogue.settings.landscapes;
  if (landscape === undefined) throw new Error("the sample has no landscape");
  const target = targetFor(generation);
  const templates = new Map(allTemplates(catalogue).map((template) => [versionKey(template), template]));
  const { terms = {}, doubts = {} } = before;
  const base: Base = {
    entries: entriesOf(before, templates, target),
    terms: new Map(Object.entries(terms)),
    doubts: new Map(Object.entries(doubts)),
  };
  const desired = compile(catalogue, target);
  const { maxPrune } = given;
  return decideRendering({ catalogue, landscape, desired, base, decreases, prune, maxPrune, nowMs: NOW });
}

function entriesOf(
  { entries, isKnown = true, rendered, served = [] }: Before,
  templates: ReadonlyMap<string, Template>,
  target: CompileTarget,
): Base["entries"] {
  return new Map(
    Object.entries(entries).map(([key, version]) => {
      const [channel = "", module = ""] = key.split("/");
      const mandatory = channel === "must";
      const named = (one: string): Template | undefined => templates.get(`${module} ${one}`);
      const found = rendered?.(version) ?? named(version);
      const template = found && compileTemplate(placed(found, channel), target, mandatory);
      const possible = served.map((one) => {
        const state = typeof one === "string" ? named(one) : one;
        return { version: state?.version, template: () => state, hash: () => (state ? specHash(state.object) : "") };
      });
      const place = { channel, module, mandatory, version, isKnown } as BaseEntry;
      const entry = { ...place, template, possible };
      return [mandatory ? `mandatory/${module}` : key, entry];
    }),
  );
}
