/** One file of a snapshot: its bytes, or the reason why it was not read. */
export type SnapshotFile =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** Larger than `fileSizeLimit` allows for its path; `size` in bytes. */
  | { readonly kind: "too-large"; readonly size: number }
  /** A symbolic link whose target is outside the repository, or is missing. */
  | { readonly kind: "bad-link"; readonly target: string };

/** A file that a checkout shows otherwise than Git has it, since an attribute of Git converts it. */
export interface ConvertedFile {
  readonly path: string;
  /** As in `.gitattributes`: `ident`, `eol=crlf`. */
  readonly attribute: string;
}

/** The converted files of a change and of its base. */
export interface ConvertedFiles {
  readonly head: readonly ConvertedFile[];
  readonly base: readonly ConvertedFile[];
}

/** The text of a file; `undefined` when the file is missing or was not read. */
export function fileText(file: SnapshotFile | undefined): string | undefined {
  return file?.kind === "bytes" ? Buffer.from(file.bytes).toString() : undefined;
}

/** The maximum size of a file of a catalogue, in bytes: an object over about 1.5 MB does not fit into etcd. */
export const MAX_FILE_BYTES: number = 1024 * 1024;

/** Larger, since the inputs of a build hold many objects, which are not stored as one. */
const MAX_INPUT_BYTES = 32 * MAX_FILE_BYTES;

/** The maximum size of the file at `path`, in bytes. */
export function fileSizeLimit(path: string): number {
  const isInput = /^modules\/[^/]+\/[^/]+\//.test(path) && !path.endsWith("/template.yaml");
  return isInput ? MAX_INPUT_BYTES : MAX_FILE_BYTES;
}

/** The problem with a link to `target`, which is not followed. */
export function judgeLink(target: string): {
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
} {
  return {
    rule: "file-link",
    message: `This is a symbolic link to ${target}; only links to files of this repository are followed.`,
    remedy: "Replace the link with the file that it points to.",
  };
}
