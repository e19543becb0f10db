import { holdsPath } from "../../catalogue/paths.ts";
import { changeHolds } from "../../catalogue/entries.ts";
import type { ChannelName } from "../../catalogue/names.ts";
import type { Hold } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { inForce, type HeldPeriod } from "../verdict/holding.ts";
import { dropCommand } from "../verdict/people.ts";
import {
  entryRefusal,
  holdsInForce,
  inChannel,
  nowText,
  requestRefusal,
  refused,
  type FileChange,
  type Intervention,
  type ModuleContext,
  type RefusedRequest,
  type PersonRequest,
} from "./intervention.ts";
import type { ProposedHold } from "../verdict/subject.ts";

/** The channels whose decrease by hand still keeps `version` out, each once. */
export function decreasedChannels(
  periods: readonly HeldPeriod[],
  version: ModuleVersion,
  nowMs: number,
): readonly ChannelName[] {
  const own = inForce(periods, nowMs).filter((period) => period.version === version);
  return [...new Set(own.flatMap(({ why }) => (why.kind === "decrease" ? [why.channel] : [])))];
}

/**
 * Lifts the holds on a version: removes the entries. If only a decrease by hand holds it, adds a hold that has ended,
 * which is how the files say that a person lifted it.
 *
 * Takes:  `decreased`, the result of `decreasedChannels` for all channels; `proposed`, the holds that are not merged
 *         yet.
 */
export function decideUnhold(
  request: PersonRequest,
  known: ModuleContext,
  decreased: readonly ChannelName[],
  proposed: readonly ProposedHold[],
): Intervention {
  const { module, version, channel, reason, by } = request;
  const now = nowText(known);
  const lifted: Hold = { version, ...(channel !== undefined && { channel }), reason, by, since: now, until: now };
  // A hold on a channel that does not exist can be lifted, too.
  const isNamed = holdsInForce(known, request).some((hold) => hold.channel === channel);
  const about = isNamed ? { ...request, channel: undefined } : request;
  const refusal = requestRefusal(about, known) ?? entryRefusal("holds", lifted) ?? narrowingRefusal(request, known);
  if (refusal !== undefined) return refusal;
  const isMeant = (other: ChannelName | undefined): boolean => channel === undefined || channel === other;
  const removed = holdsInForce(known, request).filter((hold) => isMeant(hold.channel));
  const implicit = decreased.filter(
    (name) => isMeant(name) && !removed.some((hold) => hold.channel === undefined || hold.channel === name),
  );
  if (removed.length + implicit.length === 0) {
    const waiting = proposed
      .filter((hold) => hold.module === module && hold.version === version && isMeant(hold.channel))
      .map(({ channel: place, source }) => {
        const how = URL.canParse(source) ? `close ${source}` : dropCommand(source);
        return `A hold${inChannel(place)} is only proposed: take it back (${how}).`;
      });
    const why = `${module} ${version} is not held${inChannel(channel)}.`;
    return { kind: "nothing", why: [why, ...waiting].join(" ") };
  }
  const text = changeHolds(known.catalogue.modules.get(module), {
    become: (hold) => (removed.includes(hold) ? undefined : hold),
    added: implicit.length === 0 ? [] : [lifted],
  });
  return {
    kind: "change",
    subject: `Unhold ${module} ${version}${inChannel(channel)}`,
    files: new Map([[holdsPath(module), text]]),
    sentences: liftSentences(request, known, { removed, implicit }),
  };
}

/**
 * Refuses to lift a hold on all channels for one: that would write new holds for the others in another person's name.
 */
function narrowingRefusal(request: PersonRequest, known: ModuleContext): RefusedRequest | undefined {
  const { module, version, channel } = request;
  const wide = holdsInForce(known, request).find((hold) => hold.channel === undefined);
  if (channel === undefined || wide === undefined) return undefined;
  const others = [...known.catalogue.channels.keys()].filter((name) => name !== channel);
  return refused(
    `${module} ${version} is held in all channels (${wide.reason}, ${wide.by}), and that cannot be lifted for ${channel} alone.`,
    `Lift it without --channel, or give ${holdsPath(module)} an entry for each of ${others.join(", ")} instead, in one change.`,
  );
}

interface Lifted {
  readonly removed: readonly Hold[];
  readonly implicit: readonly ChannelName[];
}

function liftSentences(
  { module, version }: PersonRequest,
  { catalogue }: ModuleContext,
  { removed, implicit }: Lifted,
): FileChange["sentences"] {
  const managers = catalogue.settings.releaseManagers.join(", ");
  return [
    ...removed.map(({ channel, reason, by }) => `Removed: the hold${inChannel(channel)} (${reason}, ${by}).`),
    ...implicit.map(
      (name) =>
        `${name} went down by hand, which held ${module} ${version}: a hold that has ended says that it is lifted.`,
    ),
    `It counts once it is merged with the approval of a release manager${managers === "" ? "; kyma-modules.yaml names none" : ` (${managers})`}.`,
  ];
}
