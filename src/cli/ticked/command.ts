import { printable } from "../../document/printable.ts";
import type { TickedBox } from "../../promote/dashboardIssue/boxes.ts";
import { decideEdit, readEdit, type EditDecision, type IssueEdit } from "../../promote/dashboardIssue/edit.ts";
import { LABEL } from "../../promote/dashboardIssue/cache.ts";
import { dashboardPlace } from "../../promote/dashboardIssue/place.ts";
import type { Gathered } from "../../promote/gather.ts";
import { Fault, type Run } from "../../ports.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { boardIn, reportDashboard } from "../promote/dashboard.ts";
import { gatherDecision } from "../promote/context.ts";
import { interveneCommand } from "../intervene/command.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { promoteCommand } from "../promote/command.ts";
import type { PlanLandscape } from "../../sync/prepare.ts";

type Ports = PromotionPorts & { readonly plan: PlanLandscape };

interface TickedArguments {
  /** The file with GitHub's event. */
  readonly event: string;
  /** Paths of files. */
  readonly evidence: readonly string[];
}

/**
 * `kyma-modules ticked`: carries out a request from the dashboard, if its sender may make it. Returns the exit code.
 */
export async function tickedCommand(
  arguments_: TickedArguments,
  ports: Ports,
  output: Output,
  run: Run,
): Promise<number> {
  const edit = await readEvent(arguments_.event, ports, run);
  const context = await gatherDecision({ ...arguments_, revision: "HEAD", isUrgent: true }, ports.world, output, run);
  if (context === undefined) return EXIT.findings;
  const asked = await askedBy(edit, context.gathered, run);
  switch (asked.kind) {
    case "nothing":
      output.result(`nothing to do: ${printable(asked.why)}`);
      return EXIT.fine;
    case "refused":
      output.result(`${output.paint("bad", "refused")}: ${printable(asked.why)}\n    ${printable(asked.remedy)}`);
      return EXIT.findings;
    case "wishes":
      return carryOut(asked.wishes, { edit, arguments_, ports }, output, run);
  }
}

async function readEvent(path: string, { check }: Ports, run: Run): Promise<IssueEdit> {
  const { content } = await check.namedFiles.readOne(path, run);
  const edit = readEdit(parsed(Buffer.from(content).toString(), path));
  if (edit !== undefined) return edit;
  const message = `${path} is not an "issues: edited" event. In a workflow: kyma-modules ticked "$GITHUB_EVENT_PATH".`;
  throw new Fault("CONFIGURATION", message);
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("CONFIGURATION", `${path} is not JSON. Name the file of the event.`, { cause });
  }
}

async function askedBy(edit: IssueEdit, gathered: Gathered, run: Run): Promise<EditDecision> {
  const found = boardIn(gathered);
  if (found === undefined)
    throw new Fault("CONFIGURATION", "No dashboard is configured. Enable it: forge.dashboard in kyma-modules.yaml.");
  const { board, settings } = found;
  const place = dashboardPlace(await board.issues(LABEL, run));
  const right = edit.isBot ? "unknown" : await board.rightOf(edit.sender, run);
  const startedBy = process.env["GITHUB_TRIGGERING_ACTOR"] ?? "";
  return decideEdit(edit, { repository: settings.repository, place, right, startedBy });
}

interface Asking {
  readonly edit: IssueEdit;
  readonly arguments_: TickedArguments;
  readonly ports: Ports;
}

/**
 * Holds come first, because a held version is not promoted. All promotions are one act, because a merge moves the base;
 * that act also updates the dashboard. A failed act does not stop the others.
 */
async function carryOut(wishes: readonly TickedBox[], asking: Asking, output: Output, run: Run): Promise<number> {
  const holds = wishes.filter((wish) => wish.kind === "hold");
  const applies = wishes.filter((wish) => wish.kind === "apply");
  const acts = [
    ...holds.map((wish) => () => hold(wish, asking, output, run)),
    () => (applies.length > 0 ? apply(applies, asking, output, run) : refresh(asking, output, run)),
  ];
  const faults: Fault[] = [];
  let code = EXIT.fine;
  for (const act of acts) {
    try {
      code = Math.max(code, await act());
    } catch (error) {
      if (!(error instanceof Fault) || run.signal.aborted) throw error;
      faults.push(error);
    }
  }
  const [first, ...others] = faults;
  for (const fault of others) run.log.warn(fault.message);
  if (first !== undefined) throw first;
  return code;
}

function hold(
  { module, version, channel }: Extract<TickedBox, { kind: "hold" }>,
  { edit: { sender }, ports }: Asking,
  output: Output,
  run: Run,
): Promise<number> {
  const reason = `asked for on the dashboard by @${sender}`;
  const subject = `${module}@${version}`;
  return interveneCommand({ kind: "hold", subject, channel, reason, by: sender }, ports, output, run);
}

function apply(
  only: readonly Extract<TickedBox, { kind: "apply" }>[],
  { arguments_: { evidence }, ports }: Asking,
  output: Output,
  run: Run,
): Promise<number> {
  return promoteCommand({ modules: [], only, evidence, revision: "HEAD", apply: true }, ports, output, run);
}

/** Updates the dashboard, which unticks the box and shows the proposal. */
async function refresh({ arguments_, ports }: Asking, output: Output, run: Run): Promise<number> {
  const context = await gatherDecision({ ...arguments_, revision: "HEAD", isUrgent: true }, ports.world, output, run);
  if (context === undefined) return EXIT.findings;
  await reportDashboard(context.gathered, [], ports, output, run);
  return EXIT.fine;
}
