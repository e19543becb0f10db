import type { ModuleFile } from "./draft.ts";
import type { Finding } from "../document/finding.ts";
import type { ChannelName, LandscapeName, ModuleName } from "./names.ts";
import type { Hold, Hotfix, PromotionFile, VersionsRule } from "./policy.ts";
import type { Settings } from "./settings.ts";
import type { Template } from "./template.ts";
import type { ModuleVersion } from "./version.ts";
import type { YamlFile } from "../document/yaml/read.ts";

/** The content of a repository, without errors that would make it ambiguous. Maps are in order of their keys. */
export interface Catalogue {
  /** The commit it was read from; `undefined` for a working directory. */
  readonly revision: string | undefined;
  readonly settings: Settings;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
  readonly modules: ReadonlyMap<ModuleName, Module>;
  /** Problems, also warnings, that do not prevent serving the rest. */
  readonly findings: readonly Finding[];
  /** Modules whose files are broken or contradict one another: their objects are neither compiled nor removed. */
  readonly withheld: ReadonlySet<ModuleName>;
  /** Channels that are not in `channels`, since their policy is missing or broken, and the modules with a file there. */
  readonly withheldChannels: ReadonlyMap<ChannelName, ReadonlySet<ModuleName>>;
}

/** A channel: its policy and the templates that it serves. */
export interface Channel {
  readonly name: ChannelName;
  readonly kind: "release" | "mandatory";
  readonly follows: ChannelName | undefined;
  readonly versions: VersionsRule;
  readonly promotion: PromotionFile;
  /** The landscapes that serve the channel; defined only here. */
  readonly landscapes: readonly LandscapeName[];
  readonly templates: ReadonlyMap<ModuleName, Template>;
  readonly file: YamlFile;
}

/** The content of `modules/<module>/`. */
export interface Module {
  readonly name: ModuleName;
  readonly ocmComponentName: string | undefined;
  readonly owners: readonly string[];
  /** The content of `module.yaml`; empty when there is no such file. */
  readonly says: ModuleFile;
  /** In the order of `holds.yaml`. */
  readonly holds: readonly Hold[];
  /** In the order of `hotfixes.yaml`. */
  readonly hotfixes: readonly Hotfix[];
  /** The files, for the places of findings; `undefined` for a missing or broken file. */
  readonly files: Readonly<Record<"module" | "holds" | "hotfixes", YamlFile | undefined>>;
  /** `modules/<module>/<version>/template.yaml`: for look-ups, not served by itself. */
  readonly templates: ReadonlyMap<ModuleVersion, Template>;
}
