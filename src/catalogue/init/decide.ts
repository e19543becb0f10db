import { compareText } from "../../document/order.ts";
import { IGNORED, IGNORED_PATH, README_PATH } from "./files.ts";
import type { NewFiles } from "./manifest.ts";

/** The current content of the folder of a new catalogue: all files in the folders that the catalogue will have. */
export interface FolderContent {
  /** Content by path; `undefined` for a link, a pipe and the like. */
  readonly files: ReadonlyMap<string, Uint8Array | undefined>;
  /** All other names at its top level, except `.git`. */
  readonly others: readonly string[];
}

/** The decision about the folder. */
type InitDecision =
  | {
      readonly kind: "write";
      /** In the order in which to write them. */
      readonly files: NewFiles;
      /** The existing files: with the same content, or with content of the user that stays. */
      readonly present: readonly string[];
      /** Incomplete files of an earlier run that was killed. */
      readonly leftOver: readonly string[];
    }
  | { readonly kind: "refused"; readonly why: string; readonly remedy: string };

/** Files that GitHub, npm or users put into a repository that is otherwise empty. */
const HARMLESS = /^(node_modules|LICENSE(\.md|\.txt)?)$/;

/** The maximum number of names in a message. */
const NAMED = 5;

/** Compares the wanted files with the existing ones. No file is ever overwritten. */
export function decideInit(wanted: NewFiles, { files, others }: FolderContent): InitDecision {
  const leftOver = [...files.keys()].filter((path) => {
    // The temporary name that `replaceFile` uses.
    const whole = path.replace(/(^|\/)\.([^/]+)\.\d+\.tmp$/, "$1$2");
    return whole !== path && wanted.has(whole);
  });
  const strangers = [...files]
    .filter(([path, content]) => !leftOver.includes(path) && !isAcceptable(path, content, wanted.get(path)))
    .map(([path]) => path);
  const inTheWay = [...others.filter((name) => !HARMLESS.test(name)), ...strangers].sort(compareText);
  if (inTheWay.length > 0) {
    const remedy = "A new catalogue needs its own folder: name an empty one (--repo DIR). Nothing was written.";
    const more = inTheWay.length - NAMED;
    const listed = inTheWay.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
    return { kind: "refused", why: `The folder is not empty: it contains ${listed}.`, remedy };
  }
  const ignored = files.get(IGNORED_PATH);
  const ignoredLines = ignored && new TextDecoder().decode(ignored).split(/\r?\n/);
  if (ignoredLines?.some((line) => /^\/?node_modules\/?$/.test(line.trim())) === false) {
    const why = `${IGNORED_PATH} does not ignore ${IGNORED}, so the installed program would be committed.`;
    return { kind: "refused", why, remedy: `Add the line ${IGNORED} to it, and run this again. Nothing was written.` };
  }
  const present = [...wanted.keys()].filter((path) => files.has(path));
  const missing = [...wanted].filter(([path]) => !files.has(path));
  return { kind: "write", files: new Map(missing), present, leftOver };
}

function isAcceptable(path: string, content: Uint8Array | undefined, wanted: string | Uint8Array | undefined): boolean {
  if (content === undefined || wanted === undefined) return false;
  if (path === README_PATH || path === IGNORED_PATH) return true;
  return Buffer.compare(content, Buffer.from(wanted)) === 0;
}
