import type { Catalogue } from "../catalogue/catalogue.ts";
import { compile, compileTemplate, type CompileTarget } from "../catalogue/compile.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { specHash as specHashOf } from "../catalogue/template.ts";
import { canonicalJson } from "../document/canonical.ts";
import { oncePerWith } from "../document/once.ts";
import type { Users } from "../fleet/users.ts";
import { RESOURCES } from "../kubernetes/object.ts";
import type { Clock, ControlPlane, History, Run } from "../ports.ts";
import { gatherArtifacts, type ArtifactSource } from "./artifacts.ts";
import { gatherKnown, lookUpAll, placed, versionKey } from "./known.ts";
import { observe, readUsers, type Observed } from "./observe.ts";
import type { Artifacts } from "./plan/artifacts.ts";
import { movesOf } from "./plan/cases.ts";
import {
  earlierFor,
  gateOf,
  OPEN_GATE,
  type EarlierRecords,
  type EntryGate,
  type HeldByDecrease,
} from "./plan/gate.ts";
import type { Ancestry, PlanInput, PlanOptions, SetClaim } from "./plan/input.ts";
import { itemsOf, entriesOf, type Plan, type PlanItem } from "./plan/item.ts";
import { type Controls, withPauses } from "./plan/controls.ts";
import { interimsOf, type Interim } from "./plan/interim.ts";
import { plan } from "./plan/plan.ts";
import { entryKey } from "./plan/records.ts";
import { isSuperseded, recordedRevision } from "./plan/set.ts";
import type { StoredRecords } from "./recordStore.ts";

/** What a plan knows of a control plane. */
export interface ControlPlaneLook {
  /** What it holds. */
  observe(run: Run): Promise<Observed>;
  /** Who uses what; asked only where there is something to do. */
  users(run: Run): Promise<Users>;
}

/** A look at a control plane that asks it for everything. */
export function lookAt(controlPlane: ControlPlane, namespace: string): ControlPlaneLook {
  return {
    observe: (run) => observe(controlPlane, namespace, run),
    users: (run) => readUsers(controlPlane, namespace, run),
  };
}

/** What `plan` asks of the world. */
export interface PlanWorld {
  readonly look: ControlPlaneLook;
  readonly history: History;
  readonly clock: Clock;
  /** Where artifacts are looked up, or why they are not. */
  readonly artifacts: ArtifactSource;
  /** How the planned commit stands to a recorded one. Throws HISTORY_TOO_SHALLOW. */
  ancestry(recorded: string, run: Run): Promise<Ancestry>;
  /** The records of an earlier landscape. */
  earlier(landscape: Landscape, run: Run): Promise<EarlierRecords>;
  /** What channels went down from by hand with these modules, as the history says. */
  decreases(modules: readonly string[], run: Run): Promise<readonly HeldByDecrease[]>;
}

/** What is to be planned. */
export interface PlanRequest {
  readonly catalogue: Catalogue;
  readonly landscape: Landscape;
  readonly target: CompileTarget;
  readonly options: PlanOptions;
  readonly claim: Omit<SetClaim, "ancestry">;
}

/** A plan, and all that it was decided on: what has to be asked again when one object moves. */
export interface Prepared {
  readonly plan: Plan;
  readonly input: PlanInput;
  readonly stored: StoredRecords;
  readonly controls: Controls;
  /** The commit that the control plane serves already, and that descends from the planned one. */
  readonly supersededBy: string | undefined;
}

/** Plans one landscape: asks the control plane what it holds, and decides. Writes nothing. */
export async function prepare(request: PlanRequest, world: PlanWorld, run: Run): Promise<Prepared> {
  const observed = await world.look.observe(run);
  const { live, stored, controls } = observed;
  const { input, decided } = await gatherInput(request, observed, world, run);
  const superseded = isSuperseded(input) ? recordedRevision(live.parent) : undefined;
  return { plan: withPauses(decided, controls.pauses), input, stored, controls, supersededBy: superseded };
}

/**
 * Most syncs find everything as it should be, and then nobody asks who uses what: a fleet's Kymas are a hundred
 * megabytes. So it is decided once on what the control plane holds, and where that leaves anything to do, everything
 * else is asked for.
 */
