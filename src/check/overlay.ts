import { maxBytesOf, type SnapshotFile } from "../catalogue/snapshot.ts";
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

function fileOf(path: string, text: string): SnapshotFile {
  const bytes = Buffer.from(text);
  return bytes.length > maxBytesOf(path) ? { kind: "too-large", size: bytes.length } : { kind: "bytes", bytes };
}
