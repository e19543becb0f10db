import { simulationPage } from "../../promote/simulate/page.ts";
import { prepareSimulation, type SimulationRequest } from "../../promote/simulate/prepare.ts";
import { simulate } from "../../promote/simulate/simulate.ts";
import type { ReplayInput } from "../../promote/simulate/replayInput.ts";
import type { Run } from "../../ports.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { sayUnreadable } from "../loadCatalogue.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { simulationJson, simulationText } from "./report.ts";

/** `kyma-modules simulate`: replays a history under a policy. Returns the exit code. */
export async function simulateCommand(
  request: SimulationRequest,
  { world, check }: PromotionPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const prepared = await prepareSimulation(request, { ...world, head: check.openHead() }, run);
  if (prepared.kind === "unreadable") {
    sayUnreadable(prepared.findings, output);
    return EXIT.findings;
  }
  const { question, revision } = prepared;
  const { input, channels } = question;
  sayReading(input, output, run);
  const simulation = await simulate(question, world.clock, run);
  const policies = channels.map(({ channel, followed }) => ({
    file: channel.file.path,
    channel: channel.name,
    follows: followed.name,
  }));
  const report = { simulation, input, policies, revision, decidedAt: world.clock.nowMs() };
  // Handle a signal that arrived while the last module was replayed.
  await world.clock.pause(0, run);
  output.report({
    text: (paper) => simulationText(report, paper),
    json: () => simulationJson(report),
    html: () => simulationPage(report).trimEnd(),
  });
  return EXIT.fine;
}

/** Prints omitted lines always, and corrected lines with --verbose. The report counts both. */
function sayReading({ findings }: ReplayInput, output: Output, run: Run): void {
  for (const { file, line, severity, message } of findings) {
    if (severity !== "note") output.say(`${file}:${String(line)}: ${output.paint("change", severity)}: ${message}`);
    else run.log.info(message, { file, line });
  }
}
