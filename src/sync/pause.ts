import type { Landscape } from "../catalogue/settings.ts";
import { Fault, type Clock, type ControlPlane, type Run } from "../ports.ts";
import { changeControls } from "./controlStore.ts";
import { EVERYTHING, NO_CONTROLS, withPause, withResume, type Controls } from "./plan/controls.ts";
import { entriesIn, placeOfKey, type EntryRecord } from "./plan/records.ts";
import { readRecords, refuseForeign } from "./recordStore.ts";

/** A request to make the writers of a landscape stop or continue. */
export interface PauseRequest {
  readonly kind: "pause" | "resume";
  /** A module, or `EVERYTHING`. */
  readonly module: string;
  readonly by: string;
  readonly reason: string;
}

/** The landscape whose writers are asked. */
export interface PausedPlace {
  readonly landscape: Pick<Landscape, "name" | "namespace">;
  /** The expected owner of the records. */
  readonly repository: string;
  /** The modules of the repository. */
  readonly modules: Iterable<string>;
  readonly controlPlane: ControlPlane;
}

/** The instructions of a landscape before and after a pause or a resume. */
export interface PauseOutcome {
  readonly before: Controls;
  readonly after: Controls;
  /** Whether something was synced there yet. */
  readonly isSynced: boolean;
  /** Of a resume: when a wave of it halted last, in Unix milliseconds; `undefined` if none is halted. */
  readonly haltMs: number | undefined;
}

/**
 * Pauses or resumes a module or everything on a landscape. Throws CONFIGURATION for records of another owner and for a
 * module that neither the repository nor the landscape has: pausing a misspelt name would stop nothing.
 */
export async function pauseOrResume(
  { kind, module, by, reason }: PauseRequest,
  { landscape: { name, namespace }, repository, modules, controlPlane }: PausedPlace,
  clock: Pick<Clock, "nowMs">,
  run: Run,
): Promise<PauseOutcome> {
  const { records, owner } = await readRecords(controlPlane, namespace, run);
  refuseForeign(owner, { landscape: name, repository }, controlPlane.server);
  const served = entriesIn(records);
  refuseUnknown(module, [...modules, ...[...served.keys()].map((key) => placeOfKey(key).module)], name);
  const haltMs = kind === "resume" ? lastHalt(module, served) : undefined;
  const instruction = { by, reason, atMs: clock.nowMs(), haltMs };
  let before: Controls = NO_CONTROLS;
  const after = await changeControls(
    (controls) => {
      before = controls;
      return (kind === "pause" ? withPause : withResume)(controls, module, instruction);
    },
    { controlPlane, namespace },
    run,
  );
  return { before, after, isSynced: records.kind !== "none", haltMs };
}

function refuseUnknown(module: string, known: readonly string[], landscape: string): void {
  if (module === EVERYTHING || known.includes(module)) return;
  const all = [...new Set(known)].sort().join(", ");
  const trouble = `There is no module ${module} in the repository or on ${landscape}.`;
  throw new Fault("CONFIGURATION", `${trouble} ${all === "" ? "" : `Name one of ${all}.`}`.trim());
}

/** When a wave of a module halted last, as the controller recorded it, in Unix milliseconds. */
function lastHalt(module: string, served: ReadonlyMap<string, EntryRecord>): number | undefined {
  const halts = [...served].flatMap(([key, { current }]) =>
    module === EVERYTHING || placeOfKey(key).module === module ? (current?.wave?.halt?.sinceMs ?? []) : [],
  );
  return halts.length === 0 ? undefined : Math.max(...halts);
}
