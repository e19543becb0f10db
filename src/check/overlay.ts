import { maxBytesOf, type SnapshotFile } from "../catalogue/snapshot.ts";
import type { Source } from "../ports.ts";

/** What `source` would be with the file at `path` changed to `text`: it can be judged before anything is written. */
export function overlay(source: Source, path: string, text: string): Source {
  const bytes = Buffer.from(text);
  const file: SnapshotFile =
    bytes.length > maxBytesOf(path) ? { kind: "too-large", size: bytes.length } : { kind: "bytes", bytes };
  return {
    snapshot: async (wants, run) => {
      const { files } = await source.snapshot(wants, run);
      const changed = wants(path) ? new Map([[path, file]]) : new Map<string, SnapshotFile>();
      return { revision: undefined, files: new Map([...files, ...changed]) };
    },
  };
}
