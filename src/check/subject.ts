import type { ModuleName } from "../catalogue/names.ts";
import type { ModuleVersion } from "../catalogue/version.ts";

/** A version of a module: what a waiver is for, and what a message names. */
export interface VersionSubject {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
}
