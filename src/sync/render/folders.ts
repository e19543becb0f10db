import { fieldAt, isTexts, textAt } from "../../document/fields.ts";
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

/** The file that says what an earlier rendering decided and objects do not show. */
export const LANDSCAPE_FILE = "landscape.json";

/** The content of `LANDSCAPE_FILE`. */
export interface LandscapeFile {
  readonly landscape: string;
  /** The keys of entries that were never rendered, since their versions are held. */
  readonly waiting: readonly string[];
}

/** The text of `LANDSCAPE_FILE`. */
export function landscapeText({ landscape, waiting }: LandscapeFile): string {
  const waits = waiting.length === 0 ? {} : { waiting };
  return `${JSON.stringify({ kind: "RenderedLandscape", format: 1, landscape, ...waits }, null, 2)}\n`;
}

/** Reads `LANDSCAPE_FILE`. `undefined`: there is none; `"unreadable"`: it cannot be parsed. */
export function renderedLandscape(
  files: ReadonlyMap<string, Uint8Array | undefined>,
): LandscapeFile | "unreadable" | undefined {
  if (!files.has(LANDSCAPE_FILE)) return undefined;
  const bytes = files.get(LANDSCAPE_FILE);
  const content = bytes && parseJson(Buffer.from(bytes));
  const landscape = textAt(content, ["landscape"]);
  const waiting = fieldAt(content, ["waiting"]) ?? [];
  if (landscape === undefined || !isTexts(waiting)) return "unreadable";
  return { landscape, waiting };
}
