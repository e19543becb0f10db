import { folderText, NO_FILE } from "../files/files.ts";

/** One entry of a Git tree: a file, or a link, whose target is the content of its blob. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

/** The mode of a symbolic link. */
export const SYMLINK = "120000";
/** The mode of a folder. */
export const FOLDER = "040000";
/** The mode of a submodule: a commit of another repository, which is not a file. */
export const SUBMODULE = "160000";

/** The target of a link: a file of the same tree, or the description of something else for messages. */
export type LinkTarget =
  { readonly kind: "file"; readonly entry: TreeEntry } | { readonly kind: "bad-link"; readonly target: string };

/** The number of links that Linux follows before it reports a loop. */
const MOST_LINKS = 40;

/**
 * Follows the links of one Git tree, as the operating system would in a checkout, but never out of the tree. `textOf`
 * returns the target text of a link.
 */
export class LinkFollower {
  readonly #entries: ReadonlyMap<string, TreeEntry>;
  readonly #textOf: (link: TreeEntry) => string;
  readonly #folders: ReadonlySet<string>;

  constructor(entries: ReadonlyMap<string, TreeEntry>, textOf: (link: TreeEntry) => string) {
    this.#entries = entries;
    this.#textOf = textOf;
    this.#folders = new Set(
      [...entries.keys()].flatMap((path) => {
        const parts = path.split("/").slice(0, -1);
        return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
      }),
    );
  }

  /** Resolves the link at `path`. */
  follow(path: string): LinkTarget {
    let position: LinkPosition = { at: [], ahead: path.split("/"), links: 0 };
    while (position.ahead.length > 0) {
      const next = this.#step(position);
      if ("leads" in next) return { kind: "bad-link", target: next.leads };
      position = next;
    }
    const found = position.at.join("/");
    const entry = this.#entries.get(found);
    return entry === undefined ? { kind: "bad-link", target: folderText(found) } : { kind: "file", entry };
  }

  #step({ at, ahead: [step = "", ...ahead], links }: LinkPosition): LinkPosition | Astray {
    if (step === "" || step === ".") return { at, ahead, links };
    if (step === "..") return at.length === 0 ? OUTSIDE : { at: at.slice(0, -1), ahead, links };
    const here = [...at, step];
    const entry = this.#entries.get(here.join("/"));
    if (entry?.mode === SYMLINK) return this.#through(entry, { at, ahead, links });
    const isThere = entry === undefined ? this.#folders.has(here.join("/")) : ahead.length === 0;
    return isThere ? { at: here, ahead, links } : NOWHERE;
  }

  #through(link: TreeEntry, { at, ahead, links }: LinkPosition): LinkPosition | Astray {
    const text = this.#textOf(link);
    if (text.startsWith("/")) return OUTSIDE;
    return links === MOST_LINKS ? NOWHERE : { at, ahead: [...text.split("/"), ...ahead], links: links + 1 };
  }
}

/** The state of path resolution: the current folder, the remaining steps, and the number of links so far. */
interface LinkPosition {
  readonly at: readonly string[];
  readonly ahead: readonly string[];
  readonly links: number;
}

/** A path that leads out of the tree or does not exist. */
interface Astray {
  readonly leads: string;
}

const NOWHERE: Astray = { leads: NO_FILE };
const OUTSIDE: Astray = { leads: "a file outside of the repository" };
