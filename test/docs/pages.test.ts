import { describe, it } from "vitest";
import { blocksOf, withBlocks } from "./page.ts";
import { isLong, PAGES, testPages } from "./pages.ts";

testPages((page) => !isLong(page));

describe("a terminal that no test can run", () => {
  const blocks = PAGES.flatMap(({ path, text }) => blocksOf(text).map((block) => ({ path, ...block })));

  it.for(blocks.filter(({ noRun }) => noRun !== undefined))("$path:$line", ({ noRun = "" }, context) => {
    context.expect(noRun).not.toBe("");
    context.skip(noRun);
  });
});

describe("a command of a page", () => {
  it.for(PAGES)("stands in a terminal: $path", ({ text }, { expect }) => {
    const withoutTerminals = withBlocks(
      text,
      blocksOf(text).map(() => ""),
    );

    expect(withoutTerminals).not.toMatch(/^\$ /m);
  });
});
