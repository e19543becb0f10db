import { holdsPath } from "../../catalogue/paths.ts";
import { interventionCommand } from "../../catalogue/commands.ts";
import { changeHolds } from "../../catalogue/entries.ts";
import { isAsStrong } from "../../catalogue/holdStrength.ts";
import type { Hold } from "../../catalogue/policy.ts";
import {
  entryRefusal,
  holdsInForce,
  inChannel,
  misused,
  nowText,
  requestRefusal,
  type Intervention,
  type ModuleContext,
  type RefusedRequest,
  type PersonRequest,
} from "./intervention.ts";

/** A request to hold a version. */
export interface HoldRequest extends PersonRequest {
  /** ISO 8601 with zone; `undefined`: until the hold is lifted. */
  readonly until: string | undefined;
}

/**
 * Holds a version: after the merge it is not promoted, not carried to further landscapes and not accepted.
 *
 * A version may be held before it is submitted. The new hold replaces a hold that it covers, so that no one has to lift
 * two.
 */
export function decideHold(request: HoldRequest, known: ModuleContext): Intervention {
  const hold = holdEntry(request, known);
  const refusal = requestRefusal(request, known) ?? entryRefusal("holds", hold) ?? endRefusal(request, known);
  if (refusal !== undefined) return refusal;
  const { module, version, channel } = request;
  const inForce = holdsInForce(known, request);
  const stronger = inForce.find((other) => isAsStrong(other, hold));
  if (stronger !== undefined)
    return {
      kind: "nothing",
      why: `${module} ${version} is held${holdText(stronger)} already: ${reasonText(stronger)}.`,
    };
  const covered = inForce.filter((other) => isAsStrong(hold, other));
  const [first] = covered;
  const become = (other: Hold): Hold | undefined =>
    other === first ? hold : covered.includes(other) ? undefined : other;
  const said = known.catalogue.modules.get(module);
  const text = changeHolds(said, first === undefined ? { added: [hold] } : { become });
  return {
    kind: "change",
    subject: `Hold ${module} ${version}${inChannel(channel)}`,
    files: new Map([[holdsPath(module), text]]),
    sentences: [
      `${module} ${version} is held${holdText(hold)}: it is not promoted, not carried to further landscapes, and not accepted in a change.`,
      ...covered.map((other) => `This replaces the hold${holdText(other)}: ${reasonText(other)}.`),
      ...servingSentences(request, known),
    ],
  };
}

function holdEntry({ version, channel, reason, by, until }: HoldRequest, known: ModuleContext): Hold {
  return {
    version,
    ...(channel !== undefined && { channel }),
    reason,
    by,
    since: nowText(known),
    ...(until !== undefined && { until }),
  };
}

function endRefusal({ until }: HoldRequest, known: ModuleContext): RefusedRequest | undefined {
  if (until === undefined || Date.parse(until) > known.nowMs) return undefined;
  return misused(`A hold until ${until} would have ended already: it is ${nowText(known)}.`, "Name a later instant.");
}

function holdText({ channel, until }: Hold): string {
  return `${channel === undefined ? " in all channels" : inChannel(channel)}${until === undefined ? "" : ` until ${until}`}`;
}

function reasonText({ reason, by }: Hold): string {
  return `${reason} (${by})`;
}

/** Says what a hold does not do: it never changes a cluster, though people may expect that. */
function servingSentences(
  { module, version, channel }: HoldRequest,
  { catalogue, ever }: ModuleContext,
): readonly string[] {
  const serving = [...catalogue.channels.values()]
    .filter(({ name, templates }) => (channel ?? name) === name && templates.get(module)?.version === version)
    .map(
      ({ name }) =>
        `${name} serves it, and its clusters keep it; to put the previous version back: ${interventionCommand("withdraw", { module, version, channel: name })}`,
    );
  const isKnown =
    [...ever.values()].some((versions) => versions.includes(version)) ||
    catalogue.modules.get(module)?.templates.has(version) === true;
  return isKnown
    ? serving
    : [`No channel ever served ${version}, and no template of it is known: the hold waits for it.`];
}
