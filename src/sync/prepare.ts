import { versionKey } from "../catalogue/lookup.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { compile, compileTemplate, type Compilation, type CompileTarget } from "../catalogue/compile.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { deadlineIn } from "../catalogue/wave.ts";
import { specHash as specHashOf } from "../catalogue/template.ts";
import { canonicalJson } from "../document/canonical.ts";
import { oncePerWith } from "../document/once.ts";
import type { Users } from "../fleet/users.ts";
import { RESOURCES } from "../kubernetes/object.ts";
import type { Clock, ControlPlane, History, Run } from "../ports.ts";
import { gatherArtifacts, type ArtifactSource } from "./artifacts.ts";
import { gatherKnown, lookUpAll, placed } from "./known.ts";
import { observe, readUsers, type Observed } from "./observe.ts";
import { planMoves, plan } from "./plan/plan.ts";
import { earlierFor, entryGate, type HeldByDecrease, entryMoveInterims, type Interim } from "./plan/gate.ts";
import { type EarlierRecords, entryKey } from "./plan/records.ts";
import {
  OPEN_GATE,
  type EntryGate,
  type Ancestry,
  type PlanInput,
  type PlanOptions,
  type SetClaim,
  recordedRevision,
} from "./plan/input.ts";
import { planItems, planEntries, type Plan } from "./plan/item.ts";
import { type Controls, withPauses } from "./plan/controls.ts";
import { isSuperseded } from "./plan/set.ts";
import { unsettledSlices } from "./plan/slices.ts";
import type { StoredRecords } from "./recordStore.ts";

/** Reads what a plan needs of a control plane. */
export interface ControlPlaneLook {
  /** The state of the control plane. */
  observe(run: Run): Promise<Observed>;
  /** The users of modules; read only if there is something to do. */
  users(run: Run): Promise<Users>;
}

/** A control plane, and how to read it. */
export interface LandscapeAccess {
  readonly controlPlane: ControlPlane;
  readonly look: ControlPlaneLook;
}

/** A control plane that is read by requests, without watches. */
export function landscapeAccess(controlPlane: ControlPlane, namespace: string): LandscapeAccess {
  const look: ControlPlaneLook = {
    observe: (run) => observe(controlPlane, namespace, run),
    users: (run) => readUsers(controlPlane, namespace, run),
  };
  return { controlPlane, look };
}

/** The ports and facts that planning needs. */
export interface PlanWorld {
  readonly look: ControlPlaneLook;
  readonly history: History;
  readonly clock: Clock;
  /** The registry for artifacts, or why it is not used. */
  readonly artifacts: ArtifactSource;
  /** Compares the planned commit with a recorded one. Throws HISTORY_TOO_SHALLOW. */
  ancestry(recorded: string, run: Run): Promise<Ancestry>;
  /** The records of an earlier landscape. */
  earlier(landscape: Landscape, run: Run): Promise<EarlierRecords>;
  /** The versions of these modules from which a channel went down by hand, from the history. */
  decreases(modules: readonly string[], run: Run): Promise<readonly HeldByDecrease[]>;
}

/** A request for a plan. */
export interface PlanRequest {
  readonly catalogue: Catalogue;
  readonly landscape: Landscape;
  readonly target: CompileTarget;
  readonly options: PlanOptions;
  readonly claim: Omit<SetClaim, "ancestry">;
}

/** A plan, and the input that it was made from, which is needed to plan one object again. */
export interface Prepared {
  readonly plan: Plan;
  readonly input: PlanInput;
  readonly stored: StoredRecords;
  readonly controls: Controls;
  /** The newer commit that the control plane already serves; it descends from the planned one. */
  readonly supersededBy: string | undefined;
}

/** Plans one landscape: reads its control plane and decides. Writes nothing. */
export async function prepare(request: PlanRequest, world: PlanWorld, run: Run): Promise<Prepared> {
  const observed = await world.look.observe(run);
  const { live, stored, controls } = observed;
  const { input, decided } = await gatherInput(request, observed, world, run);
  const superseded = isSuperseded(input) ? recordedRevision(live.parent) : undefined;
  return { plan: withPauses(decided, controls.pauses), input, stored, controls, supersededBy: superseded };
}

