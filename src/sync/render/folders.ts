import { isRecord } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";

/**
 * The folders of objects, below the folder of the landscape. Argo CD reads `all`; Flux reads the others in two steps.
 */
export const FOLDERS = {
  all: "objects",
  templates: "objects/templates",
  releaseMetas: "objects/release-metas",
} as const;

/** Whether render writes a file of this name. An incomplete file that a kill left begins with a dot. */
export function isIn(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`) && /^[^/.][^/]*\.yaml$/.test(path.slice(folder.length + 1));
}

/** The file that names the landscape of a folder. */
export const LANDSCAPE_FILE = "landscape.json";

/** The text of `LANDSCAPE_FILE`. */
export function landscapeText(landscape: string): string {
  return `${JSON.stringify({ kind: "RenderedLandscape", format: 1, landscape }, null, 2)}\n`;
}

/** The landscape of rendered files; `undefined`: there is no `LANDSCAPE_FILE`; empty: it cannot be parsed. */
export function renderedLandscape(files: ReadonlyMap<string, Uint8Array | undefined>): string | undefined {
  const bytes = files.get(LANDSCAPE_FILE);
  if (bytes === undefined) return files.has(LANDSCAPE_FILE) ? "" : undefined;
  const said = parseJson(Buffer.from(bytes));
  return isRecord(said) && typeof said["landscape"] === "string" ? said["landscape"] : "";
}
