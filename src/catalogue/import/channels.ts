import { conform } from "../conform.ts";
import type { PolicyFile } from "../draft.ts";
import { MANDATORY, parseChannelName, type ChannelName } from "../names.ts";
import { compareText } from "../../document/order.ts";
import { cataloguePlace } from "../paths.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import { readYaml } from "../../document/yaml/read.ts";

/** The channels that an import knows before it decides. */
export interface ChannelKinds {
  /** The readable policies of the repository. */
  readonly policies: ReadonlyMap<ChannelName, PolicyFile>;
  /** The channel for mandatory modules; `undefined` when the repository uses the name for a release channel. */
  readonly mandatory: ChannelName | undefined;
  /** Modules with a ModuleReleaseMeta in the input. */
  readonly releaseMetas: ReadonlySet<string>;
}

/** Reads the policies of a repository; skips unreadable ones. */
export function readChannelKinds(
  files: ReadonlyMap<string, SnapshotFile>,
  releaseMetas: ReadonlySet<string>,
): ChannelKinds {
  const read = [...files].flatMap(([path, content]) => importedPolicy(path, content));
  const policies = new Map(read.sort(([a], [b]) => compareText(a, b)));
  const [declared] = [...policies].find(([, { kind }]) => kind === "mandatory") ?? [];
  const usual = [...policies.keys()].some((name) => name === MANDATORY) ? undefined : parseChannelName(MANDATORY);
  return { policies, mandatory: declared ?? usual, releaseMetas };
}

function importedPolicy(path: string, content: SnapshotFile): readonly [ChannelName, PolicyFile][] {
  const place = cataloguePlace(path);
  const name = place?.kind === "policy" ? parseChannelName(place.channel) : undefined;
  const reading = readYaml(path, content);
  if (name === undefined || reading.kind === "refused") return [];
  const { value } = conform("channel", reading.file);
  return value === undefined ? [] : [[name, value]];
}

/** Whether the modules in `channel` are installed on every cluster. No release channel has the name `mandatory`. */
export function isMandatory(channel: ChannelName, { policies }: ChannelKinds): boolean {
  return channel === MANDATORY || policies.get(channel)?.kind === "mandatory";
}
