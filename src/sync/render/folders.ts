/** Where objects stand, below the folder of the landscape: what Argo CD reads, and Flux in two steps. */
export const FOLDERS = {
  all: "objects",
  templates: "objects/templates",
  releaseMetas: "objects/release-metas",
} as const;

/** Whether render would write such a file: a half of one that was left by a kill begins with a dot. */
export function isIn(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`) && /^[^/.][^/]*\.yaml$/.test(path.slice(folder.length + 1));
}
