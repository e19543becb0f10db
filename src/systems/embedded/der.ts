/** One encoded value of DER, the binary form that certificates have (ITU-T X.690). */
export type Der = Buffer;

const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  bytes: 0x04,
  identifier: 0x06,
  text: 0x0c,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** A value with its tag and length in front. */
export function tagged(tag: number, content: Uint8Array): Der {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

/** Several values in order. */
export function sequence(...values: readonly Der[]): Der {
  return tagged(TAGS.sequence, Buffer.concat(values));
}

/** A set of one. */
export function setOf(value: Der): Der {
  return tagged(TAGS.set, value);
}

/** A positive integer, big-endian. */
export function integer(bytes: Uint8Array): Der {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return tagged(TAGS.integer, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** True; what is false is left out, since it is the default everywhere. */
export function isTrue(): Der {
  return tagged(TAGS.boolean, Buffer.from([0xff]));
}

/** Bits, of which the last `unused` do not count. */
export function bits(content: Uint8Array, unused = 0): Der {
  return tagged(TAGS.bits, Buffer.concat([Buffer.from([unused]), content]));
}

/** Bytes that mean something to somebody else. */
export function bytes(content: Uint8Array): Der {
  return tagged(TAGS.bytes, content);
}

/** Text in UTF-8. */
export function text(content: string): Der {
  return tagged(TAGS.text, Buffer.from(content));
}

/** An object identifier from its dotted form. */
export function identifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(TAGS.identifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** An instant, in the two forms that RFC 5280 asks for: with two digits of the year until 2049, then with four. */
export function instant(ms: number): Der {
  const digits = `${new Date(ms)
    .toISOString()
    .replace(/[-:T]|\.\d+/g, "")
    .replace("Z", "")}Z`;
  return digits < "2050" ? tagged(TAGS.utcTime, Buffer.from(digits.slice(2))) : tagged(TAGS.time, Buffer.from(digits));
}

function lengthOf(content: Uint8Array): Der {
  const { length } = content;
  if (length < 0x80) return Buffer.from([length]);
  const bigEndian = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.from([0x80 | bigEndian.length, ...bigEndian]);
}

function base128(value: number): readonly number[] {
  const low = value & 0x7f;
  const high = value >> 7;
  return high === 0 ? [low] : [...base128(high).map((byte) => byte | 0x80), low];
}
