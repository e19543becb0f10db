import { isRecord } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";

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

/** Says below the folder of a landscape which one that is. */
export const LANDSCAPE_FILE = "landscape.json";

/** The text of `LANDSCAPE_FILE`. */
export function landscapeText(landscape: string): string {
  return `${JSON.stringify({ kind: "RenderedLandscape", format: 1, landscape }, null, 2)}\n`;
}

/** The landscape that files were rendered for; `undefined` where they do not say; empty where that cannot be understood. */
export function renderedLandscape(files: ReadonlyMap<string, Uint8Array | undefined>): string | undefined {
  const bytes = files.get(LANDSCAPE_FILE);
  if (bytes === undefined) return files.has(LANDSCAPE_FILE) ? "" : undefined;
  const said = parseJson(Buffer.from(bytes));
  return isRecord(said) && typeof said["landscape"] === "string" ? said["landscape"] : "";
}
