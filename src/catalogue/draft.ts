import type { ChannelName, LandscapeName, ModuleName } from "./names.ts";
import type { SettingsFile } from "./settings.ts";
import type { Template } from "./template.ts";
import type { YamlFile } from "./yaml.ts";

/** `channels/<channel>.yaml` as it is written, once the schema accepted it. */
export interface PolicyFile {
  readonly kind?: "release" | "mandatory";
  readonly follows?: ChannelName;
  readonly landscapes: readonly LandscapeName[];
}

/** `modules/<module>/module.yaml` as it is written, once the schema accepted it. */
export interface ModuleFile {
  readonly owners?: readonly string[];
  readonly ocmComponentName?: string;
}

/** What the files said, each by itself. */
export interface Draft {
  readonly settings: { readonly file: YamlFile; readonly value: SettingsFile } | undefined;
  readonly policies: ReadonlyMap<ChannelName, { readonly file: YamlFile; readonly value: PolicyFile }>;
  /** Every channel that has a policy, a broken one included. */
  readonly channels: ReadonlySet<string>;
  readonly modules: ReadonlyMap<ModuleName, ModuleFile>;
  readonly templates: readonly Template[];
}
