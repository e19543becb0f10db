import type { ModuleName } from "../catalogue/names.ts";
import type { ModuleVersion } from "../catalogue/version.ts";

/** A version of a module, as waivers and messages name it. */
export interface VersionSubject {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
}
