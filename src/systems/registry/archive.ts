import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { extract } from "tar-stream";
import { problemText } from "../errno.ts";
import { corrupt } from "./digest.ts";

const inflate = promisify(gunzip);

/** A layer without its compression; lifecycle-manager looks at the content as well, and not at the media type. */
export async function inflated(bytes: Buffer, maxBytes: number, subject: string): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await inflate(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw corrupt(subject, `its gzip cannot be unpacked into ${maxBytes} bytes (${problemText(error)})`);
  }
}

/** The first file of a tar archive whose name `wants` accepts. */
export async function fileIn(
  archive: Buffer,
  wants: (name: string) => boolean,
  what: string,
  subject: string,
): Promise<Buffer> {
  const entries = extract();
  entries.end(archive);
  try {
    for await (const entry of entries) {
      if (entry.header.type === "file" && wants(entry.header.name)) {
        return Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>));
      }
      entry.resume();
    }
  } catch (error) {
    throw corrupt(subject, `it is no tar archive (${problemText(error)})`);
  }
  throw corrupt(subject, `it is no tar archive with ${what}`);
}
