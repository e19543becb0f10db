import { isOfCatalogue } from "../catalogue/paths.ts";
import { isSameTexts } from "../document/texts.ts";
import type { BranchContent, ProposalDraft } from "../ports.ts";

/** A path that differs between two trees. */
export interface TreeChange {
  /** From the top of the repository. */
  readonly path: string;
  /** The mode and the object of the new entry; `undefined` if there is none. */
  readonly entry: { readonly mode: string; readonly id: string } | undefined;
}

/** The mode of the files that this program writes. */
export const FILE_MODE = "100644";

/** More files than any proposal has. The rest of a larger change is only named. */
const MOST_FILES = 100;

/**
 * The content of a branch from the changes of its tree. Everything that a draft cannot contain is among `others`: removed
 * files, links, submodules, executable files, files outside of the catalogue, and bytes that are not text.
 *
 * Takes:  `prefix`, the folder of the catalogue in its repository; `read`, which reads the objects with these names.
 */
export async function readContent(
  changes: readonly TreeChange[],
  prefix: string,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>,
): Promise<Pick<BranchContent, "files" | "others">> {
  const wanted = new Map<string, string>();
  for (const { path, entry } of changes) {
    const place = path.slice(prefix.length);
    const isFile = entry?.mode === FILE_MODE && path.startsWith(prefix) && isOfCatalogue(place);
    if (isFile && wanted.size < MOST_FILES) wanted.set(path, entry.id);
  }
  const blobs = await read([...wanted.values()]);
  const files = new Map<string, string>();
  for (const [path, id] of wanted) {
    const bytes = Buffer.from(blobs.get(id) ?? []);
    const text = bytes.toString();
    if (Buffer.from(text).equals(bytes)) files.set(path.slice(prefix.length), text);
  }
  const others = changes.filter(({ path }) => !path.startsWith(prefix) || !files.has(path.slice(prefix.length)));
  return { files, others: others.map(otherText) };
}

const MODES: Readonly<Record<string, string>> = {
  "100755": " (executable)",
  "120000": " (a link)",
  "160000": " (a submodule)",
};

function otherText({ path, entry }: TreeChange): string {
  return `${path}${entry === undefined ? " (removed)" : (MODES[entry.mode] ?? "")}`;
}

/** Whether a branch holds exactly the files of a draft, and nothing else. */
export function holdsDraft({ files, others }: BranchContent, draft: Pick<ProposalDraft, "files">): boolean {
  return others.length === 0 && isSameTexts(files, draft.files);
}
