import type { Catalogue, Channel, Module } from "../../catalogue/catalogue.ts";
import type { ChannelName, LandscapeName, ModuleName } from "../../catalogue/names.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { Contradiction } from "./contradiction.ts";
import type { ModuleHistory, ServedState } from "../../catalogue/history/history.ts";
import { upstreamChannels } from "../intervention/upstream.ts";
import type { ServiceRecord } from "./interval.ts";

/** One module in one following channel: the subject of a verdict. */
export interface Subject {
  readonly module: ModuleName;
  /** The channel that follows. */
  readonly channel: Channel;
  readonly followed: Channel;
  /** `followed`, the channel that it follows, and so on, nearest first. */
  readonly upstream: readonly Channel[];
  /** The content of `modules/<module>/`; `undefined` if there is none. */
  readonly said: Module | undefined;
  /** In roll-out order. */
  readonly landscapes: readonly Landscape[];
  /** Logins, and teams as `@org/team`. */
  readonly releaseManagers: readonly string[];
}

/** The facts that a verdict depends on, beside the policy. */
export interface VerdictFacts {
  readonly history: ModuleHistory;
  /** Of any module; in any order. */
  readonly evidence: readonly Evidence[];
  /** Evidence of any module that cannot be read, so that its content is unknown. */
  readonly damaged?: readonly DamagedEvidence[] | undefined;
  /** Built from the whole history and this evidence, if `history` is only the beginning of it. */
  readonly services?: ServiceRecord;
  /** Holds that are proposed and not merged yet: they block at once. */
  readonly proposedHolds: readonly ProposedHold[];
  readonly strays: StrayEntries;
  /** Why the files of the module cannot be relied on. */
  readonly contradiction?: Contradiction | undefined;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** The entries of a module on a channel that does not exist: they count in every channel that they could have meant. */
export type StrayEntries = Pick<ModuleHistory, "holds" | "hotfixes">;

/** What a catalogue without such entries has. */
export const NO_STRAYS: StrayEntries = { holds: [], hotfixes: [] };

/** An evidence file of a version that cannot be read. */
export interface DamagedEvidence {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** The name of the file in Git. */
  readonly source: string;
}

/** A hold that is not merged yet. */
export interface ProposedHold {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** `undefined`: all channels. */
  readonly channel: ChannelName | undefined;
  /** The pull request or branch that proposes it. */
  readonly source: string;
}

/** Every module in every following channel that serves it or may get it. Ordered by channel, then by module. */
export function allSubjects(catalogue: Catalogue): readonly Subject[] {
  return [...catalogue.channels.values()].flatMap((channel) => {
    const upstream = upstreamChannels(channel, catalogue);
    const [followed] = upstream;
    if (followed === undefined) return [];
    const names = new Set([...channel.templates.keys(), ...followed.templates.keys()]);
    return [...names].sort().map((module) => channelSubject(catalogue, module, { channel, followed, upstream }));
  });
}

/** The subject of a module in a channel, served there or not; `undefined` for a channel that follows none. */
export function subjectIn(catalogue: Catalogue, module: ModuleName, name: ChannelName): Subject | undefined {
  const channel = catalogue.channels.get(name);
  const upstream = channel && upstreamChannels(channel, catalogue);
  const followed = upstream?.[0];
  return channel && followed && channelSubject(catalogue, module, { channel, followed, upstream });
}

function channelSubject(
  { modules, settings: { landscapes, releaseManagers } }: Catalogue,
  module: ModuleName,
  place: ChannelPath,
): Subject {
  return { module, ...place, said: modules.get(module), landscapes, releaseManagers };
}

/** A channel, and the channels that a version passes before it. */
export type ChannelPath = Pick<Subject, "channel" | "followed" | "upstream">;

/** The path of versions into a channel. If the channel follows none, it stands in for `followed`. */
export function placeIn(catalogue: Pick<Catalogue, "channels">, channel: Channel): ChannelPath {
  const upstream = upstreamChannels(channel, catalogue);
  return { channel, followed: upstream[0] ?? channel, upstream };
}

/** The names of the channels that a version passes before it comes into the channel, nearest first. */
export function passedChannels({ upstream }: Pick<ChannelPath, "upstream">): readonly ChannelName[] {
  return upstream.map(({ name }) => name);
}

/** The landscapes that serve the channel or the one that it follows. */
export function servingLandscapes({ channel, followed }: ChannelPath): readonly LandscapeName[] {
  return [...channel.landscapes, ...followed.landscapes];
}

/** The states of the module in `channel`, oldest first. */
export function subjectStates({ served }: ModuleHistory, channel: ChannelName): readonly ServedState[] {
  return served.get(channel) ?? [];
}
