import { expect, it } from "vitest";
import { branchLine } from "../../../src/check/rules/channel/branchLine.ts";
import { said, wholeContext } from "../contexts.ts";
import { mentions } from "../../support/mentions.ts";

it("a head that has its base as a merged branch is refused by its own settings if it has no other", async () => {
  const context = await wholeContext({});
  const aside = { ...context, facts: { ...context.facts, aside: "a".repeat(40) } };

  expect(said(branchLine, aside)).toEqual([mentions("kyma-modules.yaml", "error", "aaaaaaaaaa")]);
  expect(said(branchLine, context)).toEqual([]);
});
