import type { Module } from "../catalogue/catalogue.ts";
import { DECIDING_PATHS } from "../catalogue/codeowners.ts";
import { parseModuleName, type ModuleName } from "../catalogue/names.ts";
import { compareText } from "../document/order.ts";
import { versionKey } from "../catalogue/lookup.ts";
import { cataloguePlace } from "../catalogue/paths.ts";
import { parseVersion } from "../catalogue/version.ts";
import type { YamlFile } from "../document/yaml/read.ts";
import type { Context } from "./context.ts";
import { inputAt } from "../catalogue/inputs.ts";
import type { VersionSubject } from "./subject.ts";

/** A file that the change adds, changes or removes. */
interface TouchedFile {
  readonly path: string;
  /** The module that owns it; `undefined` if the release managers own it. */
  readonly module: ModuleName | undefined;
}

/**
 * The changed files that decide what is served or who approves (`DECIDING_PATHS`), sorted by path; none without a base.
 */
export function touchedFiles({ base, paths = [] }: Context): readonly TouchedFile[] {
  if (base === undefined) return [];
  return paths
    .filter((path) => DECIDING_PATHS.some((own) => (own.endsWith("/") ? path.startsWith(own) : path === own)))
    .toSorted(compareText)
    .map((path) => {
      // The catalogue does not read all of them.
      const place = cataloguePlace(path);
      const name = place !== undefined && "module" in place ? place.module : inputAt(path)?.module;
      return { path, module: name === undefined ? undefined : parseModuleName(name) };
    });
}

/** The versions of which the change touches a build input, each once; none without a base. */
export function touchedVersions({ base, paths = [] }: Pick<Context, "base" | "paths">): readonly VersionSubject[] {
  if (base === undefined) return [];
  const found = paths.flatMap((path) => {
    const input = inputAt(path);
    const [module, version] = [parseModuleName(input?.module ?? ""), parseVersion(input?.version ?? "")];
    return module === undefined || version === undefined ? [] : [{ module, version }];
  });
  return [...new Map(found.map((subject) => [versionKey(subject), subject])).values()];
}

/**
 * The modules of the head that have a `module.yaml` and of which the change touches a file; without a base, all that
 * have one.
 */
export function touchedModules(context: Context): readonly ModuleWithFile[] {
  if (context.base === undefined) return modulesWithFile(context);
  const touched = new Set(touchedFiles(context).map(({ module }) => module));
  return modulesWithFile(context).filter(({ module }) => touched.has(module.name));
}

/** The modules of the head whose `module.yaml` the change touches; without a base, all that have one. */
export function touchedModuleFiles(context: Context): readonly ModuleWithFile[] {
  const { base } = context;
  return modulesWithFile(context).filter(
    ({ module, file }) => base?.modules.get(module.name)?.files.module?.text !== file.text,
  );
}

/** The modules that have a `module.yaml`. */
export function modulesWithFile({ head }: Context): readonly ModuleWithFile[] {
  return [...head.modules.values()].flatMap((module) => {
    const file = module.files.module;
    return file === undefined ? [] : [{ module, file }];
  });
}

/** A module and its `module.yaml`. */
export interface ModuleWithFile {
  readonly module: Module;
  readonly file: YamlFile;
}
