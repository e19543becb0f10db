import type { ModuleFile } from "./draft.ts";
import type { Finding } from "../document/finding.ts";
import type { ChannelName, LandscapeName, ModuleName } from "./names.ts";
import type { Hold, Hotfix, PromotionFile, VersionsRule } from "./policy.ts";
import type { Settings } from "./settings.ts";
import type { Template } from "./template.ts";
import type { ModuleVersion } from "./version.ts";
import type { YamlFile } from "../document/yaml/read.ts";

/** Everything that a repository says, free of errors that would make it ambiguous. Maps are in order of their keys. */
export interface Catalogue {
  /** The commit it was read from; `undefined` for a directory as it lies there. */
  readonly revision: string | undefined;
  readonly settings: Settings;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
  readonly modules: ReadonlyMap<ModuleName, Module>;
  /** What is wrong but keeps nobody from serving the rest, warnings among them. */
  readonly findings: readonly Finding[];
  /** Modules whose files contradict one another: nothing of them is compiled, and nothing of them is removed. */
  readonly withheld: ReadonlySet<ModuleName>;
}

/** A channel: its policy and what it serves. */
export interface Channel {
  readonly name: ChannelName;
  readonly kind: "release" | "mandatory";
  readonly follows: ChannelName | undefined;
  readonly versions: VersionsRule;
  readonly promotion: PromotionFile;
  /** The only place that says where a channel is served. */
  readonly landscapes: readonly LandscapeName[];
  readonly templates: ReadonlyMap<ModuleName, Template>;
  readonly file: YamlFile;
}

/** What stands under `modules/<module>/`. */
export interface Module {
  readonly name: ModuleName;
  readonly ocmComponentName: string | undefined;
  readonly owners: readonly string[];
  /** `module.yaml` as it is written; empty when there is none. */
  readonly says: ModuleFile;
  /** In the order of `holds.yaml`. */
  readonly holds: readonly Hold[];
  /** In the order of `hotfixes.yaml`. */
  readonly hotfixes: readonly Hotfix[];
  /** Where it says so, for findings; a file that is missing or broken is not there. */
  readonly files: Readonly<Record<"module" | "holds" | "hotfixes", YamlFile | undefined>>;
  /** `modules/<module>/<version>/template.yaml`: look-up material, not served by itself. */
  readonly templates: ReadonlyMap<ModuleVersion, Template>;
}
