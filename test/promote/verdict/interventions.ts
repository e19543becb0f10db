import type { Catalogue } from "../../../src/catalogue/catalogue.ts";
import { parseChannelName, parseModuleName, type ChannelName, type ModuleName } from "../../../src/catalogue/names.ts";
import type { SnapshotFile } from "../../../src/document/snapshot.ts";
import { parseVersion, type ModuleVersion } from "../../../src/catalogue/version.ts";
import type {
  FileChange,
  Intervention,
  ModuleContext,
  PersonRequest,
} from "../../../src/promote/intervention/intervention.ts";
import { catalogueOf, channelTemplate, MANDATORY_POLICY, POLICY, SETTINGS } from "../../catalogue/repository.ts";

/** The instant of every decision, with half a second to round down. */
export const NOW_MS: number = Date.parse("2026-11-21T12:00:00.500Z");

/** A valid version. */
export function version(text: string): ModuleVersion {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is not a version`);
  return parsed;
}

/** A name of a channel. */
export function channel(text: string): ChannelName {
  const parsed = parseChannelName(text);
  if (parsed === undefined) throw new Error(`${text} is not a channel`);
  return parsed;
}

/** A name of a module. */
export function moduleName(text: string): ModuleName {
  const parsed = parseModuleName(text);
  if (parsed === undefined) throw new Error(`${text} is not a module`);
  return parsed;
}

/** The file of istio's holds. */
export const HOLDS = "modules/istio/holds.yaml";

/** fast and regular serve istio 1.2.0, and must serves telemetry 2.0.0 on every cluster; `files` are added. */
export function siteOf(files: Readonly<Record<string, string | SnapshotFile>> = {}): Catalogue {
  return catalogueOf({
    "kyma-modules.yaml": SETTINGS,
    "channels/fast.yaml": POLICY,
    "channels/regular.yaml": `${POLICY}follows: fast\n`,
    "channels/must.yaml": MANDATORY_POLICY,
    "channels/fast/istio.yaml": channelTemplate("fast", "istio", "1.2.0"),
    "channels/regular/istio.yaml": channelTemplate("regular", "istio", "1.2.0"),
    "channels/must/telemetry.yaml": channelTemplate("must", "telemetry", "2.0.0"),
    ...files,
  });
}

/** The known facts with a catalogue, where each channel ever served these versions, highest first. */
export function knownOf(catalogue: Catalogue, ever: Readonly<Record<string, readonly string[]>> = {}): ModuleContext {
  const entries = Object.entries(ever).map(([name, texts]) => [channel(name), texts.map(version)] as const);
  return { catalogue, ever: new Map(entries), nowMs: NOW_MS };
}

/** A request of boss about istio. */
export function requestOf(text: string, where?: string, reason = "leaks memory"): PersonRequest {
  return {
    module: moduleName("istio"),
    version: version(text),
    channel: where === undefined ? undefined : channel(where),
    reason,
    by: "boss",
  };
}

/** `holds.yaml` with these entries, each a line of fields in braces. */
export function holdsText(...entries: readonly string[]): string {
  return `format: 1\nholds:\n${entries.map((entry) => `  - { ${entry}, by: lead, since: "2026-11-01T00:00:00Z" }\n`).join("")}`;
}

/** The change of an intervention; throws if it changes nothing. */
export function changeOf(intervention: Intervention): FileChange {
  if (intervention.kind !== "change") throw new Error(intervention.why);
  return intervention;
}
