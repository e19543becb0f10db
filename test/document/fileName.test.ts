import fc from "fast-check";
import { expect, it } from "vitest";
import { nameBytes, nameText } from "../../src/document/fileName.ts";
import { tries } from "../support/tries.ts";

it("keeps names that are UTF-8", () => {
  expect(nameText(Buffer.from("ärger 中 😀"))).toBe("ärger 中 😀");
});

it("keeps apart names that are not", () => {
  const names = [[0xe9], [0xe8], [0xe9, 0xe9], [0xed, 0xb3, 0xa9], [0x61, 0xe4, 0xb8, 0xad, 0xe9]].map((bytes) =>
    nameText(Buffer.from(bytes)),
  );

  expect(new Set(names).size).toBe(names.length);
  expect(names.some((name) => name.isWellFormed())).toBe(false);
  expect(names.at(-1)).toBe("a中\udce9");
});

it("returns the bytes of every name", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 8 }), (bytes) => {
      expect(nameBytes(nameText(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
    tries(500),
  );
});
