import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import type { Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import type { HttpRequest, HttpStream } from "../http/client.ts";
import type { Environment } from "../environment.ts";
import {
  type BinariesAttempt,
  type BinariesProgress,
  type DownloadSource,
  officialSource,
  PROGRAMS,
} from "./releases.ts";

const PROGRESS_MS = 5_000;

/** The download source of an environment. */
export function downloadSource(environment: Environment): DownloadSource {
  return environment.source ?? officialSource();
}

/**
 * Downloads the archive, verifies its checksum, and unpacks both programs into `folder`. Throws errors of the file
 * system, and CONFIGURATION for an invalid proxy; returns any other failure.
 */
export async function download(
  folder: string,
  environment: Environment,
  progress: BinariesProgress,
  run: Run,
): Promise<BinariesAttempt> {
  const { archive, base, deadlines } = downloadSource(environment);
  if (archive === undefined) return { made: false, why: "there is no archive for this platform" };
  const address = `${base}/${archive.path}`;
  const file = `${folder}.tar.gz`;
  progress(`downloading etcd and kube-apiserver from ${address}`);
  // undici takes 60 ms to load: only a download pays for it.
  const [{ HttpClient, NO_RETRIES }, { openDispatcher, environmentProxies: proxiesOf }] = await Promise.all([
    import("../http/client.ts"),
    import("../http/proxies.ts"),
  ]);
  const dispatcher = openDispatcher({ ...proxiesOf(environment.variables), connectMs: deadlines.connectMs });
  const client = new HttpClient({
    kind: "LINK",
    dispatcher,
    limits: { ...NO_RETRIES, ...deadlines },
    mayAsk: () => true,
  });
  try {
    const request: HttpRequest = { method: "GET", url: new URL(address), subject: address, repeat: "never" };
    const answer = await client.open(request, run);
    if (answer.status !== 200) return { made: false, why: `the server answered ${answer.status}` };
    const sha512 = await save(counted(answer, progress), file, run.signal);
    if (sha512 !== archive.sha512)
      return { made: false, why: `the archive has SHA-512 ${sha512}, not ${archive.sha512}` };
    return await unpack(file, PROGRAMS, folder);
  } catch (error) {
    run.signal.throwIfAborted();
    // Network errors are faults; a bare system error comes from the file system.
    if (error instanceof Error && "syscall" in error) throw error;
    return { made: false, why: problemText(error) };
  } finally {
    await dispatcher.destroy();
  }
}

async function* counted({ pieces, headers }: HttpStream, progress: BinariesProgress): AsyncGenerator<Uint8Array> {
  const size = headers["content-length"];
  const whole = size === undefined ? "" : ` of ${megabytes(Number(size))}`;
  let bytes = 0;
  let toldAt = performance.now();
  for await (const piece of pieces) {
    bytes += piece.length;
    yield piece;
    if (performance.now() - toldAt < PROGRESS_MS) continue;
    toldAt = performance.now();
    progress(`downloaded ${megabytes(bytes)}${whole} MB`);
  }
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** Writes the file and returns its SHA-512 in hexadecimal. */
async function save(pieces: AsyncIterable<Uint8Array>, file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha512");
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(hashed, createWriteStream(file, { flags: "wx" }), { signal });
  return hash.digest("hex");
}

/**
 * Extracts the programs from any place in a `.tar.gz` into `folder`. Uses their base names only, so that no path in the
 * archive can lead elsewhere. Throws system errors, and zlib errors for a broken archive.
 */
async function unpack(file: string, programs: readonly string[], folder: string): Promise<BinariesAttempt> {
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
