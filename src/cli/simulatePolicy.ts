import { basename } from "node:path";
import type { Channel } from "../catalogue/catalogue.ts";
import { conform } from "../catalogue/conform.ts";
import type { PolicyFile } from "../catalogue/draft.ts";
import type { Finding } from "../catalogue/finding.ts";
import { CHANNEL_NAME_RULE, parseChannelName, type ChannelName } from "../catalogue/names.ts";
import { readYaml, type YamlFile } from "../catalogue/yaml.ts";
import { Fault, type Run } from "../ports.ts";
import type { PromotionPorts } from "./composePromotion.ts";

/** A policy that is tried in place of a channel's own. */
export interface TriedPolicy {
  readonly file: YamlFile;
  readonly value: PolicyFile;
}

/** Reads a file with the policy of a channel. Throws CONFIGURATION, FILE_UNREADABLE. */
export async function readPolicy(
  path: string | undefined,
  { check }: PromotionPorts,
  run: Run,
): Promise<{ readonly tried: TriedPolicy | undefined; readonly findings: readonly Finding[] }> {
  if (path === undefined) return { tried: undefined, findings: [] };
  const [file, ...others] = await check.readNamedFiles([path], run);
  if (file === undefined || others.length > 0)
    throw new Fault(
      "CONFIGURATION",
      `${path} is a folder. Name the file with the policy, such as channels/regular.yaml.`,
    );
  const reading = readYaml(file.name, { kind: "bytes", bytes: file.content });
  if (reading.kind === "refused") return { tried: undefined, findings: reading.findings };
  const { value, findings } = conform("channel", reading.file);
  return { tried: value && { file: reading.file, value }, findings };
}

/** A channel with the policy that is tried, and the channel that it follows. */
export interface Followed {
  readonly channel: Channel;
  readonly followed: Channel;
}

/**
 * The channels that are replayed: all that follow another, or `named`; with a policy, the one that it is for. Throws
 * CONFIGURATION where that is not clear.
 */
export function channelsToTry(
  tried: TriedPolicy | undefined,
  named: string | undefined,
  channels: ReadonlyMap<ChannelName, Channel>,
): readonly Followed[] {
  const following = [...channels.values()].filter((channel) => channel.follows !== undefined);
  const wanted = following.filter(({ name }) => named === undefined || name === named);
  if (tried !== undefined) return [tryPolicy(tried, nameFor(tried, named, wanted), channels)];
  const pairs = wanted.flatMap((channel): Followed[] => {
    const followed = channel.follows && channels.get(channel.follows);
    return followed === undefined ? [] : [{ channel, followed }];
  });
  if (pairs.length > 0) return pairs;
  const known = following.map(({ name }) => name).join(", ");
  const remedy = known === "" ? "Say `follows` in channels/<channel>.yaml." : `There is ${known}.`;
  throw new Fault("CONFIGURATION", `No channel${named === undefined ? "" : ` ${named}`} follows another. ${remedy}`);
}

/** Where nobody names the channel, the only one that follows another; else the one that the file is named after. */
function nameFor({ file }: TriedPolicy, named: string | undefined, wanted: readonly Channel[]): ChannelName {
  const stem = basename(file.path).replace(/\.ya?ml$/, "");
  const [only, ...others] = wanted;
  const name = named ?? (others.length === 0 && only !== undefined ? only.name : stem);
  const parsed = parseChannelName(name);
  if (parsed !== undefined) return parsed;
  throw new Fault(
    "CONFIGURATION",
    `Which channel ${file.path} is for is not clear: ${name} is no name of a channel (${CHANNEL_NAME_RULE}). Name it: --channel NAME.`,
  );
}

function tryPolicy(
  { file, value }: TriedPolicy,
  name: ChannelName,
  channels: ReadonlyMap<ChannelName, Channel>,
): Followed {
  const known = channels.get(name);
  const follows = value.follows ?? known?.follows;
  if (follows === undefined)
    throw new Fault("CONFIGURATION", `${file.path} does not say which channel ${name} follows. Add it: follows: fast.`);
  const { versions = "release", landscapes, promotion = {} } = value;
  const bare = { kind: "release", landscapes, templates: new Map(), file } as const;
  const channel: Channel = { ...bare, ...known, name, follows, versions, promotion, file };
  const followed = channels.get(follows) ?? {
    ...bare,
    name: follows,
    follows: undefined,
    versions: "any",
    promotion: {},
  };
  return { channel, followed };
}
