import { join } from "node:path";
import { readPageAssets, readPageStyle, type PageAssets } from "../../systems/http/pageAssets.ts";

const FOLDER = join(import.meta.dirname, "../../dashboard");

/** The style sheets and scripts of the pages, which are stored beside their code. */
export function openAssets(): PageAssets {
  return readPageAssets(FOLDER);
}

/** The style sheet of the pages, for a page in one file. */
export function pageStyle(): string {
  return readPageStyle(FOLDER);
}
