import { isUtf8 } from "node:buffer";
import { Fault, type Run } from "../ports.ts";
import { git } from "./git.ts";

/**
 * The tree `tree` (empty: none) with `blob` at a path, and nothing else changed. Folder by folder with mktree: a
 * temporary index would list every file of the repository, and lie about when the process is killed.
 * Throws CONFIGURATION where a file or a link stands in place of a folder of the path, or a folder in place of the file.
 */
export async function treeWith(
  directory: string,
  tree: string,
  [name = "", ...rest]: readonly string[],
  blob: string,
  run: Run,
): Promise<string> {
  const entries = tree === "" ? [] : await entriesOf(directory, tree, run);
  const [mode = "", kind, id = ""] = (entries.find((entry) => nameOf(entry) === name) ?? "").split(/[ \t]/);
  refuseOther(name, mode, kind, rest.length > 0);
  const entry =
    rest.length === 0
      ? `100644 blob ${blob}\t${name}`
      : `040000 tree ${await treeWith(directory, id, rest, blob, run)}\t${name}`;
  const others = entries.filter((other) => nameOf(other) !== name);
  const input = [...others, entry, ""].join("\0");
  // What a partial clone lacks stays where it is: `--missing` keeps Git from fetching every file of the folder.
  return (await git(directory, ["mktree", "-z", "--missing"], run, { input })).stdout.toString().trim();
}

/** What is there must be of the kind that is wanted; else it would vanish with all that it holds. */
function refuseOther(name: string, mode: string, kind: string | undefined, wantsFolder: boolean): void {
  if (mode === "" || (kind === "tree") === wantsFolder) return;
  if (!wantsFolder && kind === "blob") return;
  const what = mode === "120000" ? "link" : kind === "tree" ? "folder" : kind === "commit" ? "submodule" : "file";
  throw new Fault("CONFIGURATION", `${name} is a ${what} in Git. Make it a ${wantsFolder ? "folder" : "file"}.`);
}

/** `MODE KIND ID<tab>NAME` each. */
async function entriesOf(directory: string, tree: string, run: Run): Promise<readonly string[]> {
  const { stdout } = await git(directory, ["ls-tree", "--full-tree", "-z", tree], run);
  if (!isUtf8(stdout))
    throw new Fault(
      "CONFIGURATION",
      `${directory} has a file whose name is not UTF-8, beside what is to be committed. Rename it: git mv.`,
    );
  return stdout
    .toString()
    .split("\0")
    .filter((entry) => entry !== "");
}

function nameOf(entry: string): string {
  return entry.slice(entry.indexOf("\t") + 1);
}
