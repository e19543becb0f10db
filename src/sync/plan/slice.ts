import type { ChannelEntry, Compilation } from "../../catalogue/compile.ts";
import { MODULE_LABEL } from "../../catalogue/template.ts";
import { oncePer } from "../../document/once.ts";
import { compareText } from "../../document/order.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { moduleOf, type ModuleTerms, namedTemplates } from "../../kubernetes/releaseMeta.ts";
import { isOurs, type LiveState, type PlanInput } from "./input.ts";
import { entriesIn, type EntryRecord, placeOfKey, recordedNames, type Records } from "./records.ts";

/** The facts about one module from the repository, the control plane and the records. */
export interface ModuleSlice {
  readonly module: string;
  /** The wanted entries in the channels of the landscape. */
  readonly wanted: readonly ChannelEntry[];
  /** `undefined`: the repository does not serve the module here. */
  readonly terms: ModuleTerms | undefined;
  /** The live templates, by name. */
  readonly templates: ReadonlyMap<string, KubernetesObject>;
  /** The live release meta with the name of the module. */
  readonly meta: KubernetesObject | undefined;
  /** The records of the module's entries; also empty without records. */
  readonly recorded: ReadonlyMap<string, EntryRecord>;
  /** Templates that other release metas name, with the name of that release meta. */
  readonly namedElsewhere: ReadonlyMap<string, string>;
}

/** The desired and the live state by module, in the order of names. */
export function slicesOf({ desired, live }: Pick<PlanInput, "desired" | "live">): ReadonlyMap<string, ModuleSlice> {
  return slicesOfState(live)(desired);
}

/** Whether the files of a module cannot be used. */
export function isWithheld(module: string, { withheld }: Compilation): boolean {
  const names: ReadonlySet<string> = withheld;
  return names.has(module);
}

/** Cached, because one state of a control plane is needed many times. */
const slicesOfState = oncePer((live: LiveState) => oncePer((desired: Compilation) => slice(desired, live)));

function slice(desired: Compilation, live: LiveState): ReadonlyMap<string, ModuleSlice> {
  const wanted = wantedIn(desired);
  const templates = Map.groupBy(live.templates, ownerIn(desired, live));
  const metas = new Map(live.releaseMetas.map((meta) => [meta.metadata.name, meta]));
  const recorded = recordedIn(live.records);
  const named = namesByOthers({ desired, live });
  const names = new Set([...wanted.keys(), ...templates.keys(), ...metas.keys(), ...recorded.keys()]);
  return new Map(
    [...names].sort().map((module) => [
      module,
      {
        module,
        wanted: wanted.get(module) ?? [],
        terms: desired.terms.get(module),
        templates: byName(templates.get(module) ?? []),
        meta: metas.get(module),
        recorded: recorded.get(module) ?? new Map<string, EntryRecord>(),
        namedElsewhere: named.get(module) ?? new Map<string, string>(),
      },
    ]),
  );
}

/** Objects by name, in the order of names, independent of the order of the API server. */
function byName(objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> {
  const named = objects.map((object) => [object.metadata.name, object] as const);
  return new Map(named.sort(([a], [b]) => compareText(a, b)));
}

const wantedIn = oncePer(({ entries }: Compilation) => Map.groupBy(entries, ({ module }): string => module));

const recordedIn = oncePer((records: Records): ReadonlyMap<string, ReadonlyMap<string, EntryRecord>> => {
  const byModule = Map.groupBy(entriesIn(records), ([key]) => placeOfKey(key).module);
  return new Map([...byModule].map(([module, own]) => [module, new Map(own)]));
});

/**
 * Finds the module of a template by its name first: its label may have been edited while a release meta still names it.
 */
function ownerIn(desired: Compilation, live: LiveState): (template: KubernetesObject) => string {
  const wanted = wantedOwners(desired);
  return (template) => {
    const { name } = template.metadata;
    return (
      wanted.get(name) ??
      namedOwners(live).get(name) ??
      recordedNames(live.records).get(name) ??
      moduleOfTemplate(template)
    );
  };
}

const wantedOwners = oncePer(
  ({ entries }: Compilation): ReadonlyMap<string, string> =>
    new Map(entries.map(({ module, template }) => [template.metadata.name, module])),
);

const namedOwners = oncePer(
  ({ releaseMetas }: LiveState): ReadonlyMap<string, string> =>
    new Map(releaseMetas.flatMap((meta) => namedTemplates(meta).map((name) => [name, moduleOf(meta)] as const))),
);

/** The module in the label or the spec of a template. Both may have been edited, so one that matches the name wins. */
function moduleOfTemplate({ metadata: { name, labels }, spec }: KubernetesObject): string {
  const { moduleName } = (spec ?? {}) as { readonly moduleName?: string };
  const said = [labels?.[MODULE_LABEL], moduleName].filter((module) => module !== undefined);
  return said.find((module) => name.startsWith(`${module}-`)) ?? said[0] ?? name;
}

/** The release meta, other than our own one, that names a template: by module, then by template. */
function namesByOthers(input: Pick<PlanInput, "desired" | "live">): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const names = new Map<string, Map<string, string>>();
  for (const meta of input.live.releaseMetas) {
    const module = moduleOf(meta);
    if (meta.metadata.name === module && isOurs(meta, input)) continue;
    const known = names.get(module) ?? new Map<string, string>();
    names.set(module, known);
    for (const template of namedTemplates(meta)) {
      // A release meta of another name wins, because it is not ours to change.
      const before = known.get(template);
      if (before === undefined || before === module) known.set(template, meta.metadata.name);
    }
  }
  return names;
}
