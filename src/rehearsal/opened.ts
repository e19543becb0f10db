import { SETTINGS_PATH } from "../catalogue/paths.ts";
import { isRecord } from "../document/fields.ts";
import type { SnapshotFile } from "../document/snapshot.ts";
import { fileText } from "../document/snapshot.ts";
import { editText } from "../document/yaml/edit.ts";
import { readYaml } from "../document/yaml/read.ts";
import type { Fields } from "../kubernetes/workload.ts";

/**
 * Changes a file of a catalogue for a rehearsal: policies compare health and have no windows, freezes and reviews; settings
 * have no forge and registry. Other files, and files that cannot be read, do not change. Returns `undefined` if the file
 * is not text.
 */
export function openedFile(path: string, content: SnapshotFile): string | undefined {
  const text = fileText(content);
  const open = planeOpener(path);
  if (open === undefined || text === undefined) return text;
  const reading = readYaml(path, content);
  if (reading.kind === "refused" || !isRecord(reading.file.value)) return text;
  const opened = open(reading.file.value);
  return opened === undefined ? text : editText(undefined, opened, []);
}

function planeOpener(path: string): ((fields: Fields) => Fields | undefined) | undefined {
  if (path === SETTINGS_PATH) return openSettings;
  if (/^channels\/[^/]+\.yaml$/.test(path)) return openChannel;
  return /^modules\/[^/]+\/module\.yaml$/.test(path) ? openModule : undefined;
}

function openSettings({ registry: _, ...settings }: Fields): Fields {
  const landscapes = settings["landscapes"];
  const lifecycleManager = "version-templates";
  const opened = Array.isArray(landscapes)
    ? landscapes.map((one: unknown) => (isRecord(one) ? { ...one, lifecycleManager } : one))
    : landscapes;
  return { ...settings, landscapes: opened, forge: { kind: "none" } };
}

function openChannel(channel: Fields): Fields | undefined {
  const { promotion, follows } = channel;
  if (follows === undefined) return undefined;
  return { ...channel, promotion: { health: HEALTH, ...openPolicy(isRecord(promotion) ? promotion : {}) } };
}

const HEALTH = { notWorseBy: "1%" };

function openModule(module: Fields): Fields | undefined {
  const { policy } = module;
  if (!isRecord(policy)) return undefined;
  const channels = Object.entries(policy).map(([name, one]) => [name, isRecord(one) ? openPolicy(one) : one] as const);
  return { ...module, policy: Object.fromEntries(channels) };
}

/** A limit per window has no meaning without windows. */
function openPolicy({ windows: _w, freezes: _f, limits, ...policy }: Fields): Fields {
  const { perWindow: _p, ...rest } = isRecord(limits) ? limits : {};
  return { ...policy, ...(Object.keys(rest).length > 0 && { limits: rest }), merge: "automatic" };
}
