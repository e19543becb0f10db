import type { ChannelName, LandscapeName, ModuleName } from "./names.ts";
import type { Acceptance, Hold, Hotfix, PromotionFile, RequiredApi, VersionsRule, Waiver } from "./policy.ts";
import type { SettingsFile } from "./settings.ts";
import type { Template } from "./template.ts";
import type { YamlFile } from "../document/yaml/read.ts";

/** The content of `channels/<channel>.yaml`, valid against its schema. */
export interface PolicyFile {
  readonly kind?: "release" | "mandatory";
  readonly follows?: ChannelName;
  readonly versions?: VersionsRule;
  readonly landscapes: readonly LandscapeName[];
  readonly promotion?: PromotionFile;
}

/** The content of `modules/<module>/module.yaml`, valid against its schema. */
export interface ModuleFile {
  readonly owners?: readonly string[];
  readonly ocmComponentName?: string;
  readonly links?: { readonly repository?: string; readonly documentation?: string };
  readonly requires?: readonly RequiredApi[];
  /** A Kubernetes label selector of the Kymas that are offered the module. */
  readonly kymaSelector?: object;
  readonly beta?: boolean;
  readonly internal?: boolean;
  readonly policy?: Readonly<Record<string, PromotionFile>>;
  readonly waivers?: readonly Waiver[];
  readonly accepts?: readonly Acceptance[];
}

/** The content of `modules/<module>/holds.yaml`, valid against its schema. */
export interface HoldsFile {
  readonly holds: readonly Hold[];
}

/** The content of `modules/<module>/hotfixes.yaml`, valid against its schema. */
export interface HotfixesFile {
  readonly hotfixes: readonly Hotfix[];
}

/** A file and its value. */
export interface Read<T> {
  readonly file: YamlFile;
  readonly value: T;
}

/** The content of all files, before they are compared with each other. */
export interface Draft {
  readonly settings: Read<SettingsFile> | undefined;
  readonly policies: ReadonlyMap<ChannelName, Read<PolicyFile>>;
  /** Every channel that has a policy, also a broken one. */
  readonly channels: ReadonlySet<string>;
  readonly modules: ReadonlyMap<ModuleName, Read<ModuleFile>>;
  readonly holds: ReadonlyMap<ModuleName, Read<HoldsFile>>;
  readonly hotfixes: ReadonlyMap<ModuleName, Read<HotfixesFile>>;
  readonly templates: readonly Template[];
}
