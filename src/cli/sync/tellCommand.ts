import type { Landscape } from "../../catalogue/settings.ts";
import { MODULE_NAME_RULE, parseModuleName } from "../../catalogue/names.ts";
import { Fault, type Run } from "../../ports.ts";
import { changeControls } from "../../sync/controlStore.ts";
import { refuseForeign } from "../../sync/observedLandscape.ts";
import { EVERYTHING, NO_CONTROLS, pauseText, type Controls, type Told } from "../../sync/plan/controls.ts";
import { entriesIn, placeOfKey, type EntryRecord } from "../../sync/plan/records.ts";
import { resumeCommand } from "../../sync/plan/resume.ts";
import { readRecords } from "../../sync/recordStore.ts";
import type { SyncScope } from "../compose/sync.ts";
import { clock, connect, openRepository, userName } from "../compose/systems.ts";
import { loadUsable } from "../loadCatalogue.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { chosenLandscapes, openScope } from "./landscapes.ts";

/** The arguments of `sync pause` and `sync resume`. */
interface TellArguments {
  readonly repo: string;
  readonly kind: "pause" | "resume";
  readonly landscape: string;
  /** `undefined` for all modules. */
  readonly module: string | undefined;
  readonly reason: string;
  readonly by?: string | undefined;
}

/**
 * `kyma-modules sync pause` and `resume`: makes the writers of a landscape stop or continue. Returns the exit code.
 */
export async function tellCommand(arguments_: TellArguments, output: Output, run: Run): Promise<number> {
  const { repo, landscape, module = EVERYTHING, reason } = arguments_;
  if (module !== EVERYTHING && parseModuleName(module) === undefined)
    throw new Fault("CONFIGURATION", `Invalid module name ${module}: expected ${MODULE_NAME_RULE}.`);
  if (reason.trim() === "") throw new Fault("CONFIGURATION", "--reason is empty: give a reason, which is recorded.");
  // Read the commit that syncs serve, not uncommitted edits. A broken module must not prevent a pause of another one.
  const worktree = (await openRepository(repo).head(run)) === undefined;
  const scope = await openScope({ repo, worktree, withoutRegistry: true }, output, run, loadUsable);
  if (scope === undefined) return EXIT.findings;
  for (const one of chosenLandscapes(scope.catalogue.settings, [landscape]))
    for (const line of await tell(arguments_, one, scope, run)) output.say(line);
  return EXIT.fine;
}

/** Pauses or resumes one landscape. Returns the lines that describe the new state. */
async function tell(
  { kind, module = EVERYTHING, reason, by = userName() }: TellArguments,
  { name, namespace, controlPlane: address }: Landscape,
  { repository: folder, catalogue, identity: repository }: SyncScope,
  run: Run,
): Promise<readonly string[]> {
  const controlPlane = await connect(address, folder);
  const { records, owner } = await readRecords(controlPlane, namespace, run);
  refuseForeign(owner, { landscape: name, repository }, controlPlane.server);
  const served = entriesIn(records);
  const known = [...catalogue.modules.keys(), ...[...served.keys()].map((key) => placeOfKey(key).module)];
  refuseUnknown(module, known, name);
  const halt = kind === "resume" && { haltMs: lastHalt(module, served) };
  const told: Told = { by, reason, atMs: clock.nowMs(), ...halt };
  let before: Controls = NO_CONTROLS;
  const after = await changeControls(
    (controls) => change((before = controls), kind, module, told),
    { controlPlane, namespace },
    run,
  );
  const more = kind === "pause" ? replacedBy(module, before) : stillPaused(name, module, after);
  const done = kind === "pause" ? PAUSED : resumedText(told, { module, before, isStillPaused: more.length > 0 });
  return [
    `${name}: ${subjectOf(module)} is ${done}`,
    ...(records.kind === "none" ? [`Nothing was synced to ${namespace} on ${controlPlane.server} yet.`] : []),
    ...more,
  ];
}

function subjectOf(module: string): string {
  return module === EVERYTHING ? "everything" : module;
}

function replacedBy(module: string, { pauses }: Controls): readonly string[] {
  const told = pauses.get(module);
  return told === undefined ? [] : [`It replaces an earlier pause: ${pauseText(told)}`];
}

/** The pauses that remain for a part of it. */
function stillPaused(landscape: string, module: string, { pauses }: Controls): readonly string[] {
  const left = [...pauses].filter(([name]) => module === EVERYTHING || name === EVERYTHING);
  return left.map(([name, told]) => {
    const command = resumeCommand(landscape, name === EVERYTHING ? undefined : name);
    return `${subjectOf(name)} is still paused: ${pauseText(told)}. To resume: ${command}`;
  });
}

/** Throws CONFIGURATION for an unknown module: pausing a misspelt name would stop nothing. */
function refuseUnknown(module: string, known: readonly string[], landscape: string): void {
  if (module === EVERYTHING || known.includes(module)) return;
  const all = [...new Set(known)].sort().join(", ");
  const trouble = `There is no module ${module} in the repository or on ${landscape}.`;
  throw new Fault("CONFIGURATION", `${trouble} ${all === "" ? "" : `Name one of ${all}.`}`.trim());
}

/**
 * When a wave of a module halted last, as the controller recorded it, in Unix milliseconds; `undefined` if none is
 * halted.
 */
function lastHalt(module: string, served: ReadonlyMap<string, EntryRecord>): number | undefined {
  const halts = [...served].flatMap(([key, { current }]) =>
    module === EVERYTHING || placeOfKey(key).module === module ? (current?.wave?.halt?.sinceMs ?? []) : [],
  );
  return halts.length === 0 ? undefined : Math.max(...halts);
}

const PAUSED =
  "paused: nothing is written, not even withdrawals, until it is resumed (kyma-modules sync resume). A sync that is already running completes";

interface Resumed {
  readonly module: string;
  readonly before: Controls;
  readonly isStillPaused: boolean;
}

function resumedText({ haltMs }: Told, { module, before: { pauses }, isStillPaused }: Resumed): string {
  if (!pauses.has(module) && haltMs === undefined)
    return "unchanged: it has no pause of its own, and no halted wave is recorded";
  if (isStillPaused && module !== EVERYTHING) return "resumed, but a pause of everything remains";
  return "resumed: it is synced again, and halted waves continue";
}

function change(controls: Controls, kind: TellArguments["kind"], module: string, told: Told): Controls {
  const { pauses, resumes } = controls;
  if (kind === "pause") return { ...controls, pauses: new Map([...pauses, [module, told]]) };
  // Each pause of a module has its own reason, and must be resumed by its own name.
  const left = [...pauses].filter(([name]) => name !== module);
  return { ...controls, pauses: new Map(left), resumes: new Map([...resumes, [module, told]]) };
}
