// `promote --apply`, for tests: the same command on the same systems, which kills itself at a moment that is given.
import { openPromotion } from "../../src/cli/compose/promotion.ts";
import { faultExitCode, openLog, openOutput } from "../../src/cli/terminal/output.ts";
import { promoteCommand } from "../../src/cli/promote/command.ts";
import { Fault } from "../../src/ports.ts";
import { mortality, mortalPorts } from "./mortal.ts";

const [repository = "", log = "", dieAt = "", mode] = process.argv.slice(2);
const direct = mode === "direct";
const output = openOutput(process, { formats: [{ format: "text", file: undefined }], color: "never", variables: {} });
const ports = openPromotion(repository, { offline: false, writes: true, direct });
const run = { signal: new AbortController().signal, log: openLog(output, false) };
const arguments_ = { modules: [], evidence: [], revision: "HEAD", apply: true, direct };
try {
  process.exitCode = await promoteCommand(arguments_, mortalPorts(ports, mortality(log, Number(dieAt))), output, run);
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  output.say(`error: ${error.message}`);
  process.exitCode = faultExitCode(error);
}
