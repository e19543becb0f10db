import { isDeepStrictEqual } from "node:util";
import type { Compilation } from "../../catalogue/compile.ts";
import { MODULE_LABEL } from "../../catalogue/template.ts";
import { oncePer } from "../../document/once.ts";
import { compareText } from "../../document/order.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { releaseModule, namedTemplates } from "../../kubernetes/releaseMeta.ts";
import { isOurs, type LiveState, type ModuleSlice, OPEN_GATE, type PlanInput } from "./input.ts";
import type { ModulePlan } from "./item.ts";
import { entriesIn, type EntryRecord, placeOfKey, recordedNames, type Records } from "./records.ts";

/** The desired and the live state by module, in the order of names. */
export function planSlices({ desired, live }: Pick<PlanInput, "desired" | "live">): ReadonlyMap<string, ModuleSlice> {
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
    new Map(releaseMetas.flatMap((meta) => namedTemplates(meta).map((name) => [name, releaseModule(meta)] as const))),
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
    const module = releaseModule(meta);
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

/** A module that had nothing to do. */
interface Settled {
  readonly slice: ModuleSlice;
  readonly recorded: Records["kind"];
  readonly plan: ModulePlan;
}

const SETTLED = oncePer((_: Compilation) => new Map<string, Settled>());

/**
 * The cached plan of a module that had nothing to do and has not changed since; otherwise `undefined`. A change of one
 * module makes a controller plan thousands.
 */
export function settledPlan(slice: ModuleSlice, { desired, live }: PlanInput): ModulePlan | undefined {
  const known = SETTLED(desired).get(slice.module);
  if (known?.recorded !== live.records.kind) return undefined;
  const { meta, templates, recorded } = known.slice;
  const isSame =
    meta === slice.meta &&
    haveSame(templates, slice.templates, (one, other) => one === other) &&
    haveSame(recorded, slice.recorded, isSameRecord);
  return isSame ? known.plan : undefined;
}

/** The modules without a cached plan. */
export function unsettledSlices(input: PlanInput): readonly ModuleSlice[] {
  return [...planSlices(input).values()].filter((slice) => settledPlan(slice, input) === undefined);
}

/**
 * Caches a plan with nothing to do. The plan must be made with unknown users and with an open gate: it is then valid
 * for any users, holds and options.
 */
export function remember(plan: ModulePlan, slice: ModuleSlice, { desired, live, users, gate }: PlanInput): void {
  const isSettled = [...plan.entries, ...plan.items].every(({ kind }) => kind === "unchanged");
  if (!isSettled || users.kind !== "unknown" || gate !== OPEN_GATE) return;
  SETTLED(desired).set(slice.module, { slice, recorded: live.records.kind, plan });
}

function haveSame<Value>(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
  isEqual: (one: Value, other: Value) => boolean,
): boolean {
  return (
    a.size === b.size &&
    [...a].every(([key, one]) => {
      const other = b.get(key);
      return other !== undefined && isEqual(one, other);
    })
  );
}

/** Compares records without waves, which do not move a settled entry. */
function isSameRecord(a: EntryRecord, b: EntryRecord): boolean {
  if (a === b) return true;
  const isServed = a.current?.version === b.current?.version && a.next?.version === b.next?.version;
  return isServed && isDeepStrictEqual(a.terms, b.terms);
}
