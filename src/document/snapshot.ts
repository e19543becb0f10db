/** One file of a snapshot: its bytes, or why it was not read. */
export type SnapshotFile =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** Larger than `maxBytesOf` its path; `size` in bytes. */
  | { readonly kind: "too-large"; readonly size: number }
  /** A symbolic link whose target lies outside of the repository, or is missing. */
  | { readonly kind: "bad-link"; readonly target: string };

/** The text of a file; `undefined` where there is none, or it was not read. */
export function fileText(file: SnapshotFile | undefined): string | undefined {
  return file?.kind === "bytes" ? Buffer.from(file.bytes).toString() : undefined;
}

/** No file of a catalogue may be larger: an object over about 1.5 MB does not fit into etcd. Bytes. */
export const MAX_FILE_BYTES: number = 1024 * 1024;

/** The inputs of a build hold many objects, and are not stored as one. */
const MAX_INPUT_BYTES = 32 * MAX_FILE_BYTES;

/** How large the file at `path` may be. Bytes. */
export function maxBytesOf(path: string): number {
  const isInput = /^modules\/[^/]+\/[^/]+\//.test(path) && !path.endsWith("/template.yaml");
  return isInput ? MAX_INPUT_BYTES : MAX_FILE_BYTES;
}

/** What is wrong with a link to `target`, and what to do about it. */
export function judgeLink(target: string): {
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
} {
  return {
    rule: "file-link",
    message: `This is a symbolic link to ${target}; only links to files of this repository are followed.`,
    remedy: "Replace the link by what it stands for.",
  };
}
