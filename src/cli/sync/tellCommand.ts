import { MODULE_NAME_RULE, parseModuleName } from "../../catalogue/names.ts";
import { Fault, type Run } from "../../ports.ts";
import { changeControls } from "../../sync/controlStore.ts";
import { EVERYTHING, type Controls, type Told } from "../../sync/plan/controls.ts";
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
    const told: Told = { by, reason, atMs: clock.nowMs() };
    await changeControls((controls) => change(controls, kind, module, told), { controlPlane, namespace }, run);
    output.say(`${name}: ${module === EVERYTHING ? "everything" : module} is ${DONE[kind]}`);
  }
  return EXIT.fine;
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
