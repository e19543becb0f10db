import { MODULE_NAME_RULE, parseModuleName } from "../../catalogue/names.ts";
import { Fault, type Run } from "../../ports.ts";
import { changeControls } from "../../sync/controlStore.ts";
import { EVERYTHING, type Controls, type Told } from "../../sync/plan/controls.ts";
import { entriesIn, placeOfKey, type EntryRecord } from "../../sync/plan/records.ts";
import { readRecords } from "../../sync/recordStore.ts";
import { openSource } from "../compose/compose.ts";
import { clock, connect, userName } from "../compose/systems.ts";
import { loadCatalogue } from "../loadCatalogue.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { chosenLandscapes } from "./landscapes.ts";

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
  const { kind, module = EVERYTHING, reason, by = userName() } = arguments_;
  if (module !== EVERYTHING && parseModuleName(module) === undefined)
    throw new Fault("CONFIGURATION", `Invalid module name ${module}: expected ${MODULE_NAME_RULE}.`);
  if (reason.trim() === "")
    throw new Fault("CONFIGURATION", "--reason is empty: say why, for those who read it later.");
  const catalogue = await loadCatalogue(openSource(arguments_.repo, undefined), output, run);
  if (catalogue === undefined) return EXIT.findings;
  for (const { name, namespace, controlPlane: address } of chosenLandscapes(catalogue.settings, [
    arguments_.landscape,
  ])) {
    const controlPlane = await connect(address, arguments_.repo);
    const served = entriesIn((await readRecords(controlPlane, namespace, run)).records);
    refuseUnknown(
      module,
      [...catalogue.modules.keys(), ...[...served.keys()].map((key) => placeOfKey(key).module)],
      name,
    );
    const told: Told = {
      by,
      reason,
      atMs: clock.nowMs(),
      ...(kind === "resume" && { haltMs: lastHalt(module, served) }),
    };
    await changeControls((controls) => change(controls, kind, module, told), { controlPlane, namespace }, run);
    output.say(`${name}: ${module === EVERYTHING ? "everything" : module} is ${DONE[kind]}`);
  }
  return EXIT.fine;
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

const DONE = {
  pause: "paused: nothing is written of it, withdrawals neither, until it is resumed (kyma-modules sync resume)",
  resume: "resumed: it is synced again, and waves that halted go on",
} as const;

function change(controls: Controls, kind: TellArguments["kind"], module: string, told: Told): Controls {
  const { pauses, resumes } = controls;
  if (kind === "pause") return { ...controls, pauses: new Map([...pauses, [module, told]]) };
  const left = [...pauses].filter(([name]) => name !== module && module !== EVERYTHING);
  return { ...controls, pauses: new Map(left), resumes: new Map([...resumes, [module, told]]) };
}
