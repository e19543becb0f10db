import { placeOf } from "../catalogue/paths.ts";

/** Which files are judged. */
export interface CheckScope {
  /** Whether findings in the file at `path` count. */
  readonly has: (path: string) => boolean;
  /** Whether a file of the folder, which ends in "/", is one of them. */
  readonly touches: (folder: string) => boolean;
  /** Whether every template is judged, wherever it stands. */
  readonly isAboutAll: boolean;
  /** The modules whose files have to be read; `undefined` for all of them. */
  readonly modules: ReadonlySet<string> | undefined;
}

/** The whole repository. */
export const EVERYTHING: CheckScope = {
  has: () => true,
  touches: () => true,
  isAboutAll: true,
  modules: undefined,
};

/** The files and folders at `paths`. What a policy or the settings say is about every module. */
export function scopeOf(paths: readonly string[]): CheckScope {
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
  const kind = placeOf(path)?.kind;
  return kind === "settings" || kind === "policy";
}

/** The module that the file or folder at `path` is about: none where no catalogue reads, `undefined` when about all. */
function moduleAt(path: string): readonly string[] | undefined {
  if (isAboutAll(path)) return undefined;
  const [root, first = "", second = ""] = path.split("/");
  if (root === "modules") return first === "" ? undefined : [first];
  if (root !== "channels") return [];
  // A channel, or all of them: which modules it serves is not known before it is read.
  if (second !== "") return [second.replace(/\.yaml$/, "")];
  return first.includes(".") ? [] : undefined;
}
