import { expect, it } from "vitest";
import { streamLines } from "../../src/systems/kubernetes/watch.ts";

const TEXT = '{"a":"ä€😀"}\n\n{"b":"second"}\n{"c":';
const BYTES = Buffer.from(TEXT);

async function split(pieces: readonly Buffer[]): Promise<readonly string[]> {
  const stream = (async function* () {
    yield* pieces;
    await Promise.resolve();
  })();
  return (await Array.fromAsync(streamLines(stream))).map(String);
}

it("finds the same lines regardless of chunk boundaries, even within a character", async () => {
  const lines = TEXT.split("\n");
  for (let at = 0; at <= BYTES.length; at++)
    expect(await split([BYTES.subarray(0, at), BYTES.subarray(at)])).toEqual(lines);

  expect(await split(Array.from(BYTES, (_, at) => BYTES.subarray(at, at + 1)))).toEqual(lines);
});

it.each<[string, readonly string[], readonly string[]]>([
  ["nothing", [], []],
  ["an empty piece", [""], []],
  ["a line without its end", ["one"], ["one"]],
  ["a line with its end", ["one\n"], ["one"]],
  ["several lines in a piece", ["one\ntwo\nthree\n"], ["one", "two", "three"]],
  ["a line in many pieces", Array.from({ length: 10_000 }, () => "x".repeat(100)), ["x".repeat(1_000_000)]],
])("finds the lines of %s", async (_, pieces, lines) => {
  expect(await split(pieces.map((piece) => Buffer.from(piece)))).toEqual(lines);
});
