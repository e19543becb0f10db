import { parseChannelName, type ChannelName } from "../../catalogue/names.ts";
import type { Decided, InterventionRequest } from "../../promote/intervene.ts";
import { Fault, type Run } from "../../ports.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { readSubject } from "../promote/subjects.ts";

/** The arguments of `hold`, `unhold` and `withdraw`. */
export interface InterveneArguments {
  readonly kind: "hold" | "unhold" | "withdraw";
  /** `MODULE@VERSION`. */
  readonly subject: string;
  readonly channel?: string | undefined;
  readonly reason: string;
  /** ISO 8601. */
  readonly until?: string | undefined;
  readonly by?: string | undefined;
  readonly direct?: boolean;
  readonly dryRun?: boolean;
}

/** What a person asks for with `hold`, `unhold` or `withdraw`. Throws CONFIGURATION for what is no request. */
export async function readRequest(
  { kind, subject, channel: name, reason, until, by }: InterveneArguments,
  ports: PromotionPorts,
  run: Run,
): Promise<InterventionRequest> {
  const channel = name === undefined ? undefined : readChannel(name);
  const common = { ...readSubject(subject), reason, by: by ?? (await ports.login(run)) };
  if (kind === "hold") return { ...common, kind, channel, until };
  if (kind === "unhold") return { ...common, kind, channel };
  if (channel === undefined) throw new Fault("CONFIGURATION", "A version is withdrawn from a channel: --channel NAME.");
  return { ...common, kind, channel };
}

function readChannel(name: string): ChannelName {
  const channel = parseChannelName(name);
  if (channel === undefined)
    throw new Fault(
      "CONFIGURATION",
      `${name} is no name of a channel. Name one that stands in channels/, as channels/NAME.yaml.`,
    );
  return channel;
}

/** Refuses a request that is wrong itself; what only cannot be done now is reported. Throws CONFIGURATION. */
export function refuseUsage(decided: Decided | undefined): void {
  if (decided?.kind !== "refused" || !decided.isUsage) return;
  throw new Fault("CONFIGURATION", `${decided.why} ${decided.remedy}`);
}
