import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../document/fields.ts";
import { Fault, type Run } from "../../ports.ts";
import { listFolder, removeFiles } from "./newFolder.ts";
import { writeFolder } from "./repositoryWriter.ts";

/** The list of written files, so that the next run removes outdated ones and no files of others. */
const LIST = "written.json";

/**
 * Writes files into a folder, which need not exist, and removes other files that an earlier call wrote. Safe to repeat
 * after a kill. Throws CONFIGURATION if a file of others is in the way, DISK_FULL, FILE_UNREADABLE.
 */
export async function fillFolder(folder: string, files: ReadonlyMap<string, string>, run: Run): Promise<void> {
  const before = writtenBefore(folder);
  const foreign = [...files.keys()].find(
    (path) => !before.includes(path) && lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined,
  );
  if (foreign !== undefined)
    throw new Fault(
      "CONFIGURATION",
      `${folder} has a file ${foreign} that this command did not write. Name another folder, or remove the file.`,
    );
  const stale = before.filter((path) => !files.has(path));
  const list = (paths: readonly string[]): ReadonlyMap<string, string> => {
    const content = { kind: "WrittenFiles", format: 1, files: paths };
    return new Map([[LIST, `${JSON.stringify(content, null, 2)}\n`]]);
  };
  await writeFolder(folder, list([...stale, ...files.keys()]), run);
  await writeFolder(folder, files, run);
  removeFiles(folder, stale);
  await writeFolder(folder, list([...files.keys()]), run);
}

/** The files of the list; one with paths out of the folder is invalid. Throws CONFIGURATION, FILE_UNREADABLE. */
function writtenBefore(folder: string): readonly string[] {
  const { files: lists } = listFolder(folder, (name) => name === LIST);
  if (lists.size === 0) return [];
  const files = parseList(Buffer.from(lists.get(LIST) ?? "").toString());
  if (files !== undefined) return files;
  throw new Fault("CONFIGURATION", `${join(folder, LIST)} is not a valid list of files. Name another folder.`);
}

function parseList(text: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    const files: unknown = isRecord(list) ? list["files"] : undefined;
    return Array.isArray(files) && files.every(isBelow) ? files : undefined;
  } catch {
    return undefined;
  }
}

function isBelow(path: unknown): path is string {
  return typeof path === "string" && !path.startsWith("/") && !path.split(/[/\\]/).includes("..");
}
