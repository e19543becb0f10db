const WORDS: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "there is no such file or folder"],
  ["ENOTDIR", "a part of its path is a file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "this user may not"],
  ["EPERM", "this user may not"],
  ["EROFS", "the file system is read-only"],
  ["ELOOP", "its links lead in a circle"],
  ["EMFILE", "too many files are open"],
  ["ENAMETOOLONG", "its name is too long"],
]);

/** Whether there is no room on a disk. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/** What went wrong, in words; an error that is none of the operating system's says so itself. */
export function problemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ("code" in error ? WORDS.get(error.code) : undefined) ?? error.message;
}

/** The same, after the path that it is about, where the error says one. */
export function problemAt(error: unknown): string {
  const path = error instanceof Error && "path" in error ? `${String(error.path)}: ` : "";
  return path + problemText(error);
}
