import { createReadStream, createWriteStream } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
// For the tar format: no `tar` program is needed, and @kubernetes/client-node brings it along anyway.
import { extract } from "tar-stream";
import type { Attempt } from "./attempt.ts";

/**
 * Takes the programs out of a `.tar.gz`, wherever in it they lie, and puts them into `folder` by their plain names, so
 * that no path of the archive can lead anywhere else. Throws system errors, and for a broken archive what zlib throws.
 */
export async function unpack(file: string, programs: readonly string[], folder: string): Promise<Attempt> {
  const missing = new Set(programs);
  const entries = extract();
  const feeding = pipeline(createReadStream(file), createGunzip(), entries);
  const reading = (async () => {
    for await (const entry of entries) {
      const name = basename(entry.header.name);
      const isWanted = entry.header.type === "file" && missing.delete(name);
      if (isWanted) await pipeline(entry, createWriteStream(join(folder, name), { flags: "wx", mode: 0o755 }));
      else entry.resume();
    }
  })();
  await Promise.all([feeding, reading]);
  if (missing.size === 0) return { made: true };
  return { made: false, why: `the archive has no ${[...missing].join(" and no ")}` };
}
