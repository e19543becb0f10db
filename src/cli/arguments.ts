import {
  CHANNEL_NAME_RULE,
  MODULE_NAME_RULE,
  parseChannelName,
  parseModuleName,
  type ChannelName,
  type ModuleName,
} from "../catalogue/names.ts";
import { parseVersion, VERSION_RULE, type ModuleVersion } from "../catalogue/version.ts";
import { Fault } from "../ports.ts";

/** A module and a version, as given on the command line. */
interface ModuleAtVersion {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
}

/** Reads `MODULE@VERSION`. Throws CONFIGURATION. */
export function readModuleAtVersion(text: string): ModuleAtVersion {
  const [name = "", version = "", ...rest] = text.split("@");
  const [module, parsed] = [parseModuleName(name), parseVersion(version)];
  if (module !== undefined && parsed !== undefined && rest.length === 0) return { module, version: parsed };
  throw new Fault(
    "CONFIGURATION",
    `Invalid argument ${text}: expected MODULE@VERSION, such as istio@1.2.3. A version is ${VERSION_RULE}.`,
  );
}

/** A module and a version or channel, as given on the command line. */
type ModuleAtPlace = ModuleAtVersion | { readonly module: ModuleName; readonly channel: ChannelName };

/** Reads `MODULE@VERSION`, or `MODULE@CHANNEL`. Throws CONFIGURATION. */
export function readModuleAtPlace(text: string): ModuleAtPlace {
  const [name = "", place = "", ...rest] = text.split("@");
  const [module, version, channel] = [parseModuleName(name), parseVersion(place), parseChannelName(place)];
  if (module !== undefined && version !== undefined && rest.length === 0) return { module, version };
  if (module !== undefined && channel !== undefined && rest.length === 0) return { module, channel };
  const expected = "MODULE@VERSION or MODULE@CHANNEL, such as istio@1.2.3 or istio@fast";
  throw new Fault("CONFIGURATION", `Invalid argument ${text}: expected ${expected}.`);
}

/** Reads `MODULE`, or `MODULE@VERSION`. Throws CONFIGURATION. */
export function readModule(text: string): { readonly module: ModuleName; readonly version: ModuleVersion | undefined } {
  if (text.includes("@")) return readModuleAtVersion(text);
  const module = parseModuleName(text);
  if (module !== undefined) return { module, version: undefined };
  throw new Fault("CONFIGURATION", `Invalid module name ${text}: expected ${MODULE_NAME_RULE}.`);
}

/** Reads a version. Throws CONFIGURATION. */
export function readVersion(text: string): ModuleVersion {
  const version = parseVersion(text);
  if (version !== undefined) return version;
  throw new Fault("CONFIGURATION", `Invalid version ${text}: expected ${VERSION_RULE}.`);
}

/** Reads the name of a channel. Throws CONFIGURATION. */
export function readChannel(text: string): ChannelName {
  const channel = parseChannelName(text);
  if (channel !== undefined) return channel;
  throw new Fault("CONFIGURATION", `Invalid channel name ${text}: expected ${CHANNEL_NAME_RULE}.`);
}
