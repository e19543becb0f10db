import { holdsPath, versionTemplatePath } from "../../catalogue/paths.ts";
import { bumpFile, type BumpedFile } from "../../catalogue/bump.ts";
import type { Channel } from "../../catalogue/catalogue.ts";
import { interventionCommand } from "../../catalogue/commands.ts";
import { changeHolds } from "../../catalogue/entries.ts";
import { isAsStrong } from "../../catalogue/holdStrength.ts";
import type { ChannelName } from "../../catalogue/names.ts";
import { isHeld, type Hold } from "../../catalogue/policy.ts";
import type { Template } from "../../catalogue/template.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import { inForce, type HeldPeriod } from "../verdict/holding.ts";
import {
  entryRefusal,
  standingHolds,
  nowText,
  requestRefusal,
  refused,
  unknownChannel,
  type FileChange,
  type ModuleContext,
  type NoChange,
  type RefusedRequest,
  type PersonRequest,
} from "./intervention.ts";
import { retreatConsequences, type Consequences } from "./consequences.ts";

/** A request to withdraw a version, always from one channel. */
interface WithdrawRequest extends PersonRequest {
  readonly channel: ChannelName;
}

/** The known facts when a withdrawal is decided. */
export interface WithdrawKnown extends ModuleContext {
  /** The template of a version of the module, from the head or its history; `undefined` if there is none. */
  readonly templateOf: (version: ModuleVersion) => Template | undefined;
  /** All periods in which a version may not enter the channel. */
  readonly held: readonly HeldPeriod[];
}

/** The decision on a withdrawal. */
export type Withdrawal = (FileChange & Withdrawn) | NoChange;

/** The effect of a withdrawal. */
interface Withdrawn extends Consequences {
  /** The version that the channel serves again; `undefined` if the withdrawal only holds. */
  readonly back: ModuleVersion | undefined;
  /** The versions that it newly holds, highest first. */
  readonly held: readonly ModuleVersion[];
}

/**
 * Withdraws the version that a channel serves: holds it and every higher version that the channel ever served, and puts
 * back the newest earlier version that is not held. If the channel is mandatory, or serves another version, it only
 * holds.
 */
export function decideWithdrawal(request: WithdrawRequest, known: WithdrawKnown): Withdrawal {
  const { module, version } = request;
  const channel = known.catalogue.channels.get(request.channel);
  if (channel === undefined) return unknownChannel(request.channel, known.catalogue);
  const refusal = requestRefusal(request, known) ?? entryRefusal("holds", withdrawEntry(request, version, known));
  if (refusal !== undefined) return refusal;
  const current = channel.templates.get(module)?.version;
  const ever = known.ever.get(channel.name) ?? [];
  if (!ever.includes(version))
    return refused(
      `${channel.name} never served ${module} ${version}${current === undefined ? "" : `; it serves ${current}`}.`,
      `To keep it out: ${interventionCommand("hold", request)}`,
    );
  const situation = { channel, current, ever, held: versionsToHold(request, known, { ever, current }) };
  return current === version && channel.kind === "release"
    ? putBack(request, known, situation)
    : holdOnly(request, known, situation);
}

/** The channel, and its state for the request. */
interface WithdrawContext {
  readonly channel: Channel;
  readonly current: ModuleVersion | undefined;
  /** Highest first. */
  readonly ever: readonly ModuleVersion[];
  /** The versions to hold that are not held yet, highest first. */
  readonly held: readonly ModuleVersion[];
}

function withdrawEntry({ channel, reason, by }: WithdrawRequest, version: ModuleVersion, known: ModuleContext): Hold {
  return { version, channel, reason, by, since: nowText(known) };
}

/**
 * The version and all higher ones, as a step down demands; only the version if the channel serves a higher one now. An
 * existing hold that ends by itself is not enough: the version would come back with the next promotion.
 */
function versionsToHold(
  request: WithdrawRequest,
  known: WithdrawKnown,
  { ever, current }: Pick<WithdrawContext, "ever" | "current">,
): readonly ModuleVersion[] {
  const { version } = request;
  const holds = standingHolds(known, request);
  const isOvertaken = current !== undefined && compareVersions(current, version) > 0;
  const wanted = isOvertaken ? [version] : ever.filter((other) => compareVersions(other, version) >= 0);
  return wanted.filter((other) => !holds.some((hold) => isAsStrong(hold, withdrawEntry(request, other, known))));
}

function holdsFile(
  request: WithdrawRequest,
  known: WithdrawKnown,
  { held }: Pick<WithdrawContext, "held">,
): [string, string] {
  const added = held.map((version) => withdrawEntry(request, version, known));
  return [holdsPath(request.module), changeHolds(known.catalogue.modules.get(request.module), { added })];
}

