import { compile, type CompileTarget } from "../../../src/catalogue/compile.ts";
import { allTemplates, versionKey } from "../../../src/catalogue/lookup.ts";
import type { Generation } from "../../../src/catalogue/settings.ts";
import type { ModuleTerms } from "../../../src/kubernetes/releaseMeta.ts";
import type { HeldByDecrease } from "../../../src/sync/plan/gate.ts";
import type { BaseEntry } from "../../../src/sync/render/base.ts";
import { decideRendering, type RenderedModule, type RenderInput } from "../../../src/sync/render/decide.ts";
import { catalogueOf, type Sample } from "../catalogueFiles.ts";
import { NOW } from "../planning.ts";

/** A short form of the previous rendering: `fast/istio` to version; the channel `must` is mandatory. */
export interface Before {
  readonly entries: Readonly<Record<string, string>>;
  /** Whether exactly these versions were rendered. */
  readonly isKnown?: boolean;
  readonly terms?: Readonly<Record<string, ModuleTerms>>;
}

/** The input of a test, apart from the catalogue. */
export interface Given {
  readonly before?: Before;
  readonly prune?: boolean;
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
  const base = { entries: entriesOf(before), terms: new Map(Object.entries(before.terms ?? {})) };
  const templates = new Map(allTemplates(catalogue).map((template) => [versionKey(template), template]));
  const desired = compile(catalogue, targetFor(generation));
  return decideRendering({ catalogue, landscape, desired, base, templates, decreases, prune, nowMs: NOW });
}

function entriesOf({ entries, isKnown = true }: Before): RenderInput["base"]["entries"] {
  return new Map(
    Object.entries(entries).map(([key, version]) => {
      const [channel = "", module = ""] = key.split("/");
      const mandatory = channel === "must";
      const entry = { channel, module, mandatory, version, isKnown } as BaseEntry;
      return [mandatory ? `mandatory/${module}` : key, entry];
    }),
  );
}
