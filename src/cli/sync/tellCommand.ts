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

/** What `sync pause` and `sync resume` take on the command line. */
export interface TellArguments {
  readonly repo: string;
  readonly kind: "pause" | "resume";
  readonly landscape: string;
  /** `undefined`: all of them. */
  readonly module: string | undefined;
  readonly reason: string;
  readonly by?: string | undefined;
}

/** Tells whoever writes to a landscape to stop, or to go on. Gives the exit code. */
export async function tellCommand(arguments_: TellArguments, output: Output, run: Run): Promise<number> {
  const { repo, landscape, module = EVERYTHING, reason } = arguments_;
  if (module !== EVERYTHING && parseModuleName(module) === undefined)
    throw new Fault("CONFIGURATION", `Invalid module name ${module}: expected ${MODULE_NAME_RULE}.`);
  if (reason.trim() === "")
    throw new Fault("CONFIGURATION", "--reason is empty: say why, for those who read it later.");
  // What syncs serve, and no edit that is not committed yet. A module that is broken keeps nobody from stopping another.
  const worktree = (await openRepository(repo).head(run)) === undefined;
  const scope = await openScope({ repo, worktree, withoutRegistry: true }, output, run, loadUsable);
  if (scope === undefined) return EXIT.findings;
  for (const one of chosenLandscapes(scope.catalogue.settings, [landscape]))
    for (const line of await tell(arguments_, one, scope, run)) output.say(line);
  return EXIT.fine;
}

/** Tells it on one landscape. Gives what is so from now on. */
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
  const alter = (controls: Controls): Controls => change((before = controls), kind, module, told);
  const after = await changeControls(alter, { controlPlane, namespace }, run);
  const more = kind === "pause" ? replacedBy(module, before) : stillPaused(name, module, after);
  const done = kind === "pause" ? PAUSED : resumedText(told, { module, before, isStillPaused: more.length > 0 });
  return [
    `${name}: ${subjectOf(module)} is ${done}`,
    ...(records.kind === "none" ? [`Nothing was synced to ${namespace} on ${controlPlane.server} so far.`] : []),
    ...more,
  ];
}

function subjectOf(module: string): string {
  return module === EVERYTHING ? "everything" : module;
}

function replacedBy(module: string, { pauses }: Controls): readonly string[] {
  const told = pauses.get(module);
  return told === undefined ? [] : [`It takes the place of an earlier pause: ${pauseText(told)}`];
}

/** What keeps something of it paused after all. */
function stillPaused(landscape: string, module: string, { pauses }: Controls): readonly string[] {
  const left = [...pauses].filter(([name]) => module === EVERYTHING || name === EVERYTHING);
  return left.map(([name, told]) => {
    const command = resumeCommand(landscape, name === EVERYTHING ? undefined : name);
    return `Still, ${subjectOf(name)} is paused: ${pauseText(told)}. To go on: ${command}`;
  });
}

/** A pause of a misspelt module would stop nothing. Throws CONFIGURATION. */
function refuseUnknown(module: string, known: readonly string[], landscape: string): void {
  if (module === EVERYTHING || known.includes(module)) return;
  const all = [...new Set(known)].sort().join(", ");
  const trouble = `There is no module ${module}: the repository has none, and ${landscape} serves none.`;
  throw new Fault("CONFIGURATION", `${trouble} ${all === "" ? "" : `Name one of ${all}.`}`.trim());
}

/** When a wave of a module halted last, as the controller recorded it; `undefined`: none is halted. Unix milliseconds. */
function lastHalt(module: string, served: ReadonlyMap<string, EntryRecord>): number | undefined {
  const halts = [...served].flatMap(([key, { current }]) =>
    module === EVERYTHING || placeOfKey(key).module === module ? (current?.wave?.halt?.sinceMs ?? []) : [],
  );
  return halts.length === 0 ? undefined : Math.max(...halts);
}

const PAUSED = "paused: nothing is written of it, withdrawals neither, until it is resumed (kyma-modules sync resume)";

interface Resumed {
  readonly module: string;
  readonly before: Controls;
  readonly isStillPaused: boolean;
}

function resumedText({ haltMs }: Told, { module, before: { pauses }, isStillPaused }: Resumed): string {
  if (!pauses.has(module) && haltMs === undefined)
    return "as it was: there was no pause by that name, and no halt of it is on record";
  if (isStillPaused && module !== EVERYTHING) return "no longer paused by itself";
  return "resumed: it is synced again, and waves that halted go on";
}

function change(controls: Controls, kind: TellArguments["kind"], module: string, told: Told): Controls {
  const { pauses, resumes } = controls;
  if (kind === "pause") return { ...controls, pauses: new Map([...pauses, [module, told]]) };
  // Each pause of a module has a reason of its own, and ends by its own name.
  const left = [...pauses].filter(([name]) => name !== module);
  return { ...controls, pauses: new Map(left), resumes: new Map([...resumes, [module, told]]) };
}