/**
 * Most syncs have nothing to do, and then do not read the users: the Kymas of a fleet are a hundred megabytes. So the
 * first decision uses the state of the control plane alone. Everything else is read only if that leaves something to
 * do.
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
    users: { kind: "unknown", because: "they were not read" },
    artifacts:
      world.artifacts.kind === "none"
        ? { kind: "not-asked", because: world.artifacts.because }
        : { kind: "asked", found: new Map() },
    gate: OPEN_GATE,
    deadlineMs: deadlineIn(landscape.name, catalogue.settings),
    options,
    nowMs: world.clock.nowMs(),
  };
  const decided = plan(first);
  // What a withheld module shall be is known only with the history.
  const isDefended = desired.withheld.size > 0 && live.records.kind === "known";
  if (isSuperseded(first) || (isSettled(decided) && !isDefended)) return { input: first, decided };
  const [known, users, due] = await Promise.all([
    gatherKnown(catalogue, first, world.history, run),
    world.look.users(run),
    gatherDue(catalogue, landscape, first, world, run),
  ]);
  const gated: PlanInput = { ...first, ...due, known, users };
  const input = { ...gated, artifacts: await gatherArtifacts(gated, world.artifacts, run) };
  return { input, decided: plan(input) };
}

/** Compiles a catalogue once per landscape; the controller plans it many times. */
const compiled = oncePerWith(compile, (target) => canonicalJson({ ...target }));

/** Whether a plan has nothing to do. A repair counts: it may reach a cluster whose version lifecycle-manager forgot. */
function isSettled(decided: Plan): boolean {
  return (
    planEntries(decided).every(({ kind }) => kind === "unchanged") &&
    planItems(decided).every(
      // The ConfigMap of the set records each commit, and affects no cluster.
      ({ kind, object }) => kind === "unchanged" || kind === "contested" || object.kind === RESOURCES.configMap.kind,
    )
  );
}

/**
 * What is due now, and what blocks the rest. Holds and waves concern only entries that move, so the history and other
 * control planes are read only for those; and for modules with an acceptance that has ended, which is still valid if an
 * earlier landscape recorded it.
 */
async function gatherDue(
  catalogue: Catalogue,
  landscape: Landscape,
  input: PlanInput,
  world: PlanWorld,
  run: Run,
): Promise<Pick<PlanInput, "desired" | "gate">> {
  const moves = planMoves(input);
  const names = new Set(
    [...moves, ...withEndedAcceptances(catalogue, input)].flatMap(
      (entry) => earlierFor(entry, landscape, catalogue)?.name ?? [],
    ),
  );
  const before = catalogue.settings.landscapes.filter(({ name }) => names.has(name));
  const [earlier, decreases] = await Promise.all([
    Promise.all(before.map(async (one) => [one.name, await world.earlier(one, run)] as const)),
    moves.length === 0 ? [] : world.decreases([...new Set(moves.map(({ module }) => module))], run),
  ]);
  const { nowMs, desired } = input;
  const gateInput = { catalogue, landscape, moves, earlier: new Map(earlier), decreases, nowMs };
  const gate = entryGate(desired.entries, gateInput);
  // With --now, the version that the repository names is wanted at once.
  const interims = input.options.now === undefined ? entryMoveInterims(moves, gate, gateInput) : [];
  return interims.length === 0 ? { desired, gate } : withInterims(interims, { catalogue, input, gate }, world, run);
}

/** The wanted entries of modules with something to do and an acceptance that has ended. */
function withEndedAcceptances({ modules }: Catalogue, input: PlanInput): Compilation["entries"] {
  return unsettledSlices(input)
    .flatMap(({ wanted }) => wanted)
    .filter(({ module }) => modules.get(module)?.says.accepts?.some(({ until }) => Date.parse(until) <= input.nowMs));
}

/** Replaces entries by interim versions, if the repository still has the template exactly as it was served. */
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

/** Plans a catalogue for a landscape, on its control plane. */
export type PlanLandscape = (catalogue: Catalogue, revision: string, landscape: Landscape, run: Run) => Promise<Plan>;
