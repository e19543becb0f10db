import { cataloguePlace } from "../catalogue/paths.ts";

/** The files to judge. */
export interface CheckScope {
  /** Whether findings in the file at `path` count. */
  readonly has: (path: string) => boolean;
  /** Whether a file of the folder, which ends in "/", is judged. */
  readonly touches: (folder: string) => boolean;
  /** Whether every template is judged. */
  readonly isAboutAll: boolean;
  /** The modules whose files must be read; `undefined` for all modules. */
  readonly modules: ReadonlySet<string> | undefined;
}

/** The whole repository. */
export const EVERYTHING: CheckScope = {
  has: () => true,
  touches: () => true,
  isAboutAll: true,
  modules: undefined,
};

/** The scope of the files and folders at `paths`. Settings and policies concern every module. */
export function checkScope(paths: readonly string[]): CheckScope {
  const files = new Set(paths);
  const folders = paths.map((path) => `${path.replace(/\/$/, "")}/`);
  const modules = paths.map(moduleAt);
  return {
    has: (path) => files.has(path) || folders.some((folder) => path.startsWith(folder)),
    touches: (folder) =>
      paths.some((path) => path.startsWith(folder)) || folders.some((named) => folder.startsWith(named)),
    isAboutAll: paths.some(isAboutAll),
    modules: modules.includes(undefined) ? undefined : new Set(modules.flatMap((module) => module ?? [])),
  };
}

function isAboutAll(path: string): boolean {
  const kind = cataloguePlace(path)?.kind;
  return kind === "settings" || kind === "policy";
}

/** The module of a file or folder: none outside the catalogue, `undefined` if it concerns all modules. */
function moduleAt(path: string): readonly string[] | undefined {
  if (isAboutAll(path)) return undefined;
  const [root, first = "", second = ""] = path.split("/");
  if (root === "modules") return first === "" ? undefined : [first];
  if (root !== "channels") return [];
  // One channel or all channels: their modules are unknown before the files are read.
  if (second !== "") return [second.replace(/\.yaml$/, "")];
  return first.includes(".") ? [] : undefined;
}
