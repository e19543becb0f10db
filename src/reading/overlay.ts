import { fileSizeLimit, type SnapshotFile } from "../document/snapshot.ts";
import type { Source } from "../ports.ts";

/** `source` with these files (path to text) on top, so that a change can be judged before it is written. */
export function overlay(source: Source, files: ReadonlyMap<string, string>): Source {
  const changed = new Map(
    [...files].map(([path, text]): [string, SnapshotFile] => {
      const bytes = Buffer.from(text);
      const isTooLarge = bytes.length > fileSizeLimit(path);
      return [path, isTooLarge ? { kind: "too-large", size: bytes.length } : { kind: "bytes", bytes }];
    }),
  );
  return {
    snapshot: async (wants, run) => {
      const { files } = await source.snapshot(wants, run);
      return { revision: undefined, files: new Map([...files, ...[...changed].filter(([path]) => wants(path))]) };
    },
  };
}

/** Caches a source that never changes, such as a commit. Each file is read once, when it is first wanted. */
export function remembered(source: Source): Source {
  const files = new Map<string, SnapshotFile>();
  let known: { readonly revision: string | undefined; readonly paths: ReadonlySet<string> } | undefined;
  return {
    snapshot: async (wants, run) => {
      const isMissing = (path: string): boolean => wants(path) && !files.has(path);
      if (known === undefined || [...known.paths].some(isMissing)) {
        const paths = new Set<string>();
        const read = await source.snapshot((path) => {
          paths.add(path);
          return isMissing(path);
        }, run);
        for (const [path, file] of read.files) files.set(path, file);
        // Broken links are in the snapshot although `wants` is never called for them.
        known = { revision: read.revision, paths };
      }
      const { revision, paths } = known;
      return { revision, files: new Map([...files].filter(([path]) => wants(path) || !paths.has(path))) };
    },
  };
}

/**
 * The result of merging a change into `base`: the files at `paths` from `head`, all others from `base`. Commits that
 * were merged after the change left the base count, and do not look as if the change reverted them.
 */
export function mergedInto(base: Source, head: Source, paths: readonly string[]): Source {
  const changed = new Set(paths);
  const partOf = async (
    source: Source,
    isOurs: (path: string) => boolean,
    ...[wants, run]: SnapshotArguments
  ): Promise<OverlaidFiles> => {
    const { files } = await source.snapshot((path) => isOurs(path) && wants(path), run);
    // Broken links are in every snapshot.
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