function holdOnly(request: WithdrawRequest, known: WithdrawKnown, situation: WithdrawContext): Withdrawal {
  const { module, version } = request;
  const { channel, held } = situation;
  const why = whyNotBack(request, situation);
  if (held.length === 0)
    return { kind: "nothing", why: `${module} ${version} is held in ${channel.name} already. ${why}` };
  return {
    kind: "change",
    subject: `Hold ${module} ${version} in ${channel.name}`,
    files: new Map([holdsFile(request, known, situation)]),
    back: undefined,
    held,
    sentences: [
      `Held in ${channel.name} from now on: ${module} ${held.join(", ")}. ${why}`,
      ...elsewhere(request, known),
    ],
    ...retreatConsequences(module, known, { ...situation, version, back: undefined }),
  };
}

function whyNotBack({ module, version }: WithdrawRequest, { channel, current }: WithdrawContext): string {
  if (current === undefined) return `${channel.name} serves no ${module} now: there is nothing to put back.`;
  if (current !== version)
    return `${channel.name} serves ${current} and no longer ${version}: there is nothing to put back.`;
  return `${channel.name} is mandatory: lifecycle-manager would install an earlier version at once on every cluster, so ${version} stays until a higher one takes its place.`;
}

function putBack(request: WithdrawRequest, known: WithdrawKnown, situation: WithdrawContext): Withdrawal {
  const { module, version, channel: name } = request;
  const consequences = (back: ModuleVersion | undefined): Consequences =>
    retreatConsequences(module, known, { ...situation, version, back });
  const { back, between } = withdrawTarget(request, known, situation);
  if (back === undefined)
    return refused(
      `${name} never served an earlier version of ${module} that is not held: there is none to put back.`,
      `Stop ${version} on its way (${interventionCommand("hold", request)}). ${consequences(undefined).remedy}`,
    );
  const held = [...situation.held, ...between];
  const file = withdrawFile(request, back, known.templateOf(back));
  if (file.kind === "refused") return file;
  return {
    kind: "change",
    subject: `Withdraw ${module} ${version} from ${name}`,
    files: new Map([...(held.length === 0 ? [] : [holdsFile(request, known, { held })]), [file.path, file.text]]),
    back,
    held,
    sentences: [
      `${name} goes back from ${module} ${version} to ${back}, the newest earlier version that it served and that is not held.`,
      ...(held.length === 0 ? [] : [`Held in ${name} from now on: ${module} ${held.join(", ")}.`]),
      ...elsewhere(request, known),
    ],
    ...consequences(back),
  };
}

/**
 * The newest earlier version that is not held, and the versions `between` that no entry of the channel holds. A version
 * that went down by hand, or was withdrawn upstream, counts as held, and a withdrawal declares that in the files.
 */
function withdrawTarget(
  request: WithdrawRequest,
  known: WithdrawKnown,
  { ever }: WithdrawContext,
): { readonly back: ModuleVersion | undefined; readonly between: readonly ModuleVersion[] } {
  const { version, channel } = request;
  const kept = new Set(inForce(known.held, known.nowMs).map((period) => period.version));
  const earlier = ever.filter((other) => compareVersions(other, version) < 0);
  const free = earlier.filter((other) => !isHeld(standingHolds(known, request), other, channel, known.nowMs));
  const back = free.find((other) => !kept.has(other));
  return { back, between: back === undefined ? [] : free.slice(0, free.indexOf(back)) };
}

function withdrawFile(
  { module, channel }: WithdrawRequest,
  back: ModuleVersion,
  template: Template | undefined,
): BumpedFile | RefusedRequest {
  if (template === undefined)
    return refused(
      `${channel} once served ${module} ${back}, but no file of the repository and no commit has its template any more.`,
      `Add ${versionTemplatePath(module, back)}, and withdraw again.`,
    );
  const { path, text } = template.file;
  const file = bumpFile({ module, version: back, channel }, { name: path, content: Buffer.from(text) });
  if (file.kind === "file") return file;
  return refused(
    `The template of ${module} ${back} (${path}) cannot be served: ${file.why}`,
    "Correct it, and withdraw again.",
  );
}

/** Says which other channels keep the version, since people may expect them to go back too. */
function elsewhere({ module, version, channel }: WithdrawRequest, { catalogue }: WithdrawKnown): readonly string[] {
  return [...catalogue.channels.values()]
    .filter(({ name, templates }) => name !== channel && templates.get(module)?.version === version)
    .map(
      ({ name }) =>
        `${name} serves ${version}, too, and keeps it; to withdraw it there: ${interventionCommand("withdraw", { module, version, channel: name })}`,
    );
}
