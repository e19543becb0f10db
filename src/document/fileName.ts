import { isUtf8 } from "node:buffer";

/** Bytes that are not UTF-8 become these lone surrogates and above, which no UTF-8 text has, so that names stay different. */
const ESCAPED = 0xdc00;

/** The text of a file name or path, which need not be UTF-8: `name.isWellFormed()` is false then. See `nameBytes`. */
export function nameText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((size) => isUtf8(bytes.subarray(at, at + size))) ?? 0;
    parts.push(
      length === 0 ? String.fromCharCode(ESCAPED + bytes.readUInt8(at)) : bytes.toString("utf8", at, at + length),
    );
    at += Math.max(1, length);
  }
  return parts.join("");
}

/** The bytes of a name that `nameText` returned. */
export function nameBytes(name: string): Buffer {
  if (name.isWellFormed()) return Buffer.from(name);
  const parts = Array.from(name, (character) =>
    character.isWellFormed() ? Buffer.from(character) : Buffer.of(character.charCodeAt(0) - ESCAPED),
  );
  return Buffer.concat(parts);
}
