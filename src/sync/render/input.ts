import { composeReleaseMeta, releaseMetaVersions, type Compilation } from "../../catalogue/compile.ts";
import { deadlineIn } from "../../catalogue/wave.ts";
import { NO_USERS, type ModuleUser, type Users } from "../../fleet/users.ts";
import { entryGate, type GateInput } from "../plan/gate.ts";
import { CAREFUL, type LiveState, type PlanInput } from "../plan/input.ts";
import { entryKey, type EntryRecord } from "../plan/records.ts";
import type { Base, BaseEntry } from "./base.ts";
import { unmarked } from "./marks.ts";

/** The input of a rendering. */
export interface RenderInput extends Omit<GateInput, "earlier" | "moves"> {
  readonly desired: Compilation;
  readonly base: Base;
  /** Whether entries that the repository no longer has are left out, and how many at most. */
  readonly prune: boolean;
  readonly maxPrune: number | undefined;
}

/**
 * Whether a person declares by --prune that no Kyma uses an entry. A mandatory module is on every cluster, and one that
 * becomes mandatory is installed there, whoever used it.
 */
export function isDeclaredUnused({ module, mandatory, ...entry }: BaseEntry, { desired, prune }: RenderInput): boolean {
  const wanted = desired.entries.filter((one) => one.module === module);
  return prune && !mandatory && wanted.every((one) => !one.mandatory && one.channel !== entry.channel);
}

/** The input of a plan: what was rendered last in place of a control plane, without the entries in `without`. */
export function planInput(input: RenderInput, without: ReadonlySet<BaseEntry>): PlanInput {
  const { catalogue, landscape, desired, decreases, prune, maxPrune, nowMs } = input;
  const entries = [...input.base.entries.values()].filter((entry) => !without.has(entry));
  const { target } = desired;
  const wanted = desired.entries.map((entry) => ({ ...entry, template: unmarked(entry.template, target) }));
  const gate = entryGate(desired.entries, { catalogue, landscape, decreases, nowMs, moves: [], earlier: new Map() });
  return {
    desired: { ...desired, entries: wanted },
    claim: {
      repository: "",
      landscape: landscape.name,
      generation: target.generation,
      revision: "",
      ancestry: "forward",
    },
    // The templates of the entries are live.
    known: new Map(),
    live: liveState(entries, input),
    users: assumedUsers(entries.filter((entry) => !isDeclaredUnused(entry, input))),
    artifacts: { kind: "not-asked", because: "render contacts no server" },
    gate: { ...gate, waves: new Map() },
    // The control plane keeps templates whose files are removed.
    options: { ...CAREFUL, prune, maxPrune, pruneTemplates: false, takeOverSet: true },
    deadlineMs: deadlineIn(landscape.name, catalogue.settings),
    nowMs,
  };
}

function liveState(entries: readonly BaseEntry[], { base, desired: { target, terms } }: RenderInput): LiveState {
  const templates = entries.flatMap(({ template }) => (template === undefined ? [] : [unmarked(template, target)]));
  const releaseMetas = [...Map.groupBy(entries, ({ module }) => module)].map(([module, own]) =>
    composeReleaseMeta(module, releaseMetaVersions(own), base.terms.get(module) ?? terms.get(module), target),
  );
  return {
    parent: undefined,
    templates: [...new Map(templates.map((template) => [template.metadata.name, template])).values()],
    releaseMetas: target.generation === "version-templates" ? releaseMetas : [],
    records: { kind: "known", entries: new Map(entries.map((entry) => [entryKey(entry), baseRecord(entry)])) },
  };
}

function baseRecord({ version }: BaseEntry): EntryRecord {
  const current = { version, specHash: "", sinceMs: 0, accepted: [], now: undefined };
  return { current, next: undefined, previous: [], terms: undefined };
}

/** One user for each entry, which has its version, and whose status may have lost it: Git does not tell who uses what. */
function assumedUsers(entries: readonly BaseEntry[]): Users {
  const users = entries.map(({ module, channel, version }): readonly [string, ModuleUser] => {
    const condition = { channels: [channel], state: undefined, sinceMs: undefined, leftOut: undefined };
    const name = `any Kyma that uses ${channel}`;
    const user = { name, kyma: undefined, channels: [channel], version: undefined, installed: version };
    return [module, { ...user, condition: { ...condition, isWaiting: false, cause: undefined } }];
  });
  const modules = Map.groupBy(users, ([module]) => module);
  return { ...NO_USERS, modules: new Map([...modules].map(([module, own]) => [module, own.map(([, user]) => user)])) };
}