async function gatherInput(
  { catalogue, landscape, target, options, claim }: PlanRequest,
  { live }: Observed,
  world: PlanWorld,
  run: Run,
): Promise<{ readonly input: PlanInput; readonly decided: Plan }> {
  const desired = compiled(catalogue, target);
  const recorded = recordedRevision(live.parent);
  const ancestry = recorded === undefined ? "forward" : await world.ancestry(recorded, run);
  const first: PlanInput = {
    desired,
    claim: { ...claim, ancestry },
    known: new Map(),
    live,
    users: { kind: "unknown", because: "this was not asked" },
    artifacts: ofSource(world.artifacts),
    gate: OPEN_GATE,
    options,
    nowMs: world.clock.nowMs(),
  };
  const decided = plan(first);
  if (isSuperseded(first) || isSettled(decided)) return { input: first, decided };
  const [known, users, due] = await Promise.all([
    gatherKnown(catalogue, first, world.history, run),
    world.look.users(run),
    gatherDue(catalogue, landscape, first, world, run),
  ]);
  const gated: PlanInput = { ...first, ...due, known, users };
  const input = { ...gated, artifacts: await gatherArtifacts(gated, world.artifacts, run) };
  return { input, decided: plan(input) };
}

/** A catalogue is compiled once for each landscape, however often that is planned. */
const compiled = oncePerWith(compile, (target) => canonicalJson({ ...target }));

function ofSource(source: ArtifactSource): Artifacts {
  return source.kind === "none" ? { kind: "not-asked", because: source.because } : { kind: "asked", found: new Map() };
}

/** Whether a plan has nothing to do: even a repair may wake what a cluster has forgotten the version of. */
function isSettled(decided: Plan): boolean {
  return (
    entriesOf(decided).every(({ kind }) => kind === "unchanged") &&
    itemsOf(decided).every(({ kind, object }) => kind === "unchanged" || kind === "contested" || isOfSet(object))
  );
}

/** The set's own ConfigMap, which records each commit, concerns no cluster. */
function isOfSet({ kind }: PlanItem["object"]): boolean {
  return kind === RESOURCES.configMap.kind;
}

/**
 * What is due, and what keeps the rest. Holds and waves concern entries that move; the history and other control planes
 * are asked only for those.
 */
async function gatherDue(
  catalogue: Catalogue,
  landscape: Landscape,
  input: PlanInput,
  world: PlanWorld,
  run: Run,
): Promise<Pick<PlanInput, "desired" | "gate">> {
  const moves = movesOf(input);
  const names = new Set(moves.flatMap((entry) => earlierFor(entry, landscape, catalogue)?.name ?? []));
  const before = catalogue.settings.landscapes.filter(({ name }) => names.has(name));
  const [earlier, decreases] = await Promise.all([
    Promise.all(before.map(async (one) => [one.name, await world.earlier(one, run)] as const)),
    moves.length === 0 ? [] : world.decreases([...new Set(moves.map(({ module }) => module))], run),
  ]);
  const { nowMs, desired } = input;
  const gateInput = { catalogue, landscape, moves, earlier: new Map(earlier), decreases, nowMs };
  const gate = gateOf(desired.entries, gateInput);
  // Who passes over waves wants what the repository names.
  const interims = input.options.now === undefined ? interimsOf(moves, gate, gateInput) : [];
  return interims.length === 0 ? { desired, gate } : withInterims(interims, { catalogue, input, gate }, world, run);
}

/** What is wanted, with the interim versions whose templates the repository has as they were served. */
async function withInterims(
  interims: readonly Interim[],
  { catalogue, input, gate }: { catalogue: Catalogue; input: PlanInput; gate: EntryGate },
  { history }: Pick<PlanWorld, "history">,
  run: Run,
): Promise<Pick<PlanInput, "desired" | "gate">> {
  const versions = interims.map(({ wanted: { module, channel }, version }) => ({ module, version, channel }));
  const templates = await lookUpAll(catalogue, versions, history, run);
  const { desired } = input;
  const entries = new Map(desired.entries.map((entry) => [entryKey(entry), entry]));
  const [holds, waves] = [new Map(gate.holds), new Map(gate.waves)];
  for (const { wanted, version, specHash } of interims) {
    const template = templates.get(versionKey({ module: wanted.module, version }));
    if (template === undefined || specHashOf(template.object) !== specHash) continue;
    const compiled = compileTemplate(placed(template, wanted.channel), desired.target, wanted.mandatory);
    const { module, channel, mandatory } = wanted;
    entries.set(entryKey(wanted), { module, channel, mandatory, version, specHash, template: compiled });
    holds.delete(entryKey(wanted));
    waves.delete(entryKey(wanted));
  }
  return { desired: { ...desired, entries: [...entries.values()] }, gate: { ...gate, holds, waves } };
}

/** Plans what a landscape would do with a catalogue, on its control plane. */
export type PlanLandscape = (catalogue: Catalogue, revision: string, landscape: Landscape, run: Run) => Promise<Plan>;
