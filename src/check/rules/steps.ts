import type { Catalogue, Module } from "../../catalogue/catalogue.ts";
import type { ServedStates } from "../../catalogue/history/history.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { newestFirst } from "../../catalogue/lookup.ts";
import { modulePath } from "../../catalogue/paths.ts";
import { everServed } from "../../catalogue/steps.ts";
import type { Template } from "../../catalogue/template.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { YamlFile } from "../../document/yaml/read.ts";
import { isBroken } from "../../document/finding.ts";
import type { ChannelStep, Context } from "../context.ts";
import { unjudged, violation, type Complaint, type Unjudged, type Violation } from "../rule.ts";

/** The outcomes of a rule. */
export type Outcomes = Generator<Violation | Unjudged>;

const NO_BASE = "there is no base to compare with (--base REF)";

/** Judges every step of the change. Without a base, reports that nothing was judged. */
export function* eachStep(context: Context, judge: (step: ChannelStep) => Iterable<Violation>): Outcomes {
  if (context.base === undefined) yield unjudged(NO_BASE);
  else for (const step of context.steps) yield* judge(step);
}

/** A module that channels serve both before and after the change. */
export interface ServedModule {
  readonly name: ModuleName;
  readonly base: Catalogue;
  readonly before: Module;
  readonly after: Module;
  /** Its `module.yaml` in the head, or in the base if the change removes it. */
  readonly file: YamlFile | undefined;
}

/** Judges every module in service, except those whose `module.yaml` cannot be read, which another rule refuses. */
export function* eachServedModule(context: Context, judge: (module: ServedModule) => Iterable<Violation>): Outcomes {
  const { base, head } = context;
  if (base === undefined) {
    yield unjudged(NO_BASE);
    return;
  }
  for (const after of head.modules.values()) {
    const { name } = after;
    const before = base.modules.get(name);
    if (before === undefined || !isServed(base, name) || !isServed(head, name)) continue;
    const path = modulePath(name);
    const file = after.files.module ?? before.files.module;
    if (isBroken(head, path)) continue;
    if (isBroken(base, path)) yield unjudged(`${path} cannot be read in the base`);
    else yield* judge({ name, base, before, after, file });
  }
}

/** A violation at a field of a `module.yaml`; at the start of the file if the change removes the field. */
export function inModuleFile(file: YamlFile, { after }: ServedModule, field: string, complaint: Complaint): Violation {
  return violation(file, file === after.files.module ? [field] : [], complaint);
}

function isServed({ channels }: Catalogue, module: ModuleName): boolean {
  return [...channels.values()].some(({ templates }) => templates.has(module));
}

/** A step that brings a version into a channel that does not serve it in the base. */
export interface Arrival extends ChannelStep {
  readonly base: Catalogue;
  readonly to: Template;
  /** The states of the module that all channels served. */
  readonly served: ServedStates;
  /** Every version that the channel served before the step, highest first. */
  readonly ever: readonly ModuleVersion[];
}

/** Every version that the change brings into a channel, with what the channels served before. */
export function* versionArrivals(context: Context): Generator<Arrival | Unjudged> {
  const { base, facts } = context;
  const { history } = facts;
  if (base === undefined) {
    yield unjudged(NO_BASE);
    return;
  }
  for (const step of context.steps) {
    const { channel, module, from, to } = step;
    if (to === undefined || to.version === from?.version) continue;
    if (history.kind === "unknown") {
      yield unjudged(history.why);
      return;
    }
    const served = history.value.get(module) ?? new Map<never, never>();
    yield { ...step, base, to, served, ever: everServed(served.get(channel.name), from?.version) };
  }
}

/** Judges every version that the change brings into a channel, by what the channels served before. */
export function* eachArrival(context: Context, judge: (arrival: Arrival) => Iterable<Violation | Unjudged>): Outcomes {
  for (const arrival of versionArrivals(context)) {
    if ("kind" in arrival) yield arrival;
    else yield* judge(arrival);
  }
}

/** Whether no channel of the base serves the module, and none ever did. */
export function isNew({ base, module, served }: Arrival): boolean {
  return newestFirst(served).length === 0 && !isServed(base, module);
}
