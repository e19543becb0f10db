import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import { gatherContext } from "../../promote/context.ts";
import { decideAll, type Decision } from "../../promote/decisions.ts";
import { forgeIn } from "../../promote/gather.ts";
import { promote, type Carried } from "../../promote/promote.ts";
import { publishEvidence, type PublishWorld } from "../../promote/publish.ts";
import type { Assessment } from "../../promote/verdict/verdict.ts";
import { instantText } from "../../document/times.ts";
import type { Clock, NamedFile, Run } from "../../ports.ts";
import { rehearsedHealth, rehearsedSmoke } from "../../rehearsal/evidence.ts";
import type { HistoryPorts } from "../compose/promotion.ts";
import { outcomeReason } from "../promote/report.ts";
import type { LookAccount } from "./journal.ts";
import type { RehearsedFleet } from "./rehearsedFleet.ts";

/** A clone to promote on. */
interface PromotedClone {
  /** The ports to publish the evidence in the files `published`. */
  publishing(published: readonly NamedFile[], run: Run): Promise<PublishWorld>;
  /** The ports to promote; `observed` are its evidence files. */
  promotion(observed: readonly NamedFile[]): HistoryPorts;
}

/** The clone to promote on, its clock and its fleets. */
export interface PromotedTrain {
  readonly clone: PromotedClone;
  readonly clock: Clock;
  readonly fleets: readonly RehearsedFleet[];
}

const OBSERVED = "rehearsal.json";
/** The basis of decisions: the newest commit, and the evidence from clusters. */
export const QUESTION: { readonly revision: string; readonly evidence: readonly string[] } = {
  revision: "HEAD",
  evidence: [OBSERVED],
};

/** Publishes rehearsed smoke tests of the served versions to the clone's branch of evidence. */
export async function publishSmoke(
  catalogue: Catalogue,
  revision: string,
  { clone, clock }: PromotedTrain,
  run: Run,
): Promise<void> {
  const file = evidenceNamedFile(rehearsedSmoke(catalogue, clock.nowMs()));
  await publishEvidence({ files: [file.name], revision }, await clone.publishing([file], run), run);
}

/** Opens the ports for decisions, with the current health of clusters as evidence. */
export function openTrain(catalogue: Catalogue, { clone, clock, fleets }: PromotedTrain): HistoryPorts {
  const health = catalogue.settings.landscapes.flatMap(({ name }) => {
    const fleet = fleets.find(({ landscape }) => landscape.name === name);
    return fleet === undefined
      ? []
      : rehearsedHealth(catalogue, name, (...version) => fleet.healthOf(...version), clock.nowMs());
  });
  return clone.promotion([evidenceNamedFile(health)]);
}

/** Promotes versions that have earned it on the branch of the clone. Returns the account of all subjects. */
export async function promoteTrain(
  catalogue: Catalogue,
  train: PromotedTrain,
  run: Run,
): Promise<readonly LookAccount[]> {
  const ports = openTrain(catalogue, train);
  const context = await gatherContext(QUESTION, ports.world, run);
  if (context.kind === "unreadable") return [];
  const { gathered, observed } = context;
  const decisions = decideAll(gathered);
  const standing = decisions.flatMap(decisionStanding);
  const account = { subject: "promotion", did: [], standing };
  if (decisions.every(({ verdict }) => verdict.kind !== "promote")) return [account];
  const { carried, stoppedBy } = await ports.withGate(gathered, (gate) => {
    const context = { ...forgeIn(gathered), gate, observed, isDirect: true, nowMs: () => train.clock.nowMs() };
    return promote(decisions, gathered, context, run);
  });
  if (stoppedBy !== undefined) throw stoppedBy;
  return [{ ...account, did: carried.flatMap(doneText) }];
}

/** An evidence file, which is YAML: JSON is a subset of it. */
function evidenceNamedFile(evidence: readonly Evidence[]): NamedFile {
  return { name: OBSERVED, content: Buffer.from(JSON.stringify({ format: 1, evidence })) };
}

/** The state of the next version, and of the highest one if it differs. */
function decisionStanding({
  verdict: { kind, channel, module, chosen, candidates },
}: Decision): LookAccount["standing"] {
  if (kind !== "wait" && kind !== "blocked") return [];
  const [highest] = candidates;
  return [...new Set([highest, chosen])].flatMap((one) =>
    one === undefined ? [] : [{ text: assessmentText(`${channel}/${module} ${one.version}`, one), isAmiss: false }],
  );
}

function assessmentText(what: string, { kind, reasons, earliest }: Assessment): string {
  if (kind === "blocked") {
    const messages = reasons.flatMap(({ outcome, message }) => (outcome === "blocking" ? [message] : []));
    return [`${what} is blocked`, ...messages.map((message) => `    ${message}`)].join("\n");
  }
  const when = earliest?.kind === "at" ? ` until ${instantText(earliest.atMs)}` : "";
  const topics = reasons.flatMap(({ outcome, topic }) => (outcome === "waiting" ? [topic] : []));
  return `${what} waits${when}: ${[...new Set(topics)].join(", ")}`;
}

function doneText({ decision: { verdict }, outcome }: Carried): readonly string[] {
  if (verdict.kind !== "promote") return [];
  const what = `${verdict.channel}/${verdict.module} ${verdict.current ?? "–"} → ${verdict.chosen?.version ?? "–"}`;
  if (outcome.kind === "merged") return [`promoted ${what}`];
  const findings = outcome.kind === "refused" ? outcome.findings.map(({ message }) => `    ${message}`) : [];
  return [[`${what} is not promoted: ${outcomeReason(outcome) ?? outcome.kind}`, ...findings].join("\n")];
}
