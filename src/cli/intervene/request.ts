import type { InterventionRequest } from "../../promote/intervene.ts";
import { Fault, type Run } from "../../ports.ts";
import type { PromotionWorld } from "../../promote/gather.ts";
import { readChannel, readModuleAtVersion } from "../arguments.ts";

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

/** Reads the request of `hold`, `unhold` or `withdraw`. Throws CONFIGURATION for invalid arguments. */
export async function readRequest(
  { kind, subject, channel: name, reason, until, by }: InterveneArguments,
  world: PromotionWorld,
  run: Run,
): Promise<InterventionRequest> {
  const channel = name === undefined ? undefined : readChannel(name);
  const common = { ...readModuleAtVersion(subject), reason, by: by ?? (await world.login(run)) };
  if (kind === "hold") return { ...common, kind, channel, until };
  if (kind === "unhold") return { ...common, kind, channel };
  if (channel === undefined) throw new Fault("CONFIGURATION", "Name the channel to withdraw from: --channel NAME.");
  return { ...common, kind, channel };
}
