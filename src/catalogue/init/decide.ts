import { compareText } from "../../document/order.ts";
import { IGNORED, IGNORED_PATH, README_PATH } from "./files.ts";
import type { NewFiles } from "./manifest.ts";

/** What lies in the folder of a catalogue that is to be made: all files of the folders that it will have. */
export interface FolderContent {
  /** Path to content; `undefined` for what is not a file: a link, a pipe. */
  readonly files: ReadonlyMap<string, Uint8Array | undefined>;
  /** Whatever else lies at its top, but for `.git`. */
  readonly others: readonly string[];
}

/** What becomes of the folder. */
export type InitDecision =
  | {
      readonly kind: "write";
      /** In the order in which they are written. */
      readonly files: NewFiles;
      /** What is there already: with the same content, or as people have it. */
      readonly present: readonly string[];
      /** Halves of files that an earlier run left when it was killed. */
      readonly leftOver: readonly string[];
    }
  | { readonly kind: "refused"; readonly why: string; readonly remedy: string };

/** What GitHub, npm or people put into a repository before there is anything in it. */
const HARMLESS = /^(node_modules|LICENSE(\.md|\.txt)?)$/;

/** Compares what is to be written with what lies there: nothing is ever overwritten. */
export function decideInit(wanted: NewFiles, { files, others }: FolderContent): InitDecision {
  const leftOver = [...files.keys()].filter((path) => isHalf(path, wanted));
  const strangers = [...files]
    .filter(([path, content]) => !leftOver.includes(path) && !isAcceptable(path, content, wanted.get(path)))
    .map(([path]) => path);
  const inTheWay = [...others.filter((name) => !HARMLESS.test(name)), ...strangers].sort(compareText);
  if (inTheWay.length > 0) {
    const remedy = "A catalogue begins in a folder of its own: name an empty one (--repo DIR). Nothing was written.";
    return { kind: "refused", why: `The folder is not empty: it has ${listed(inTheWay)}.`, remedy };
  }
  const ignored = files.get(IGNORED_PATH);
  if (ignored !== undefined && !textOf(ignored).split(/\r?\n/).some(isIgnoring)) {
    const why = `${IGNORED_PATH} does not leave out ${IGNORED}, and the installed program would be committed.`;
    return { kind: "refused", why, remedy: `Add the line ${IGNORED} to it, and run this again. Nothing was written.` };
  }
  const present = [...wanted.keys()].filter((path) => files.has(path));
  const missing = [...wanted].filter(([path]) => !files.has(path));
  return { kind: "write", files: new Map(missing), present, leftOver };
}

/** Whether `path` is what was to become a wanted file, as `replaceFile` names it. */
function isHalf(path: string, wanted: NewFiles): boolean {
  const whole = path.replace(/(^|\/)\.([^/]+)\.\d+\.tmp$/, "$1$2");
  return whole !== path && wanted.has(whole);
}

function isAcceptable(path: string, content: Uint8Array | undefined, wanted: string | Uint8Array | undefined): boolean {
  if (content === undefined || wanted === undefined) return false;
  if (path === README_PATH || path === IGNORED_PATH) return true;
  return Buffer.compare(content, Buffer.from(wanted)) === 0;
}

function isIgnoring(line: string): boolean {
  return /^\/?node_modules\/?$/.test(line.trim());
}

const NAMED = 5;

function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
