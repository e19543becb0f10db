import type { ChannelName, LandscapeName, ModuleName } from "./names.ts";
import type { Acceptance, Hold, Hotfix, PromotionFile, RequiredApi, VersionsRule, Waiver } from "./policy.ts";
import type { SettingsFile } from "./settings.ts";
import type { Template } from "./template.ts";
import type { YamlFile } from "../document/yaml/read.ts";

/** `channels/<channel>.yaml` as it is written, once the schema accepted it. */
export interface PolicyFile {
  readonly kind?: "release" | "mandatory";
  readonly follows?: ChannelName;
  readonly versions?: VersionsRule;
  readonly landscapes: readonly LandscapeName[];
  readonly promotion?: PromotionFile;
}

/** `modules/<module>/module.yaml` as it is written, once the schema accepted it. */
export interface ModuleFile {
  readonly owners?: readonly string[];
  readonly ocmComponentName?: string;
  readonly links?: { readonly repository?: string; readonly documentation?: string };
  readonly requires?: readonly RequiredApi[];
  /** A Kubernetes label selector: which Kymas are offered the module. */
  readonly kymaSelector?: object;
  readonly beta?: boolean;
  readonly internal?: boolean;
  readonly policy?: Readonly<Record<string, PromotionFile>>;
  readonly waivers?: readonly Waiver[];
  readonly accepts?: readonly Acceptance[];
}

/** `modules/<module>/holds.yaml` as it is written, once the schema accepted it. */
export interface HoldsFile {
  readonly holds: readonly Hold[];
}

/** `modules/<module>/hotfixes.yaml` as it is written, once the schema accepted it. */
export interface HotfixesFile {
  readonly hotfixes: readonly Hotfix[];
}

/** A file and what it says. */
export interface Read<T> {
  readonly file: YamlFile;
  readonly value: T;
}

/** What the files said, each by itself. */
export interface Draft {
  readonly settings: Read<SettingsFile> | undefined;
  readonly policies: ReadonlyMap<ChannelName, Read<PolicyFile>>;
  /** Every channel that has a policy, a broken one included. */
  readonly channels: ReadonlySet<string>;
  readonly modules: ReadonlyMap<ModuleName, Read<ModuleFile>>;
  readonly holds: ReadonlyMap<ModuleName, Read<HoldsFile>>;
  readonly hotfixes: ReadonlyMap<ModuleName, Read<HotfixesFile>>;
  readonly templates: readonly Template[];
}
