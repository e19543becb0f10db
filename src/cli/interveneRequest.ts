import { parseChannelName, type ChannelName } from "../catalogue/names.ts";
import { validate } from "../catalogue/schema.ts";
import type { Gathered } from "../promote/gather.ts";
import type { InterventionRequest } from "../promote/intervene.ts";
import { instantText } from "../promote/verdict/text.ts";
import { Fault, type Run } from "../ports.ts";
import type { PromotionPorts } from "./composePromotion.ts";
import { readSubject } from "./promoteSubjects.ts";

/** The arguments of `hold`, `unhold` and `withdraw`. */
export interface InterveneArguments {
  readonly kind: "hold" | "unhold" | "withdraw";
  /** `MODULE@VERSION`. */
  readonly subject: string;
  readonly channel: string | undefined;
  readonly reason: string;
  /** ISO 8601. */
  readonly until: string | undefined;
  readonly by: string | undefined;
  readonly direct: boolean;
  readonly dryRun: boolean;
}

/** What a person asks for with `hold`, `unhold` or `withdraw`. Throws CONFIGURATION for what no file could say. */
export async function readRequest(
  { kind, subject, channel: name, reason, until, by }: InterveneArguments,
  ports: PromotionPorts,
  run: Run,
): Promise<InterventionRequest> {
  const channel = name === undefined ? undefined : readChannel(name);
  const common = { ...readSubject(subject), reason, by: by ?? (await ports.login(run)) };
  const since = instantText(ports.world.clock.nowMs());
  refuseEntry("holds", {
    version: common.version,
    reason,
    by: common.by,
    since,
    ...(until !== undefined && { until }),
  });
  if (until !== undefined && Date.parse(until) <= ports.world.clock.nowMs())
    throw new Fault(
      "CONFIGURATION",
      `A hold until ${until} would have ended already: it is ${since}. Name a later instant.`,
    );
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

/** Refuses options that would make an entry that its file may not have. Throws CONFIGURATION. */
export function refuseEntry(kind: "holds" | "hotfixes", entry: object): void {
  const [problem] = validate(kind, { format: 1, [kind]: [entry] });
  if (problem === undefined) return;
  throw new Fault("CONFIGURATION", `--${String(problem.path[2])} ${problem.message}. ${problem.remedy}`);
}

/** Refuses a request about what is not there. Throws CONFIGURATION. */
export function refuseUnknown({ module, channel }: InterventionRequest, { catalogue, histories }: Gathered): void {
  const { channels, modules } = catalogue;
  if (channel !== undefined && !channels.has(channel))
    throw new Fault("CONFIGURATION", `There is no channel ${channel}. Name one of ${[...channels.keys()].join(", ")}.`);
  const known = new Set([...modules.keys(), ...histories.modules]);
  if (known.has(module)) return;
  const remedy = known.size === 0 ? "There is no module at all." : `Name one of ${[...known].sort().join(", ")}.`;
  throw new Fault("CONFIGURATION", `Nothing is known of a module ${module}: no channel ever served it. ${remedy}`);
}
