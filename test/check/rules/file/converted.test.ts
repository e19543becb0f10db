import { expect, it } from "vitest";
import { FAST, LINKED, MODULE, REGULAR } from "../../../../src/check/example.ts";
import type { ConvertedFiles } from "../../../../src/document/snapshot.ts";
import { fileConverted } from "../../../../src/check/rules/file/converted.ts";
import { mentions } from "../../../support/mentions.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";

const IDENT = [MODULE, REGULAR, FAST].map((path) => ({ path, attribute: "ident" }));
const TEXT = { path: REGULAR, attribute: "text" };

/** What the rule says of a change of `MODULE`. */
async function saidOf(converted: ConvertedFiles): Promise<readonly string[]> {
  const context = await contextOf({ change: { [MODULE]: LINKED } });
  return said(fileConverted, { ...context, facts: { ...context.facts, converted } });
}

it("reports an attribute once, at its first file, with the number of others", async () => {
  const context = await wholeContext({});
  const facts = { ...context.facts, converted: { head: [...IDENT, TEXT], base: [] } };

  expect(said(fileConverted, { ...context, facts })).toEqual([
    mentions(`${FAST}:1 error`, "ident", "2 other files"),
    mentions(`${REGULAR}:1 error`, "text"),
  ]);
});

it("reports attributes that the change brings, or that files of the change have", async () => {
  expect(await saidOf({ head: [...IDENT, TEXT], base: [...IDENT, TEXT] })).toEqual([mentions(`${MODULE}:1`, "ident")]);
  expect(await saidOf({ head: [TEXT], base: [{ ...TEXT, attribute: "eol=lf" }] })).toEqual([mentions(REGULAR, "text")]);
  expect(await saidOf({ head: [], base: IDENT })).toEqual([]);
});
