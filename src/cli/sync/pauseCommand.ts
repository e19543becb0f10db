import { MODULE_NAME_RULE, parseModuleName } from "../../catalogue/names.ts";
import { Fault, type Run } from "../../ports.ts";
import { pauseOrResume, type PausedPlace, type PauseOutcome, type PauseRequest } from "../../sync/pause.ts";
import { EVERYTHING, pauseText, type Controls, resumeCommand } from "../../sync/plan/controls.ts";
import { clock, connect, openRepository, userName } from "../compose/systems.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { chosenLandscapes, openScope } from "./landscapes.ts";

/** The arguments of `sync pause` and `sync resume`. */
interface PauseArguments {
  readonly repo: string;
  readonly kind: PauseRequest["kind"];
  readonly landscape: string;
  /** `undefined` for all modules. */
  readonly module: string | undefined;
  readonly reason: string;
  readonly by?: string | undefined;
}

/**
 * `kyma-modules sync pause` and `resume`: makes the writers of a landscape stop or continue. Returns the exit code.
 */
export async function pauseCommand(
  { repo, kind, landscape, module = EVERYTHING, reason, by = userName() }: PauseArguments,
  output: Output,
  run: Run,
): Promise<number> {
  if (module !== EVERYTHING && parseModuleName(module) === undefined)
    throw new Fault("CONFIGURATION", `Invalid module name ${module}: expected ${MODULE_NAME_RULE}.`);
  if (reason.trim() === "") throw new Fault("CONFIGURATION", "--reason is empty: give a reason, which is recorded.");
  // Read the commit that syncs serve, not uncommitted edits. A broken module must not prevent a pause of another one.
  const worktree = (await openRepository(repo).head(run)) === undefined;
  const scope = await openScope({ repo, worktree, withoutRegistry: true }, output, run);
  if (scope === undefined) return EXIT.findings;
  const { repository: folder, identity: repository, catalogue } = scope;
  for (const one of chosenLandscapes(catalogue.settings, [landscape])) {
    const controlPlane = await connect(one.controlPlane, folder);
    const place = { landscape: one, repository, modules: catalogue.modules.keys(), controlPlane };
    const request = { kind, module, by, reason };
    const outcome = await pauseOrResume(request, place, clock, run);
    for (const line of pauseLines(request, place, outcome)) output.say(line);
  }
  return EXIT.fine;
}

const PAUSED =
  "paused: nothing is written, not even withdrawals, until it is resumed (kyma-modules sync resume). A sync that is already running completes";

/** The new state of a landscape. */
function pauseLines(
  { kind, module }: PauseRequest,
  { landscape: { name, namespace }, controlPlane }: PausedPlace,
  outcome: PauseOutcome,
): readonly string[] {
  const { before, after, isSynced } = outcome;
  const more = kind === "pause" ? replacedBy(module, before) : stillPaused(name, module, after);
  const done = kind === "pause" ? PAUSED : resumedText(module, outcome, more.length > 0);
  return [
    `${name}: ${pausedSubject(module)} is ${done}`,
    ...(isSynced ? [] : [`Nothing was synced to ${namespace} on ${controlPlane.server} yet.`]),
    ...more,
  ];
}

function pausedSubject(module: string): string {
  return module === EVERYTHING ? "everything" : module;
}

function replacedBy(module: string, { pauses }: Controls): readonly string[] {
  const pause = pauses.get(module);
  return pause === undefined ? [] : [`It replaces an earlier pause: ${pauseText(pause)}`];
}

/** The pauses that remain for a part of it. */
function stillPaused(landscape: string, module: string, { pauses }: Controls): readonly string[] {
  const left = [...pauses].filter(([name]) => module === EVERYTHING || name === EVERYTHING);
  return left.map(([name, pause]) => {
    const command = resumeCommand(landscape, name === EVERYTHING ? undefined : name);
    return `${pausedSubject(name)} is still paused: ${pauseText(pause)}. To resume: ${command}`;
  });
}

function resumedText(module: string, { before, haltMs }: PauseOutcome, isStillPaused: boolean): string {
  if (!before.pauses.has(module) && haltMs === undefined)
    return "unchanged: it has no pause of its own, and no halted wave is recorded";
  if (isStillPaused && module !== EVERYTHING) return "resumed, but a pause of everything remains";
  return "resumed: it is synced again, and halted waves continue";
}
