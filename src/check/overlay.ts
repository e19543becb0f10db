import { maxBytesOf, type SnapshotFile } from "../document/snapshot.ts";
import type { Source } from "../ports.ts";

/** What `source` would be with these files (path to text): a change can be judged before anything is written. */
export function overlay(source: Source, files: ReadonlyMap<string, string>): Source {
  const changed = new Map([...files].map(([path, text]) => [path, fileOf(path, text)]));
  return {
    snapshot: async (wants, run) => {
      const { files } = await source.snapshot(wants, run);
      return { revision: undefined, files: new Map([...files, ...[...changed].filter(([path]) => wants(path))]) };
    },
  };
}

/** The files of a source that never changes, such as a commit: each is read once, and only when it is wanted. */
export function remembered(source: Source): Source {
  const files = new Map<string, SnapshotFile>();
  let known: { readonly revision: string | undefined; readonly paths: ReadonlySet<string> } | undefined;
  return {
    snapshot: async (wants, run) => {
      const isMissing = (path: string): boolean => wants(path) && !files.has(path);
      if (known === undefined || [...known.paths].some(isMissing)) {
        const paths = new Set<string>();
        const noteAsked = (path: string): boolean => {
          paths.add(path);
          return isMissing(path);
        };
        const read = await source.snapshot(noteAsked, run);
        for (const [path, file] of read.files) files.set(path, file);
        // Links that lead nowhere come unasked, and are asked about by nobody.
        known = { revision: read.revision, paths };
      }
      const { revision, paths } = known;
      return { revision, files: new Map([...files].filter(([path]) => wants(path) || !paths.has(path))) };
    },
  };
}

/**
 * What merging a change into `base` makes of it: the files of `head` at `paths`, and all others as `base` has them. So
 * what was merged since the change left the base counts, and does not look as if the change took it back.
 */
export function mergedInto(base: Source, head: Source, paths: readonly string[]): Source {
  const changed = new Set(paths);
  const partOf = async (
    source: Source,
    isOurs: (path: string) => boolean,
    ...[wants, run]: SnapshotArguments
  ): Promise<OverlaidFiles> => {
    const { files } = await source.snapshot((path) => isOurs(path) && wants(path), run);
    // Links that lead nowhere come unasked.
    return [...files].filter(([path]) => isOurs(path));
  };
  return {
    snapshot: async (...asked) => {
      const parts = await Promise.all([
        partOf(base, (path) => !changed.has(path), ...asked),
        partOf(head, (path) => changed.has(path), ...asked),
      ]);
      return { revision: undefined, files: new Map(parts.flat()) };
    },
  };
}

type SnapshotArguments = Parameters<Source["snapshot"]>;
type OverlaidFiles = readonly (readonly [path: string, file: SnapshotFile])[];

function fileOf(path: string, text: string): SnapshotFile {
  const bytes = Buffer.from(text);
  return bytes.length > maxBytesOf(path) ? { kind: "too-large", size: bytes.length } : { kind: "bytes", bytes };
}
