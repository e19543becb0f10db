import type { ChannelEntry } from "../../catalogue/compile.ts";
import { parseChannelName, parseModuleName } from "../../catalogue/names.ts";
import { parseVersion } from "../../catalogue/version.ts";
import { knownTemplate, liveEntries, type ModuleInput } from "./moduleInput.ts";
import { appliedVersion, MANDATORY, placeOfKey, type EntryRecord } from "./records.ts";

/**
 * A module whose files cannot be used, as it was applied last: its entries and terms are those of the records, so that
 * nothing moves and what others change is repaired. `undefined` without records, or if the content of a recorded
 * version is not known any more.
 */
export function asRecorded(module: ModuleInput): ModuleInput | undefined {
  if (module.input.live.records.kind === "none" || module.recorded.size === 0) return undefined;
  const wanted = [...module.recorded].map(([key, record]) => entryOf(key, record, module));
  const [terms] = [...module.recorded.values()].flatMap((record) => record.terms ?? []);
  return wanted.every((entry) => entry !== undefined) ? { ...module, wanted, terms } : undefined;
}

function entryOf(key: string, record: EntryRecord, module: ModuleInput): ChannelEntry | undefined {
  const place = placeOfKey(key);
  const mandatory = place.channel === MANDATORY;
  const channel = mandatory ? (module.input.desired.mandatoryChannel ?? MANDATORY) : place.channel;
  const now = liveEntries(module).find((one) => (mandatory ? one.mandatory : one.channel === channel));
  const applied = appliedVersion(module.input.live.records, key, now?.version);
  const served = [record.next, record.current].find((one) => one !== undefined && one.version === applied);
  const template = served && knownTemplate(served.version, channel, module);
  const named = served && parsed(place.module, channel, served.version);
  return template && named && { ...named, mandatory, specHash: served.specHash, template };
}

function parsed(
  moduleText: string,
  channelText: string,
  versionText: string,
): Pick<ChannelEntry, "module" | "channel" | "version"> | undefined {
  const [module, channel] = [parseModuleName(moduleText), parseChannelName(channelText)];
  const version = parseVersion(versionText);
  return module && channel && version && { module, channel, version };
}
