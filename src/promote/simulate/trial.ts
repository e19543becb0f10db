import { basename } from "node:path";
import type { Channel } from "../../catalogue/catalogue.ts";
import { conform } from "../../catalogue/conform.ts";
import type { PolicyFile } from "../../catalogue/draft.ts";
import { CHANNEL_NAME_RULE, parseChannelName, type ChannelName } from "../../catalogue/names.ts";
import { readYaml, type YamlFile } from "../../document/yaml/read.ts";
import { Fault, type NamedFile } from "../../ports.ts";
import { brokenFiles } from "../context.ts";
import { placeIn, type ChannelPath } from "../verdict/subject.ts";

/** A policy to try in place of a channel's own. */
export interface TriedPolicy {
  readonly file: YamlFile;
  readonly value: PolicyFile;
}

/** Reads a file with the policy of a channel. Throws CONFIGURATION for a broken file. */
export function readPolicy(file: NamedFile): TriedPolicy {
  const reading = readYaml(file.name, { kind: "bytes", bytes: file.content });
  if (reading.kind === "refused") throw brokenFiles(reading.findings);
  const { value, findings } = conform("channel", reading.file);
  if (value === undefined) throw brokenFiles(findings);
  return { file: reading.file, value };
}

/** The channels to replay, and the assumptions about them: full sentences. */
interface PolicyTrial {
  readonly channels: readonly ChannelPath[];
  readonly assumptions: readonly string[];
}

type Channels = ReadonlyMap<ChannelName, Channel>;

/**
 * The channels to replay: all that follow another, or `named`; with a policy, the one that it is for. Throws
 * CONFIGURATION if that is not clear.
 */
export function channelsToTry(
  tried: TriedPolicy | undefined,
  named: string | undefined,
  channels: Channels,
): PolicyTrial {
  if (tried !== undefined) return tryPolicy(tried, nameFor(tried, named, channels), channels);
  const places = following(channels)
    .filter(({ name }) => named === undefined || name === named)
    .filter(({ follows }) => follows !== undefined && channels.has(follows))
    .map((channel) => placeIn({ channels }, channel));
  if (places.length > 0) return { channels: places, assumptions: [] };
  const what = `No channel${named === undefined ? "" : ` ${named}`} follows another.`;
  throw new Fault("CONFIGURATION", `${what} ${remedyAmong(channels, "There is")}`);
}

function following(channels: Channels): readonly Channel[] {
  return [...channels.values()].filter(({ follows }) => follows !== undefined);
}

/** Names the channels that follow another, after `offer`. */
function remedyAmong(channels: Channels, offer: string): string {
  const known = following(channels).map(({ name }) => name);
  return known.length === 0 ? "Set `follows` in channels/<channel>.yaml." : `${offer} ${known.join(", ")}.`;
}

/** The named channel; else the one that the file is named after; else the only one that follows another. */
function nameFor({ file }: TriedPolicy, named: string | undefined, channels: Channels): ChannelName {
  const stem = basename(file.path).replace(/\.ya?ml$/, "");
  const [only, ...others] = following(channels);
  const isNamedAfterOne = [...channels.keys()].some((channel) => channel === stem);
  const name = named ?? (isNamedAfterOne || only === undefined || others.length > 0 ? stem : only.name);
  const parsed = parseChannelName(name);
  if (parsed !== undefined) return parsed;
  throw new Fault(
    "CONFIGURATION",
    `Which channel ${file.path} is for is not clear: ${name} is not a channel name (${CHANNEL_NAME_RULE}). Name it: --channel NAME.`,
  );
}

function tryPolicy(tried: TriedPolicy, name: ChannelName, channels: Channels): PolicyTrial {
  const { file, value } = tried;
  refuseMandatory(value.kind, `${file.path} is for a mandatory channel`);
  const { follows, assumptions } = triedFollows(tried, name, channels);
  const { kind = "release", versions = "release", landscapes, promotion = {} } = value;
  const channel: Channel = { name, kind, follows, versions, landscapes, promotion, templates: new Map(), file };
  // Without a catalogue, it is unknown what the followed channel follows.
  const followed = channels.get(follows) ?? { ...channel, name: follows, follows: undefined, promotion: {} };
  refuseMandatory(followed.kind, `${file.path} lets ${name} follow ${follows}, and ${follows} is mandatory`);
  refuseCircle(channel, channels);
  return { channels: [placeIn({ channels: new Map([...channels, [follows, followed]]) }, channel)], assumptions };
}

/** If the policy does not say what it follows, the channel's own policy may. */
function triedFollows(
  { file, value }: TriedPolicy,
  name: ChannelName,
  channels: Channels,
): { readonly follows: ChannelName; readonly assumptions: readonly string[] } {
  if (value.follows !== undefined) return { follows: value.follows, assumptions: [] };
  const own = channels.get(name);
  if (own === undefined)
    throw new Fault("CONFIGURATION", `${file.path} does not say which channel ${name} follows. Add it: follows: NAME.`);
  if (own.follows === undefined)
    throw new Fault(
      "CONFIGURATION",
      `${name} follows no channel, so nothing is promoted into it. ${remedyAmong(channels, "Name the policy of one that does:")}`,
    );
  const assumption = `${file.path} does not say which channel ${name} follows: ${own.follows} is taken, as in ${own.file.path}.`;
  return { follows: own.follows, assumptions: [assumption] };
}

/** Throws CONFIGURATION for a mandatory channel, with a message that begins with `what`. */
function refuseMandatory(kind: Channel["kind"] | undefined, what: string): void {
  if (kind !== "mandatory") return;
  throw new Fault(
    "CONFIGURATION",
    `${what}: such a channel neither follows nor is followed. Name a policy of kind release that follows a channel of kind release.`,
  );
}

/** Refuses a channel that follows itself: no version would ever arrive. */
function refuseCircle(channel: Channel, channels: Channels): void {
  const way: ChannelName[] = [channel.name];
  for (let next = channel.follows; next !== undefined; next = channels.get(next)?.follows) {
    const isRound = way.includes(next);
    way.push(next);
    if (!isRound) continue;
    const circle = way.join(" → ");
    throw new Fault(
      "CONFIGURATION",
      `${channel.file.path} makes ${channel.name} follow itself (${circle}). Name the channel that it is for, --channel NAME, or another one under follows.`,
    );
  }
}
